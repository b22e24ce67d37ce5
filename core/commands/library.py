"""`winnow status`, `check` and `copies`: the library's contents, integrity and duplicates."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import click

from core.addresses import readable_path
from core.commands import publishing, terminal
from core.commands.calling_process import own_library
from core.errors import LibraryDamagedError, WinnowError
from core.printable import quoted

if TYPE_CHECKING:
    from core.catalog.copies import CopiesReport, CopyGroup
    from core.catalog.files.file_lists import FileGroup


@click.command()
@terminal.failures_option
@click.option(
    "--files",
    "all_files",
    is_flag=True,
    help="List all files that were excluded, have no text or could not be read, with reasons.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the status as JSON.")
@click.option(
    "--library",
    "address",
    metavar="FOLDER|URL",
    help="Show the status of this published library instead of your own.",
)
def status(all_failures: bool, all_files: bool, as_json: bool, address: str | None) -> None:
    """Show the library's contents and failures.

    \b
    Examples:
      winnow status
      winnow status --failures
      winnow status --files
    """
    from core.catalog.files.file_lists import FileList

    if address is not None:
        publishing.print_published(address, as_json=as_json)
        return
    without_text: tuple[FileGroup, ...] = ()
    excluded: tuple[FileGroup, ...] | None = None
    with own_library() as library:
        now = library.status()
        failures = library.failures()
        incomplete = library.list_files(FileList.INCOMPLETE, is_complete=True)
        if as_json or all_files:
            without_text = library.list_files(FileList.WITHOUT_TEXT, is_complete=True)
        if all_files:
            with terminal.job() as job:
                excluded = library.list_files(FileList.EXCLUDED, job, is_complete=True)
    if as_json:
        terminal.print_json(
            {
                "home": str(now.home),
                **terminal.named_fields(now, "model coming_model"),
                "folders": [terminal.folder_fields(folder) for folder in now.folders],
                **terminal.named_fields(now, "documents passages waiting tokens tokens_kept"),
                "files": {"seen": now.files.seen, **asdict(now.files)},
                "in_cloud": now.in_cloud,
                "failed": terminal.failed_fields(failures),
                "without_text": _listed_fields(without_text),
                "incomplete": _listed_fields(incomplete),
                "excluded": {rule.name.lower(): count for rule, count in now.excluded.items()},
                **({} if excluded is None else {"excluded_files": _excluded_fields(excluded)}),
                **terminal.named_fields(now, "index_bytes catalog_bytes"),
            }
        )
    else:
        terminal.print_status(now, failures, all_failures=all_failures or all_files)
        if incomplete and not all_files:
            number = sum(group.count for group in incomplete)
            terminal.say(
                f"{terminal.count(number, 'document')} could not be read in all parts. "
                "Run winnow status --files to list them."
            )
        for group in (*without_text, *incomplete, *(excluded or ())) if all_files else ():
            terminal.print_group(group)


def _listed_fields(groups: tuple[FileGroup, ...]) -> list[dict[str, str]]:
    return [
        {"path": readable_path(file.path), "reason": group.reason}
        for group in groups
        for file in group.files
    ]


def _excluded_fields(groups: tuple[FileGroup, ...]) -> list[dict[str, Any]]:
    return [
        {
            "path": readable_path(file.path),
            "rule": group.rule.name.lower(),
            "is_folder": file.is_folder,
        }
        for group in groups
        if group.rule is not None
        for file in group.files
    ]


@click.command()
@click.option(
    "--repair", is_flag=True, help="Rebuild damaged parts from your files and the intact parts."
)
def check(repair: bool) -> None:
    """Verify the library's files by checksums.

    \b
    Examples:
      winnow check
      winnow check --repair
    """
    from core.library.library import Library

    try:
        library = Library.open()
    except LibraryDamagedError as error:
        if not repair:
            raise
        terminal.say(str(error))
        Library.recreate()
        terminal.say(_RECREATED)
        return
    with library, terminal.job() as job:
        report = library.check(repairs=repair, job=job)
    for problem in report.problems:
        terminal.say(problem)
    files = "1 index file" if report.files == 1 else f"{report.files:,} index files"
    summary = f"{files}, {terminal.size(report.size_bytes)}"
    if not report.problems:
        terminal.say(f"No problems found: {summary}.")
    elif report.is_recreated:
        terminal.say(_RECREATED)
    elif report.is_repaired:
        terminal.say("The damaged parts were rebuilt.")
    elif repair:
        raise WinnowError("Some damage could not be repaired; see the messages above.")
    else:
        raise WinnowError("The library is damaged. Run winnow check --repair to repair it.")


_RECREATED: Final = (
    "The damaged library was moved aside and replaced by an empty one with your folders, rules "
    "and judgements. Run winnow index to read your files again."
)


@click.command()
@click.option(
    "-n", "most", default=20, show_default=True, help="Number of groups of each kind to show."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def copies(most: int, as_json: bool) -> None:
    """List identical and near-identical files.

    The largest groups come first. Winnow does not delete any files.

    \b
    Examples:
      winnow copies
      winnow copies -n 100 --json
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
        (False, "Versions of the same text", report.versions),
    ):
        files = terminal.count(totals.files, "file")
        groups = terminal.count(totals.groups, "group")
        terminal.say(
            f"{name}: {files} in {groups}; the duplicates take {terminal.size(totals.room_bytes)}."
        )
        for group in report.groups:
            if group.is_exact == is_exact:
                terminal.say("")
                terminal.say(f"  {terminal.size(group.room_bytes)}")
                for file in group.files:
                    terminal.say(f"    {quoted(file.path)}  ({terminal.size(file.size_bytes)})")
        terminal.say("")
    if report.waiting:
        waiting = terminal.count(report.waiting, "document")
        terminal.say(f"{waiting} not compared yet. Run winnow index to compare.")


def _fields(report: CopiesReport) -> dict[str, Any]:
    return {
        "exact": asdict(report.exact),
        "versions": asdict(report.versions),
        "waiting": report.waiting,
        "groups": [_group(group) for group in report.groups],
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
