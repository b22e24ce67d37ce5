"""The command that opens the library to agents."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from core.errors import Cancelled, UsageError
from core.progress import Job

if TYPE_CHECKING:
    from core.federation.added import AddedLibrary
    from core.library import Library
    from core.library_view import LibraryView

_PATIENCE_S: Final = 20.0
"""Their first answer waits for their index to be opened."""
_REFRESHED_EACH_S: Final = 600.0


@click.command()
@click.option(
    "--own", "only_own", is_flag=True, help="Your library alone, without those that you added."
)
def mcp(only_own: bool) -> None:
    """Answer agents over the Model Context Protocol, on standard input and output.

    For programs, which start it themselves. It searches and reads what is in the library's folders
    and in the libraries that you added, and changes nothing; the window may be open meanwhile. It
    ends when its input does.
    """
    try:
        from core.mcp.server import server
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("mcp"):
            raise
        raise UsageError(
            "The part for agents is not installed; pip install 'winnow[mcp]' adds it."
        ) from error
    from core.federation.added import added_libraries
    from core.library import Library, LibraryOptions
    from core.library_view import LibraryView

    with contextlib.ExitStack() as stack:
        library = stack.enter_context(Library.open(options=LibraryOptions(is_read_only=True)))
        view = LibraryView(library)
        if not only_own and (others := added_libraries(library.home)):
            view = stack.enter_context(_beside(library, others))
        server(lambda: view).run("stdio")


@contextlib.contextmanager
def _beside(library: Library, others: Sequence[AddedLibrary]) -> Iterator[LibraryView]:
    """Open the libraries that were added, and keep them up to date until the end."""
    from core.federation.added import open_known
    from core.federation.federation import Federation
    from core.federation.source import LibrarySource
    from core.mcp.federated_view import FederatedView

    federation = Federation(LibrarySource("", library), deadline_s=_PATIENCE_S)
    is_over, job = threading.Event(), Job()

    def keep_fresh() -> None:
        with contextlib.suppress(Cancelled):
            while not is_over.is_set():
                federation.refresh(job)
                is_over.wait(_REFRESHED_EACH_S)

    fresh = threading.Thread(target=keep_fresh, name="news", daemon=True)
    try:
        for one in others:
            federation.add(open_known(one, library))
        fresh.start()
        yield FederatedView(library, federation)
    finally:
        is_over.set()
        job.cancel()
        if fresh.ident is not None:
            fresh.join()
        federation.close()
