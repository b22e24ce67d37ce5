"""The libraries that a person added to their own: a small file in their library's folder.

The modules that open them are imported only if there are any.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.addresses import is_server_address
from core.errors import LibraryError, UsageError
from core.files import own_files
from core.printable import label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.federation.published import PublishedSource
    from core.federation.source import Source
    from core.library.library import Library
    from core.progress import Job

_log = logging.getLogger(__name__)
NAME: Final = "libraries.json"
_changing = threading.Lock()


@dataclass(frozen=True, slots=True)
class AddedLibrary:
    """An added library: the person's name for it, and its address.

    A library with `is_folder` is another one of the same person, searched in place; one with
    `is_off` is not searched until it is switched on.
    """

    name: str
    address: str
    is_folder: bool = False
    is_off: bool = False


def added_libraries(home: Path) -> tuple[AddedLibrary, ...]:
    """Return the libraries added to the one in `home`, in order.

    A damaged file is renamed to end in `.bad`, and no libraries are returned.

    Raises:
        LibraryError: the file cannot be read.
    """
    path = home / NAME
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))["libraries"]
        return tuple(
            AddedLibrary(
                str(entry["name"]),
                str(entry["address"]),
                is_folder=entry.get("is_folder") is True,
                is_off=entry.get("is_off") is True,
            )
            for entry in listed
        )
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise LibraryError(
            "The list of added libraries in {0} cannot be read ({1}). Check its permissions.",
            path,
            error.strerror,
        ) from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        path.replace(path.with_name(f"{NAME}.bad"))
        return ()


def add_library(home: Path, address: str, name: str = "") -> AddedLibrary:
    """Add a library to those that are searched with the one in `home`, without opening it.

    Args:
        home: the folder of the person's own library.
        address: a folder, of another library or of a published one; an address that fsspec
            supports; or a server's (https:// and a host, without a path).
        name: shown with its results; by default the last part of the address.

    Raises:
        UsageError: the name or address is already in use, or the address contains a password.
        LibraryError: the list cannot be read or written.
    """
    with _changing:
        before = added_libraries(home)
        added = _named(home, before, address, name)
        _write(home, (*before, added))
    return added


def _named(home: Path, before: tuple[AddedLibrary, ...], address: str, name: str) -> AddedLibrary:
    """Return a library with a name that differs from those of the others."""
    from core.catalog.text.normalisation import fold
    from core.search.query.operators import OWN_LIBRARY

    is_folder = False
    if is_server_address(address):
        from core.federation.server_connection import ServerConnection

        stored_address = ServerConnection(address).url
    else:
        from core.publishing.store import open_store

        stored_address = open_store(address).address
        if (folder := _folder_of(stored_address)) is not None:
            is_folder, stored_address = True, str(folder)
            if folder == Path(os.path.realpath(home)):
                raise UsageError("{0} is the library you are already searching.", folder)
    name = label(
        name.strip()
        or stored_address.rstrip("/\\").replace("\\", "/").rpartition("/")[2]
        or stored_address
    )
    # Compared as in `library:` filters; see `core.search.query.addressing`.
    if fold(name) == OWN_LIBRARY:
        raise UsageError(
            "The name {0} is reserved for your own library. Choose another name.", name
        )
    for library in before:
        if library.address == stored_address:
            raise UsageError(
                "The library {0} was already added as {1}.", stored_address, library.name
            )
        if fold(library.name) == fold(name):
            raise UsageError("A library named {0} already exists. Choose another name.", name)
    return AddedLibrary(name, stored_address, is_folder)


def _folder_of(address: str) -> Path | None:
    """Return the folder of another library of this machine; None for other addresses."""
    from core.federation.folder_source import is_library

    folder = Path(os.path.realpath(address))
    return folder if "://" not in address and is_library(folder) else None


def fetch_and_add(
    home: Path, address: str, name: str, own: Library | None, job: Job, token: str = ""
) -> Source:
    """Fetch a library, or its server's status, and add it if that succeeds.

    A server that was added before is connected to by the new token, and keeps its name.

    Args:
        home: the folder of the person's own library.
        address: as for `add_library`.
        name: shown with its results; by default its publisher's name for it, or the last part of
            the address if that name is in use.
        own: the person's own library.
        job: cancels it.
        token: for a server; it is stored in the system's keyring, or for the session.

    Raises:
        Cancelled: the job was cancelled.
        UsageError: the name or address is already in use, or the address contains a password.
        LibraryError: it cannot be reached, is damaged, or was written by a newer Winnow.
    """
    from core.federation.published import PublishedSource
    from core.federation.server_tokens import TOKENS

    before = added_libraries(home)
    known = _known_server(before, address, name) if token else None
    added = known or _named(home, before, address, name)
    if not added.is_folder and _holds_none(added.address):
        raise UsageError(
            "There is no library in {0}. Choose the WINNOW_HOME folder of another library, or a "
            "folder that a library was published to.",
            added.address,
        )
    source = open_added(added, own, token)
    try:
        source.refresh(job)
        if not name.strip() and isinstance(source, PublishedSource):
            name = _published_name(home, source)
            source.rename(name)
        if known is None:
            add_library(home, address, name)
    except BaseException:
        source.close()
        raise
    if token:
        TOKENS.put(added.address, token)
    return source


def _known_server(before: tuple[AddedLibrary, ...], address: str, name: str) -> AddedLibrary | None:
    """Return the server that was added with this address, unless it got another name."""
    from core.catalog.text.normalisation import fold
    from core.federation.server_connection import ServerConnection

    if not is_server_address(address):
        return None
    url = ServerConnection(address).url
    named = fold(name.strip())
    return next(
        (
            library
            for library in before
            if library.address == url and named in {"", fold(library.name)}
        ),
        None,
    )


def _published_name(home: Path, source: PublishedSource) -> str:
    """Return the publisher's name of a library; the source's name if that is taken or empty."""
    published = source.published_name.strip()
    is_name_used = any(library.name == published for library in added_libraries(home))
    return source.name if is_name_used or not published else published


def open_known(added: AddedLibrary, own: Library | None) -> Source:
    """Return an added library with the data fetched before, without connecting."""
    from core.federation.published import PublishedSource

    source = open_added(added, own)
    if isinstance(source, PublishedSource):
        try:
            source.open_known()
        except LibraryError as error:
            # `refresh` fetches it again, or raises the reason.
            _log.warning("%s: %s", added.name, error)
    return source


def _holds_none(address: str) -> bool:
    """Return whether an address is a local folder without a published library."""
    from core.publishing.snapshot import CURRENT

    is_folder = "://" not in address and os.path.isdir(address)  # noqa: PTH112 - a share may fail
    return is_folder and not os.path.exists(Path(address, CURRENT))  # noqa: PTH110


def open_all(home: Path, own: Library) -> Iterator[tuple[Source, bool]]:
    """Yield the libraries added to the one in `home`, and whether each is on.

    Does not connect to them.
    """
    for library in added_libraries(home):
        yield open_known(library, own), not library.is_off


def switch_library(home: Path, name: str, *, is_on: bool) -> None:
    """Store whether an added library is searched.

    Raises:
        UsageError: no library has that name.
        LibraryError: the list cannot be read or written.
    """
    with _changing:
        before = added_libraries(home)
        _check_there(before, name)
        switched = (
            replace(library, is_off=not is_on) if library.name == name else library
            for library in before
        )
        _write(home, tuple(switched))


def _check_there(known: tuple[AddedLibrary, ...], name: str) -> None:
    if not any(library.name == name for library in known):
        raise UsageError(
            "No added library is named {0}. Run winnow library list to see them.", name
        )


def remove_library(home: Path, name: str) -> AddedLibrary:
    """Remove an added library and its fetched files; a library of this machine is not deleted.

    Raises:
        UsageError: no library has that name.
        LibraryError: the list cannot be read or written.
    """
    with _changing:
        before = added_libraries(home)
        _check_there(before, name)
        removed = [library for library in before if library.name == name]
        _write(home, tuple(library for library in before if library.name != name))
    if is_server_address(removed[0].address):
        from core.federation.server_tokens import TOKENS

        TOKENS.remove(removed[0].address)
    elif not removed[0].is_folder:
        from core.publishing.cache import default_cache

        default_cache().forget(removed[0].address)
    return removed[0]


def open_added(added: AddedLibrary, own: Library | None, token: str = "") -> Source:
    """Return an added library as a source, without fetching it yet.

    Args:
        added: the library.
        own: the person's own library.
        token: for a server, instead of the stored one.

    Raises:
        UsageError: the token is invalid.
        LibraryError: the kind of its address is not supported.
    """
    if is_server_address(added.address):
        from core.federation.server_connection import ServerConnection
        from core.federation.server_source import ServerSource
        from core.federation.server_tokens import TOKENS

        connection = ServerConnection(added.address, token or TOKENS.get(added.address))
        return ServerSource(added.name, connection)
    if added.is_folder:
        from core.federation.folder_source import FolderSource

        return FolderSource(added.name, Path(added.address), own)
    from core.federation.published import PublishedSource

    return PublishedSource(added.name, added.address, own=own)


def open_now(name: str, address: str, own: Library | None = None, job: Job | None = None) -> Source:
    """Return an opened library: of this machine, published, or on a server.

    Raises:
        Cancelled: the job was cancelled.
        UsageError: the kind of the address is not supported.
        LibraryError: it cannot be reached, and was not fetched before.
    """
    if not is_server_address(address):
        from core.federation.folder_source import open_folder
        from core.federation.published import open_published
        from core.publishing.store import open_store

        if (folder := _folder_of(open_store(address).address)) is not None:
            return open_folder(name, folder, own, job)
        return open_published(name, address, own, job)
    source = open_added(AddedLibrary(name, address), own)
    try:
        source.refresh(job)
    except BaseException:
        source.close()
        raise
    return source


def _write(home: Path, libraries: tuple[AddedLibrary, ...]) -> None:
    # Defaults are left out.
    listed = [
        {key: value for key, value in asdict(library).items() if value} for library in libraries
    ]
    data = json.dumps({"libraries": listed}, ensure_ascii=False)
    with LibraryError.on_os_error(
        "The list of added libraries in {0} cannot be written ({1}). Check its permissions.",
        home / NAME,
    ):
        own_files.make_folder(home)
        own_files.write(home / NAME, data.encode())
