"""`winnow publish` and `winnow library`: publishing a library, and searching others."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from core import paths
from core.addresses import readable_path
from core.commands import terminal
from core.commands.own import library_address, own_library
from core.errors import WinnowError

if TYPE_CHECKING:
    from core.federation.added import AddedLibrary
    from core.library.library import Library, LibraryOptions
    from core.requests import Answerer
    from core.responses import SourceState


@click.command()
@click.argument("target", metavar="FOLDER|URL")
@click.option(
    "--name",
    default="",
    help="What others see; by default as before, at first your first folder's name.",
)
@click.option(
    "--check", "checks", is_flag=True, help="Read what was published before, too, and mend it."
)
def publish(target: str, name: str, checks: bool) -> None:
    """Publish your library as it is now, for others to search; only what is new is copied.

    All of its folders are published, with the text of their documents. What you judged right, the
    rules of your folders and your settings are not. Others add FOLDER or URL to their library:
    winnow library add FOLDER|URL.
    """
    from core.library.library import Library

    with Library.open() as library, terminal.job() as job:
        folders = library.folders()
        report = library.publish(target, name, job, checks=checks)
    snapshot = report.snapshot
    if not report.is_new:
        terminal.say(f"Nothing has changed since {snapshot.published_at}; all is there.")
    else:
        terminal.say(
            f"Published {snapshot.name}: {snapshot.documents:,} documents, "
            f"{snapshot.passages:,} passages, {terminal.size(report.size_bytes)}; "
            f"{terminal.size(report.written_bytes)} of it were new."
        )
    for folder in folders:
        terminal.say(f"  {readable_path(folder.path)}")


@click.group(name="library")
def libraries() -> None:
    """Libraries searched beside yours: others of your own, and those that somebody published."""


@libraries.command(name="add")
@click.argument("address", metavar="FOLDER|URL")
@click.option(
    "--name",
    default="",
    help="What its results bear; by default its publisher's, its folder's, a server's address.",
)
def add(address: str, name: str) -> None:
    """Search the library that lies at FOLDER or URL, too, from now on.

    FOLDER is that of another library of yours, which WINNOW_HOME names for it: it is searched where
    it lies, as it is at each moment, and never written to. Or a library is published there; that is
    fetched at once, and where it fails it is not added. A server stands at https://HOST:PORT; its
    token is asked for, or read from standard input.
    """
    from core.addresses import is_server_address
    from core.federation import added
    from core.federation.server_tokens import TOKENS

    token = _prompt_for_token() if is_server_address(address) else ""
    with terminal.job() as job:
        home = paths.home().absolute()
        source = added.fetch_and_add(home, address, name, None, job, token)
    try:
        _print_state(source.state())
        if token and not TOKENS.is_kept(source.state().address):
            terminal.say(
                "No keyring keeps the token here; it is forgotten when this command ends: the "
                "next one will be refused. Where the system has one, pip install 'winnow[connect]' "
                "lets Winnow use it; then remove this library, and add it again.",
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
    """List the libraries that were added, as they are now."""
    from core.federation import added

    states = []
    for one in added.added_libraries(paths.home().absolute()):
        try:
            states.append(_state_of(one))
        except WinnowError as error:
            states.append(_unreachable(one, error))
    if as_json:
        terminal.print_json({"libraries": [asdict(state) for state in states]})
        return
    for state in states:
        _print_state(state)
    if not states:
        terminal.say("No libraries were added yet; add one with winnow library add FOLDER|URL.")


@libraries.command(name="remove")
@click.argument("name")
def remove(name: str) -> None:
    """Search the library NAME no longer, and remove what was fetched of it.

    Another library of your own stays where it lies, as it is.
    """
    from core.federation import added

    added.remove_library(paths.home().absolute(), name)


@libraries.command(name="off")
@click.argument("name")
def off(name: str) -> None:
    """Search the library NAME no longer, until it is switched on again."""
    from core.federation import added

    added.switch_library(paths.home().absolute(), name, is_on=False)


@libraries.command(name="on")
@click.argument("name")
def on(name: str) -> None:
    """Search the library NAME again, which was switched off."""
    from core.federation import added

    added.switch_library(paths.home().absolute(), name, is_on=True)


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
    from core.federation import added
    from core.federation.federation import Federation
    from core.federation.source import LibrarySource

    with contextlib.ExitStack() as stack:
        job = stack.enter_context(terminal.job())
        if addresses:
            first, *others = (
                added.open_now(address, library_address(address), job=job)
                for address in dict.fromkeys(addresses)
            )
            stack.callback(first.close)
            federation = Federation(first, deadline_s=_PATIENCE_S)
            own = None
        else:
            own = stack.enter_context(own_library(options))
            federation, others = Federation(LibrarySource("", own), deadline_s=_PATIENCE_S), []
            for source, is_on in added.open_all(own.home, own):
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
    from core.federation import added

    with terminal.job() as job:
        source = added.open_now(name, library_address(address), job=job)
        try:
            yield source.state()
        finally:
            source.close()


def _state_of(one: AddedLibrary) -> SourceState:
    """Return the state of an added library; one that is off is not queried."""
    from core.federation import added

    with terminal.job() as job:
        source = added.open_known(one, None)
        try:
            if not one.is_off:
                source.refresh(job)
            return replace(source.state(), is_on=not one.is_off)
        finally:
            source.close()


def _unreachable(one: AddedLibrary, error: WinnowError) -> SourceState:
    from core.responses import SourceState

    return SourceState(
        one.name,
        one.address,
        is_offline=True,
        problem=error.message,
        is_here=one.is_folder,
        is_on=not one.is_off,
    )


def _print_state(state: SourceState) -> None:
    published = f", published {state.published_at}" if state.published_at else ""
    counts = f"{state.documents:,} documents, {state.passages:,} passages{published}"
    terminal.say(f"{state.name} ({state.address}): {counts if state.is_on else 'switched off'}")
    if state.problem:
        terminal.say(f"  {state.problem}")
