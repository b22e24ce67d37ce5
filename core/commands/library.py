"""`winnow status`, `check` and `copies`: the library's contents, integrity and duplicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from core.addresses import readable_path
from core.commands import publishing, terminal
from core.commands.own import own_library
from core.errors import LibraryDamagedError, WinnowError
from core.printable import quoted

if TYPE_CHECKING:
    from core.catalog.copies import CopiesReport, CopyGroup, CopyTotals


@click.command()
@terminal.failures_option
@click.option("--json", "as_json", is_flag=True, help="Print the status as JSON.")
@click.option(
    "--library", "address", metavar="FOLDER|URL", help="Of this published library instead of yours."
)
def status(all_failures: bool, as_json: bool, address: str | None) -> None:
    """Say what the library holds and what could not be read."""
    if address is not None:
        publishing.print_published(address, as_json=as_json)
        return
    with own_library() as library:
        now = library.status()
        failures = library.failures()
    if as_json:
        terminal.print_json(
            {
                "home": str(now.home),
                "model": now.model,
                "coming_model": now.coming_model,
                "folders": [terminal.folder_fields(folder) for folder in now.folders],
                "documents": now.documents,
                "passages": now.passages,
                "waiting": now.waiting,
                "tokens": now.tokens,
                "tokens_kept": now.tokens_kept,
                "failed": terminal.failed_fields(failures),
                "in_cloud": now.in_cloud,
                "index_bytes": now.index_bytes,
                "catalog_bytes": now.catalog_bytes,
            }
        )
    else:
        terminal.print_status(now, failures, all_failures=all_failures)


@click.command()
@click.option(
    "--repair", is_flag=True, help="Make anew what is damaged, from your files and what is whole."
)
def check(repair: bool) -> None:
    """Compare every byte of the library with what was written."""
    from core.library.library import Library

    try:
        library = Library.open()
    except LibraryDamagedError as error:
        if not repair:
            raise
        terminal.say(str(error))
        Library.begin_anew()
        terminal.say(_RECREATED)
        return
    with library, terminal.job() as job:
        report = library.check(repairs=repair, job=job)
    for problem in report.problems:
        terminal.say(problem)
    files = "1 index file" if report.files == 1 else f"{report.files:,} index files"
    summary = f"{files}, {terminal.size(report.size_bytes)}"
    if not report.problems:
        terminal.say(f"All is as it was written: {summary}.")
    elif report.is_begun_anew:
        terminal.say(_RECREATED)
    elif report.is_repaired:
        terminal.say("What was damaged has been made anew.")
    elif repair:
        raise WinnowError("Not all could be repaired; see the sentences above.")
    else:
        raise WinnowError("The library is damaged; winnow check --repair makes it whole.")


_RECREATED: Final = (
    "The damaged library was set aside, and another one begun with your folders, rules and marks; "
    "winnow index reads your files again."
)


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
