"""Safe reading of ZIP packages, the form of most office documents and e-books, and of their XML.

Files are untrusted: unpacked sizes and XML trees are limited, entities and network access are
disabled.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol

from core.documents.damage import DamageError, MissingError, OtherKindError, as_damage
from core.documents.files import open_file, unreadable
from core.documents.office.ole import OLE_MAGIC, reason_not_a_package
from core.errors import DocumentError, Message

# Limits against ZIP bombs, far above real documents. Only members that are read count: a
# presentation may contain films of any size.
MOST_MEMBERS = 20_000
LARGEST_MEMBER_BYTES = 120_000_000
LARGEST_STREAM_BYTES = 1_000_000_000
LARGEST_UNPACKED_BYTES = 2_000_000_000
# White space is compressed by 1,000, the XML of large, repetitive spreadsheets by about 100.
_HIGHEST_RATIO = 400
_SMALL_BYTES = 10_000_000
# A member may be referred to several times; a bomb may have ten thousand sheets that are the same
# member. The first two reads of each member are not counted.
_MOST_REPEATED = 500
_MOST_REPEATED_BYTES = 3_000_000

# The lengths of the name and the extra field in the local header of a member.
_LOCAL_HEADER = struct.Struct("<26xHH")
_STEP_BYTES = 256
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LAST_METHOD = 99
_NOT_UNPACKED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError)
_BOMB = "Unpacks to far more data than a document"


class Package:
    """The members of an open ZIP file by name, ignoring case and the kind of slashes."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._members = {_key(info.filename): info for info in archive.infolist()}
        self._unpacked_bytes = 0
        self._repeated = 0
        self._repeated_bytes = 0
        self._times_read: Counter[str] = Counter()

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._members

    def names(self) -> list[str]:
        """Return the names of the members as stored."""
        return [info.filename for info in self._members.values()]

    def is_locked(self, name: str) -> bool:
        """Return whether a member has a non-standard compression, as Apple uses for encryption."""
        info = self._members.get(_key(name))
        return info is not None and info.compress_type > _LAST_METHOD

    def read(self, name: str) -> bytes:
        """Return the content of a member.

        Raises:
            DocumentError: It is missing, damaged, or exceeds the limits.
        """
        info = self._checked(name, LARGEST_MEMBER_BYTES)
        with _unpacking():
            return self._archive.read(info)

    def read_undamaged(self, name: str) -> bytes:
        """Return the content of a damaged member up to the damage."""
        info = self._members.get(_key(name))
        if (
            info is None
            or info.header_offset < 0
            or info.compress_type not in _METHODS
            or info.header_offset + info.compress_size > self._archive.start_dir
            or info.file_size > LARGEST_MEMBER_BYTES
        ):
            return b""
        file = self._archive.fp
        assert file is not None
        file.seek(info.header_offset)
        header = file.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size:
            return b""
        name_size, extra_size = _LOCAL_HEADER.unpack(header)
        file.seek(name_size + extra_size, os.SEEK_CUR)
        left = info.compress_size
        if info.compress_type == zipfile.ZIP_STORED:
            return file.read(min(left, info.file_size))
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        pieces: list[bytes] = []
        room = info.file_size
        # In small steps, because a step that fails returns nothing.
        with suppress(zlib.error):
            while left > 0 and room > 0 and (packed := file.read(min(_STEP_BYTES, left))):
                left -= len(packed)
                piece = unpacker.decompress(packed, room)
                room -= len(piece)
                pieces.append(piece)
        return b"".join(pieces)

    @contextmanager
    def open(self, name: str) -> Iterator[_MemberStream]:
        """Open a member as a stream, for members too large for memory.

        Raises:
            DocumentError: As for `read`, also while reading the stream.
        """
        info = self._checked(name, LARGEST_STREAM_BYTES)
        with _unpacking():
            stream = self._archive.open(info)
        with stream:
            yield _MemberStream(stream)

    def xml(self, name: str) -> Any:
        """Return the root element of a member.

        Raises:
            DocumentError: As for `read`, or it is not well-formed.
        """
        return parse_xml(self.read(name))

    def _checked(self, name: str, most_bytes: int) -> zipfile.ZipInfo:
        """Return the entry of a member after checking the limits; `zipfile` enforces its sizes."""
        info = self._members.get(_key(name))
        if info is None:
            raise MissingError
        # `zipfile` allocates as much memory as the declared compressed size.
        ends = info.header_offset + info.compress_size
        if info.compress_type not in _METHODS or ends > self._archive.start_dir:
            raise DamageError("Damaged: a part cannot be unpacked")
        self._unpacked_bytes += info.file_size
        # Readers may read a part twice.
        if self._times_read[info.filename] > 1:
            self._repeated += 1
            self._repeated_bytes += info.file_size
        self._times_read[info.filename] += 1
        is_blown_up = info.file_size > max(_SMALL_BYTES, _HIGHEST_RATIO * info.compress_size)
        if (
            is_blown_up
            or info.file_size > most_bytes
            or self._unpacked_bytes > LARGEST_UNPACKED_BYTES
            or self._repeated > _MOST_REPEATED
            or self._repeated_bytes > _MOST_REPEATED_BYTES
        ):
            raise DocumentError(_BOMB)
        return info


class _MemberStream:
    """The stream of a member."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, or fewer at the end.

        Raises:
            DocumentError: The member is damaged.
        """
        with _unpacking():
            return self._stream.read(size)


@contextmanager
def open_package(path: Path) -> Iterator[Package]:
    """Open the ZIP file at `path`.

    Raises:
        DocumentError: It is not a ZIP file, damaged, encrypted, or has too many members.
    """
    try:
        file = open_file(path)
    except OSError as error:
        raise unreadable(error) from error
    with file:
        start = file.read(len(OLE_MAGIC))
        if not start:
            raise DocumentError("Empty file")
        if start == OLE_MAGIC:
            raise OtherKindError(reason_not_a_package(path))
        if not start.startswith(b"PK"):
            raise OtherKindError("Damaged: not a {0} file", path.suffix.lower())
        with package_in(file) as package:
            yield package


@contextmanager
def package_in(file: IO[bytes]) -> Iterator[Package]:
    """Open the ZIP file in an open file.

    Raises:
        DocumentError: It is damaged, encrypted, or has too many members.
    """
    with as_damage("the file is truncated or modified", *_NOT_UNPACKED, NotImplementedError):
        archive = zipfile.ZipFile(file)
    with archive:
        members = archive.infolist()
        if any(member.flag_bits & 1 for member in members):
            raise DocumentError("Password required")
        if len(members) > MOST_MEMBERS:
            raise DocumentError(_BOMB)
        yield Package(archive)


def _unpacking() -> AbstractContextManager[None]:
    # RuntimeError and NotImplementedError: the local header of a member declares an encryption or
    # compression that the central directory does not.
    return as_damage("a part cannot be unpacked", *_NOT_UNPACKED, RuntimeError, NotImplementedError)


def _key(name: str) -> str:
    r"""Return the canonical form of a member's name.

    >>> _key("Word\\Document.xml")
    'word/document.xml'
    """
    return name.replace("\\", "/").lstrip("/").lower()


# Without huge_tree, libxml2 rejects elements nested deeper than 256 (so readers may recurse), texts
# of more than 10 MB, and entities that expand to much more than their file.
_SAFE = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "dtd_validation": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}


class _SupportsRead(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


def parse_xml(data: bytes, what: str = "a part", *, recovers: bool = False) -> Any:
    """Return the root `lxml` element of a document; comments and instructions are removed.

    With `recovers`, recover as much as possible from a document that is not well-formed.

    Raises:
        DocumentError: It is not well-formed, or defines entities, which only attacks do. The
            message calls the document `what`.

    >>> parse_xml(b"<a><!-- crow --><b/></a>")[0].tag
    'b'
    """
    from lxml import etree

    parser = etree.XMLParser(collect_ids=False, recover=recovers, **_SAFE)
    with _as_damage(what):
        root = etree.fromstring(data, parser)
    if root is None:
        raise DamageError("Damaged: {0} is not well-formed", what)
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(dtd.iterentities(), None) is not None:
        raise DamageError("Damaged: {0} defines entities", what)
    return root


def recover_xml(data: bytes, error: DamageError) -> Any:
    """Return the root of a damaged part with what can be recovered.

    Raises:
        DocumentError: Nothing can be recovered; this is `error`.
    """
    try:
        return parse_xml(data, recovers=True)
    except DamageError:
        raise error from None


@contextmanager
def _as_damage(what: str) -> Iterator[None]:
    from lxml import etree

    with as_damage(Message("{0} is not well-formed", what), etree.XMLSyntaxError):
        try:
            yield
        except etree.XMLSyntaxError as error:
            # libxml2 reports a lack of memory as a syntax error.
            if error.code == etree.ErrorTypes.ERR_NO_MEMORY:
                raise MemoryError from error
            raise


def stream_xml(file: _SupportsRead, *tags: str) -> Iterator[Any]:
    """Yield each element with one of `tags` at its end, and clear it afterwards.

    This reads documents of any size in little memory. An element nested in another one of `tags`
    is empty by the time the outer one is yielded.

    Raises:
        DocumentError: The document is not well-formed.
    """
    from lxml import etree

    with _as_damage("a part"):
        for _, element in etree.iterparse(file, events=("end",), tag=tags, **_SAFE):
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
