"""`winnow status` and `winnow check`: what the library holds, and whether it is whole."""

from __future__ import annotations

from typing import Final

import click

from core.commands import publishing, terminal
from core.commands.own import own_library
from core.errors import LibraryDamagedError, WinnowError


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
        terminal.say(_BEGUN_ANEW)
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
        terminal.say(_BEGUN_ANEW)
    elif report.is_repaired:
        terminal.say("What was damaged has been made anew.")
    elif repair:
        raise WinnowError("Not all could be repaired; see the sentences above.")
    else:
        raise WinnowError("The library is damaged; winnow check --repair makes it whole.")


_BEGUN_ANEW: Final = (
    "The damaged library was set aside, and another one begun with your folders, rules and marks; "
    "winnow index reads your files again."
)
