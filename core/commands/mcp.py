"""The command that opens the library to agents."""

from __future__ import annotations

import click

from core.errors import UsageError


@click.command()
def mcp() -> None:
    """Answer agents over the Model Context Protocol, on standard input and output.

    For programs, which start it themselves. It searches and reads what is in the library's folders
    and changes nothing; the window may be open meanwhile. It ends when its input does.
    """
    try:
        from core.mcp.server import server
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("mcp"):
            raise
        raise UsageError(
            "The part for agents is not installed; pip install 'winnow[mcp]' adds it."
        ) from error
    from core.library import Library, LibraryOptions
    from core.library_view import LibraryView

    with Library.open(options=LibraryOptions(is_read_only=True)) as library:
        view = LibraryView(library)
        server(lambda: view).run("stdio")
