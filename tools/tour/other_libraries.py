"""Two libraries of other people for the tour: one published, one on a server."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.library.library import Library, LibraryOptions
from core.serving.http import server as serving
from core.serving.http.limits import ServerLimits
from core.serving.http.server import Address
from core.serving.http.tokens import TokenFile

PUBLISHED: Final = "Beekeepers' society"
SERVED: Final = "Research group"
_USER: Final = "anna"

_SOCIETY: Final = {
    "Advice/Wintering.md": (
        "# Wintering\n\nBees survive the winter by their stores and by each other's warmth. "
        "Leave them in peace from November on: opening the hive lets the cold in.\n\n"
        "## What goes wrong\n\nMost colonies that do not survive starve in March, when the brood "
        "has to be fed and nothing is in bloom yet.\n"
    ),
    "Advice/Swarms.md": (
        "# Swarms\n\nA swarm hangs in a tree for a few hours. Spray it with water, and shake it "
        "into a box.\n"
    ),
    "Minutes/Spring meeting.txt": (
        "Spring meeting\n\nOf 214 colonies of our members 187 survived the winter. Those that were "
        "fed too late fared worst.\n"
    ),
}
_GROUP: Final = {
    "Drafts/Thermoregulation.md": (
        "# Thermoregulation of the winter cluster\n\nHoney bees survive the winter as a cluster: "
        "the mantle insulates, and bees in the core make heat by shivering. We measured 33 degrees "
        "at the heart of a colony while it froze outside.\n"
    ),
    "Drafts/Varroa.md": (
        "# Varroa and winter losses\n\nColonies with more than three mites on a hundred bees in "
        "October seldom live to see the spring.\n"
    ),
    "Notes/Reading list.txt": (
        "Reading list\n\n1. How insects cross the cold season.\n2. The waggle dance, revisited.\n"
    ),
}


@dataclass(frozen=True, slots=True)
class OtherLibraries:
    """The addresses of both libraries, and the token of the served one."""

    published: str
    url: str
    token: str
    tokens: TokenFile

    def revoke(self) -> None:
        """Revoke the token."""
        self.tokens.revoke(_USER)


@contextmanager
def other_libraries(folder: Path) -> Iterator[OtherLibraries]:
    """Publish one library and serve another while the context lasts; they are created once."""
    society, group, share = folder / "society", folder / "group", folder / "share"
    if not share.exists():
        with _indexed(society, _SOCIETY) as library:
            library.publish(str(share), PUBLISHED)
        _indexed(group, _GROUP).close()
    with Library.open(group / "library", LibraryOptions(is_read_only=True)) as library:
        library.warm_up()
        tokens = TokenFile(library.home)
        token = tokens.add(_USER, [], None)
        address = Address()
        server = serving.build_server(library, library.home, address, ServerLimits())
        with serving.bound(address) as listening:
            port = listening.getsockname()[1]
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
            thread.start()
            try:
                yield OtherLibraries(str(share), address.url(port), token, tokens)
            finally:
                server.should_exit = True
                thread.join()
                if any(one.name == _USER for one in tokens.tokens()):
                    tokens.revoke(_USER)


def _indexed(folder: Path, documents: Mapping[str, str]) -> Library:
    for name, text in documents.items():
        path = folder / "Documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    library = Library.open(folder / "library")
    library.add_folder(folder / "Documents")
    library.sync()
    return library
