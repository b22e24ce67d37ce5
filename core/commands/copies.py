"""The command that lists what lies more than once in the library's folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from core.addresses import readable_path
from core.commands import terminal
from core.commands.own import own_library
from core.printable import quoted

if TYPE_CHECKING:
    from core.catalog.copies import CopiesReport, CopyGroup, CopyTotals


@click.command()
@click.option("-n", "most", default=20, show_default=True, help="How many groups of each kind.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def copies(most: int, as_json: bool) -> None:
    """List files of one content, versions of one text, and the room that they take.

    Winnow deletes no file. What takes the most room comes first.
    """
    with own_library() as library:
        report = library.copies(max(0, most))
    if as_json:
        terminal.print_json(_fields(report))
    else:
        _print(report)


def _print(report: CopiesReport) -> None:
    for is_exact, name, totals in (
        (True, "Copies", report.exact),
        (False, "Versions of one text", report.versions),
    ):
        terminal.say(
            f"{name}: {_count(totals.files, 'file')} in {_count(totals.groups, 'group')};"
            f" all but one of each take {terminal.size(totals.room_bytes)}."
        )
        for group in report.groups:
            if group.is_exact == is_exact:
                terminal.say("")
                terminal.say(f"  {terminal.size(group.room_bytes)}")
                for file in group.files:
                    terminal.say(f"    {quoted(file.path)}  ({terminal.size(file.size_bytes)})")
        terminal.say("")
    if report.waiting:
        terminal.say(
            f"{_count(report.waiting, 'document')} not compared yet; winnow index does it."
        )


def _count(number: int, noun: str) -> str:
    """Return a number of things.

    >>> _count(1, "file"), _count(2000, "file")
    ('1 file', '2,000 files')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _fields(report: CopiesReport) -> dict[str, Any]:
    return {
        "exact": _totals(report.exact),
        "versions": _totals(report.versions),
        "waiting": report.waiting,
        "groups": [_group(group) for group in report.groups],
    }


def _totals(totals: CopyTotals) -> dict[str, int]:
    return {
        "groups": totals.groups,
        "files": totals.files,
        "room_bytes": totals.room_bytes,
    }


def _group(group: CopyGroup) -> dict[str, Any]:
    return {
        "is_exact": group.is_exact,
        "room_bytes": group.room_bytes,
        "files": [
            {"path": readable_path(file.path), "size_bytes": file.size_bytes}
            for file in group.files
        ],
    }
