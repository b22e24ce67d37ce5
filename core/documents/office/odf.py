"""OpenDocument files as such, packed or flat: their parts, and what they say of themselves."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from core.documents.damage import (
    DRAWINGS,
    SOME_TEXT,
    STYLES,
    DamageError,
    Losses,
    MissingError,
    OtherKindError,
)
from core.documents.files import read_bytes
from core.documents.office.packages import Package, open_package
from core.documents.office.xml_parts import as_far, parse_xml, stream_xml
from core.documents.properties import Properties, properties
from core.errors import DocumentError

_ODF: Final = "{urn:oasis:names:tc:opendocument:xmlns:"
OFFICE: Final = f"{_ODF}office:1.0}}"
TEXT: Final = f"{_ODF}text:1.0}}"
TABLE: Final = f"{_ODF}table:1.0}}"
DRAW: Final = f"{_ODF}drawing:1.0}}"
PRESENTATION: Final = f"{_ODF}presentation:1.0}}"
STYLE: Final = f"{_ODF}style:1.0}}"
SVG: Final = f"{_ODF}svg-compatible:1.0}}"
XLINK: Final = "{http://www.w3.org/1999/xlink}"
_LIST: Final = f"{_ODF}manifest:1.0}}"
_META: Final = f"{_ODF}meta:1.0}}"
_DC: Final = "{http://purl.org/dc/elements/1.1/}"
_CONTENT, _STYLES, _METADATA = "content.xml", "styles.xml", "meta.xml"
_KIND = "mimetype"
_MANIFEST = "META-INF/manifest.xml"
# No link at all, and links to other files.
_ELSEWHERE = re.compile(r"$|#|/|\.\./|[A-Za-z][A-Za-z0-9+.-]*:")
# Pictures in flat files; they can be longer than any text may be.
_BINARY = re.compile(rb"<office:binary-data>[^<]*</office:binary-data>")


class OpenDocument:
    """An open OpenDocument file; of a flat one, without `package`, all parts are `root`."""

    def __init__(self, package: Package | None, root: Any = None) -> None:
        self._package = package
        self._root = root
        self._parts: dict[str, Any] = {}
        self.losses = Losses()

    @property
    def is_spreadsheet(self) -> bool:
        """Whether a packed file says that it is one, so that it need not be held as a whole."""
        if self._package is None or _KIND not in self._package:
            return False
        with suppress(DocumentError):  # a damaged word on what the content says itself
            return b"spreadsheet" in self._package.read(_KIND)
        return False

    def content(self) -> Any:
        """Return the element that is the text, the presentation or the spreadsheet.

        Raises:
            DocumentError: The part is damaged, or has none.
        """
        root = self._part(_CONTENT)
        body = root.find(f"{OFFICE}body")
        if body is None or not len(body):
            self.losses.check(())
            raise MissingError
        return body[0]

    def stream(self, *tags: str) -> Iterator[Any]:
        """Give each element of a packed file's content with one of `tags`.

        Damaged content ends where the damage begins, which is noted.
        """
        assert self._package is not None
        with self.losses.of(SOME_TEXT), self._package.open(_CONTENT) as stream:
            yield from stream_xml(stream, *tags)

    def styles(self) -> list[Any]:
        """Return the elements that styles and pages' masters are under."""
        names = [_CONTENT]
        if self._package is not None and self._has(self._package, _STYLES):
            names.append(_STYLES)
        found = []
        for name in names:
            with self.losses.of(STYLES):
                found.append(self._part(name))
        return found

    def embedded(self, link: str) -> Any | None:
        """Return the content of a chart or another object within; None for one that is elsewhere.

        So it is with one that is damaged or missing, which is noted.
        """
        name = posixpath.normpath(posixpath.join(link, _CONTENT))
        # One that another program drew is a single part, of a kind that is not read.
        is_single = self._package is not None and posixpath.dirname(name) in self._package
        if self._package is None or is_single or _ELSEWHERE.match(link):
            return None
        found: list[Any] = []
        with self.losses.of(DRAWINGS):
            found.append(self._package.xml(name))
        return next(iter(found), None)

    def properties(self) -> Properties:
        """Return title, author and date; damaged ones are as good as none."""
        if self._package is not None and _METADATA not in self._package:
            return Properties()
        try:
            meta = self._part(_METADATA).find(f"{OFFICE}meta")
        except DocumentError:
            return Properties()
        if meta is None:
            return Properties()
        title, creator, last, changed, created = (
            meta.findtext(name)
            for name in (
                *(f"{_DC}title", f"{_META}initial-creator", f"{_DC}creator"),
                *(f"{_DC}date", f"{_META}creation-date"),
            )
        )
        return properties(title, [creator or last], [changed, created])

    def _has(self, package: Package, name: str) -> bool:
        """Whether a package has a part, or lists one that is missing."""
        if name in package or _MANIFEST not in package:
            return name in package
        with suppress(DocumentError):  # a damaged list lists nothing
            return name in _listed(package)
        return False

    def _part(self, name: str) -> Any:
        if self._package is None:
            return self._root
        if name not in self._parts:
            self._parts[name] = self._read(self._package, name)
        return self._parts[name]

    def _read(self, package: Package, name: str) -> Any:
        try:
            return package.xml(name)
        except DamageError as error:
            if name != _CONTENT:
                raise
            root = as_far(package.read_as_far(name), error)
            self.losses.note(SOME_TEXT, error)
            return root


@contextmanager
def open_odf(path: Path) -> Iterator[OpenDocument]:
    """Give the OpenDocument file at `path`, told by its contents to be packed or flat.

    Raises:
        DocumentError: It cannot be read, is damaged, needs a password, or is something else.
    """
    if path.suffix.lower().startswith(".f"):
        root = parse_xml(_BINARY.sub(b"", read_bytes(path)), "it")
        if root.tag != f"{OFFICE}document":
            raise OtherKindError("is no OpenDocument file inside, whatever its name says")
        yield OpenDocument(None, root)
        return
    with open_package(path) as package:
        if _is_encrypted(package):
            raise DocumentError("needs a password")
        if _CONTENT not in package:
            if _says_so(package):
                raise MissingError
            raise OtherKindError("is no OpenDocument file inside, whatever its name says")
        yield OpenDocument(package)


def _says_so(package: Package) -> bool:
    """Whether a package without content says that it is an OpenDocument file."""
    with suppress(DocumentError):
        return package.read(_KIND).startswith(b"application/vnd.oasis.opendocument.")
    return False


def _is_encrypted(package: Package) -> bool:
    """Say whether the content is encrypted, alone or with all else as one part."""
    if _MANIFEST not in package or b"encryption-data" not in package.read(_MANIFEST):
        return False
    entries = _listed(package)
    encrypted = {
        name for name, entry in entries.items() if entry.find(f"{_LIST}encryption-data") is not None
    }
    return _CONTENT in encrypted or _CONTENT not in package


def _listed(package: Package) -> dict[str, Any]:
    """Return what a package says of its parts, by their names.

    Raises:
        DocumentError: It says nothing, or that is damaged.
    """
    entries = package.xml(_MANIFEST).iter(f"{_LIST}file-entry")
    return {entry.get(f"{_LIST}full-path") or "": entry for entry in entries}
