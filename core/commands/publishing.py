"""`winnow publish` and `winnow library`: publishing a library, and searching others."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from core.addresses import is_server_address, readable_path
from core.commands import terminal
from core.commands.calling_process import absolute_address, own_library
from core.errors import WinnowError
from core.federation import library_list
from core.files import paths

if TYPE_CHECKING:
    from core.federation.library_list import AddedLibrary
    from core.library.library import Library, LibraryOptions
    from core.requests import Answerer
    from core.responses import SourceState


@click.command()
@click.argument("target", metavar="FOLDER|URL")
@click.option(
    "--name",
    default="",
    help="Name shown to others. Default: the previous name, or the name of your first folder.",
)
@click.option(
    "--check",
    "checks",
    is_flag=True,
    help="Also verify files published earlier, and replace damaged ones.",
)
def publish(target: str, name: str, checks: bool) -> None:
    """Publish your library for others to search.

    Copies the library to a folder or bucket: all folders with the text of their documents, but not
    your judgements, rules or settings. Publishing again copies new data only. Others can then add
    the library with winnow library add FOLDER|URL.

    \b
    Examples:
      winnow publish /mnt/team/library
      winnow publish --name Handbooks s3://bucket/library
    """
    from core.library.library import Library

    with Library.open() as library, terminal.job() as job:
        folders = library.folders()
        report = library.publish(target, name, job, checks=checks)
    snapshot = report.snapshot
    if not report.is_new:
        terminal.say(f"Nothing has changed since {snapshot.published_at}.")
    else:
        terminal.say(
            f"Published {snapshot.name}: {snapshot.documents:,} documents, "
            f"{snapshot.passages:,} passages, {terminal.size(report.size_bytes)}; "
            f"{terminal.size(report.written_bytes)} of it new."
        )
    for folder in folders:
        terminal.say(f"  {readable_path(folder.path)}")


@click.group(name="library")
def libraries() -> None:
    """Manage other libraries to search.

    \b
    Examples:
      winnow library add /mnt/team/library
      winnow library list
    """


@libraries.command(name="add")
@click.argument("address", metavar="FOLDER|URL")
@click.option(
    "--name",
    default="",
    help="Name shown with its results. Default: the publisher's name, the folder's name or the "
    "server's address.",
)
def add(address: str, name: str) -> None:
    """Add another library to your searches.

    FOLDER is the WINNOW_HOME folder of another library of yours, which is searched in place and
    never changed, or a folder with a published library. URL is a published library in a bucket,
    which is downloaded first, or a server at https://HOST:PORT. The token of a server is prompted
    for, or read from standard input. Add a server again to give it a new token.

    \b
    Examples:
      winnow library add /mnt/team/library
      winnow library add s3://bucket/library --name Handbooks
      winnow library add https://winnow.example.org:8765
    """
    from core.federation.server_tokens import TOKENS

    token = _prompt_for_token() if is_server_address(address) else ""
    with terminal.job() as job:
        home = paths.home().absolute()
        source = library_list.fetch_and_add(home, address, name, None, job, token)
    try:
        _print_state(source.state())
        if token and not TOKENS.is_stored(source.state().address):
            terminal.say(
                "The token cannot be saved because no keyring is available, so later commands "
                "will be refused. If the system has a keyring, run pip install "
                "'winnow-search[connect]' and add this library again.",
                is_error=True,
            )
    finally:
        source.close()


def _prompt_for_token() -> str:
    """Ask for a server's token, without showing it; without a terminal it is the first line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    token: str = click.prompt("Token", hide_input=True, default="", show_default=False)
    return token.strip()


@libraries.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def list_(as_json: bool) -> None:
    """List the added libraries and their status.

    \b
    Examples:
      winnow library list
    """
    states = []
    for library in library_list.added_libraries(paths.home().absolute()):
        try:
            states.append(_state_of(library))
        except WinnowError as error:
            states.append(_unreachable(library, error))
    if as_json:
        terminal.print_json({"libraries": [asdict(state) for state in states]})
        return
    for state in states:
        _print_state(state)
    if not states:
        terminal.say(
            "No libraries have been added yet. Add one with winnow library add FOLDER|URL."
        )


@libraries.command(name="remove")
@click.argument("name")
def remove(name: str) -> None:
    """Remove the library NAME from your searches, and delete its downloaded copy.

    The library itself is not changed.

    \b
    Examples:
      winnow library remove Handbooks
    """
    library_list.remove_library(paths.home().absolute(), name)


@libraries.command(name="off")
@click.argument("name")
def off(name: str) -> None:
    """Stop searching the library NAME until it is turned on again.

    \b
    Examples:
      winnow library off Handbooks
    """
    library_list.switch_library(paths.home().absolute(), name, is_on=False)


@libraries.command(name="on")
@click.argument("name")
def on(name: str) -> None:
    """Search the library NAME again after it was turned off.

    \b
    Examples:
      winnow library on Handbooks
    """
    library_list.switch_library(paths.home().absolute(), name, is_on=True)


def print_published(address: str, *, as_json: bool) -> None:
    """Print the status of a published library."""
    with _opened(address, address) as state:
        if as_json:
            terminal.print_json(asdict(state))
        else:
            _print_state(state)


@contextlib.contextmanager
def searching(
    addresses: Sequence[str], options: LibraryOptions
) -> Iterator[tuple[Answerer, Library | None]]:
    """Open the searched libraries, and the person's own if it is one of them.

    Without addresses these are the person's own library and the added ones, else those addressed.
    """
    from core.federation.federation import Federation
    from core.federation.source import LibrarySource

    with contextlib.ExitStack() as stack:
        job = stack.enter_context(terminal.job())
        if addresses:
            first, *others = (
                library_list.open_now(address, absolute_address(address), job=job)
                for address in dict.fromkeys(addresses)
            )
            stack.callback(first.close)
            federation = Federation(first, deadline_s=_PATIENCE_S)
            own = None
        else:
            own = stack.enter_context(own_library(options))
            federation, others = Federation(LibrarySource("", own), deadline_s=_PATIENCE_S), []
            for source, is_on in library_list.open_all(own.home, own):
                stack.callback(source.close)
                federation.add(source, is_on=is_on)
            federation.refresh(job)
        for source in others:
            stack.callback(source.close)
            federation.add(source)
        yield federation, own


# A command loads the model and opens every index, and has nothing to show before.
_PATIENCE_S = 60.0


@contextlib.contextmanager
def _opened(name: str, address: str) -> Iterator[SourceState]:
    with terminal.job() as job:
        source = library_list.open_now(name, absolute_address(address), job=job)
        try:
            yield source.state()
        finally:
            source.close()


def _state_of(library: AddedLibrary) -> SourceState:
    """Return the state of an added library; one that is off is not queried."""
    with terminal.job() as job:
        source = library_list.open_known(library, None)
        try:
            if not library.is_off:
                source.refresh(job)
            return replace(source.state(), is_on=not library.is_off)
        finally:
            source.close()


def _unreachable(library: AddedLibrary, error: WinnowError) -> SourceState:
    from core.responses import SourceState

    return SourceState(
        library.name,
        library.address,
        is_offline=True,
        problem=error.message,
        is_here=library.is_folder,
        is_on=not library.is_off,
    )


def _print_state(state: SourceState) -> None:
    published = f", published {state.published_at}" if state.published_at else ""
    counts = f"{state.documents:,} documents, {state.passages:,} passages{published}"
    terminal.say(f"{state.name} ({state.address}): {counts if state.is_on else 'turned off'}")
    if state.problem:
        terminal.say(f"  {state.problem}")
