"""One pass over the members of a container and of the containers inside it.

It runs in the reading process. For each kind of container there is a function
`unpack(path, level)` that passes the name and content of each member, in order, to a `Level`.
"""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Protocol

from core.documents.containers.members import Closed, Member, inner_path_of, numbered, suffix_of
from core.documents.files import is_of_the_machine, size_of
from core.documents.formats import Format, format_of, load_function
from core.documents.limits import ContainerLimits
from core.errors import DocumentError, Message
from core.files.excluded_names import is_excluded

CHUNK_BYTES = 1 << 20
# Bytes unpacked between two signs of life: well under a minute for the slowest compression.
_SILENT_BYTES = 32 << 20
_SPENT = Message("Unpacks to far more data than an archive of its size; the rest was skipped")

Unpack = Callable[[Path, "Level"], None]


class Listener(Protocol):
    """Receives the members that a pass finds."""

    def offer(self, member: Member, write: Callable[[], str]) -> bool:
        """Receive a member; return whether to open it if it is a container.

        `write` writes its content to the scratch folder and returns the name of the file.
        """

    def close(self, closed: Closed, trace: str) -> None:
        """Receive the end of an opened container; `trace` is the traceback of a bug, or ""."""

    def go_on(self) -> None:
        """Receive a sign of life when no member was found for a while."""


class StopError(Exception):
    """Raised by a listener to end the pass."""


class SpentError(DocumentError):
    """The limit of unpacked bytes or members is exceeded."""

    def __init__(self, template: str = _SPENT, /, *fields: object) -> None:
        super().__init__(template, *fields)


class TooDeepError(DocumentError):
    """Containers are nested more than `depth` levels deep."""

    def __init__(self, depth: int) -> None:
        super().__init__("Nested too deeply: at most {0} levels are opened", depth)


class NoRoomError(Exception):
    """A member cannot be written to the scratch folder; the cause is the system's error."""


@dataclass(eq=False, slots=True)
class Pass:
    """One pass over the container in a file.

    Args:
        scratch: The folder that members are written to, one at a time per depth.
        limits: The limits of unpacking.
        listener: Receives the members.
        wanted: The place of the only member to read; empty for all.
        pictures: Whether to include pictures.
    """

    scratch: Path
    limits: ContainerLimits
    listener: Listener
    wanted: tuple[str, ...] = ()
    pictures: bool = field(default=False, kw_only=True)
    _left_bytes: int = 0
    _silent_bytes: int = 0
    _members: int = 0
    _used_paths: dict[tuple[str, ...], int] = field(default_factory=dict)

    def run(self, path: Path, unpack: Unpack) -> None:
        """Offer the members of the file at `path` to the listener.

        Raises:
            DocumentError: It is damaged, encrypted or exceeds the limits; the members before that
                were offered.
            OSError: The file cannot be read.
            NoRoomError: The scratch folder cannot be written to.
            StopError: The listener ended the pass.
        """
        own = self.limits.ratio * size_of(path)
        self._left_bytes = min(self.limits.total_bytes, max(self.limits.least_bytes, own))
        unpack(path, Level(self, (), 1))

    def wants(self, inner_path: tuple[str, ...]) -> bool:
        """Return whether a place is the wanted one or a parent of it."""
        return not self.wanted or self.wanted[: len(inner_path)] == inner_path

    def free_path(self, inner_path: tuple[str, ...]) -> tuple[str, ...]:
        """Return `inner_path`, numbered if an earlier member has it."""
        free, repeat = inner_path, self._used_paths.get(inner_path, 0)
        while free in self._used_paths:
            repeat += 1
            free = (*inner_path[:-1], numbered(inner_path[-1], repeat))
        # Start from the last number: counting from 1 each time would be quadratic.
        self._used_paths[inner_path] = max(repeat, 1)
        self._used_paths.setdefault(free, 1)
        return free

    def count(self) -> None:
        self._members += 1
        if self._members > self.limits.members:
            raise SpentError(
                "Contains more than {0} documents; the rest were skipped",
                f"{self.limits.members:,}",
            )

    def spend(self, count: int) -> None:
        """Count unpacked bytes, whether used or not."""
        self._left_bytes -= count
        if self._left_bytes < 0:
            raise SpentError
        self._silent_bytes += count
        if self._silent_bytes > _SILENT_BYTES:
            self._silent_bytes = 0
            self.listener.go_on()

    def file(self, name: str) -> Path:
        """Return the path of a file in the scratch folder."""
        return self.scratch / name

    def enter(self, path: Path, inner_path: tuple[str, ...], depth: int, opener: str) -> None:
        """Unpack a container that is a member of another one."""
        reason: str = ""
        trace = ""
        try:
            load_function(opener)(path, Level(self, inner_path, depth))
        except (SpentError, StopError, NoRoomError):
            raise
        except DocumentError as error:
            reason = error.message
        except MemoryError:
            reason = Message("Not enough memory")
        except Exception as error:
            if is_of_the_machine(error):
                raise
            reason = Message("Cannot be opened ({0})", type(error).__name__)
            trace = traceback.format_exc(limit=-20)
        self.listener.close(Closed(inner_path, reason), trace)


class Level:
    """A container being unpacked; receives the names and contents of its members."""

    def __init__(self, through: Pass, inner_path: tuple[str, ...], depth: int) -> None:
        self._pass = through
        self._inner_path = inner_path
        self._depth = depth

    @property
    def name(self) -> str:
        """The name of the container, "" if it is a file on disk."""
        return self._inner_path[-1] if self._inner_path else ""

    def member(
        self, name: str, *, size_bytes: int | None = None, mtime_ns: int | None = None
    ) -> Sink:
        """Begin a member.

        Args:
            name: The name in the container, with slashes between folders.
            size_bytes: The size of the content, if known beforehand.
            mtime_ns: The modification time, if known.
        """
        within, wrong = inner_path_of(name)
        inner_path = (*self._inner_path, *within)
        kind = format_of(Path(*inner_path))
        if kind is None or (kind.is_picture and not self._pass.pictures) or is_excluded(within):
            return Sink(self._pass, None, Member(inner_path), self._depth)
        inner_path = self._pass.free_path(inner_path)
        if not self._pass.wants(inner_path):
            return Sink(self._pass, None, Member(inner_path), self._depth)
        if self._depth > self._pass.limits.depth:
            raise TooDeepError(self._pass.limits.depth)
        sink = Sink(
            self._pass, kind, Member(inner_path, size_bytes or 0, _time(mtime_ns)), self._depth
        )
        self._pass.count()
        if wrong:
            sink.refuse(wrong)
        elif not kind.reader and self._depth == self._pass.limits.depth:
            sink.refuse(TooDeepError(self._depth).message)
        elif size_bytes is not None:
            sink.check_size(size_bytes)
        return sink

    def skipped(self, name: str) -> Sink:
        """Begin a member that is left out."""
        return Sink(self._pass, None, Member((*self._inner_path, name)), self._depth)

    def take(self, name: str, chunks: Iterable[bytes]) -> None:
        """Add a member; its content is read only if it is wanted."""
        sink = self.member(name)
        if sink.is_open:
            for chunk in chunks:
                sink.write(chunk)
            sink.close()

    def refuse(self, name: str, reason: str) -> None:
        """Add a member that cannot be read."""
        self.member(name).refuse(reason)


class Sink:
    """Receives the content of one member, offers it when complete, and may then open it.

    A small member is written to the scratch folder only on demand: most members of a changed
    mailbox are known already.
    """

    def __init__(self, through: Pass, kind: Format | None, member: Member, depth: int) -> None:
        self.is_open = kind is not None
        self._pass = through
        self._kind = kind
        self._member = member
        self._depth = depth
        self._hash = hashlib.blake2b(digest_size=16)
        self._size_bytes = 0
        self._chunks: list[bytes] = []
        self._name = f"{depth}{_plain(suffix_of(member.inner_path[-1]))}"
        self._has_file = False

    def check_size(self, size_bytes: int) -> None:
        """Refuse the member if it is too large."""
        most = self._pass.limits.member_bytes
        if size_bytes > most:
            self.refuse(Message("Larger than {0} MB", f"{most / 1e6:g}"))

    def write(self, chunk: bytes) -> None:
        """Add a part of the content; it is only counted if the sink is not open."""
        self._pass.spend(len(chunk))
        self.check_size(self._size_bytes + len(chunk))
        if self.is_open:
            self._size_bytes += len(chunk)
            self._hash.update(chunk)
            self._chunks.append(chunk)
            if self._size_bytes > CHUNK_BYTES:
                self._store()

    def close(self) -> None:
        """End the member: offer it, and open it if the listener wants that."""
        if not self.is_open or self._kind is None:
            return
        self.is_open = False
        inner_path, mtime_ns = self._member.inner_path, self._member.mtime_ns
        member = Member(inner_path, self._size_bytes, mtime_ns, self._hash.hexdigest())
        enters = self._pass.listener.offer(member, self._written)
        # A mail at the limit is entered too: its text was read, and its first member raises.
        if enters and self._kind.members:
            path = self._pass.file(self._written())
            self._pass.enter(path, inner_path, self._depth + 1, self._kind.members)

    def refuse(self, reason: str) -> None:
        """End the member without its content."""
        if self.is_open:
            self.is_open = False
            self._chunks.clear()
            self._pass.listener.offer(replace(self._member, reason=reason), self._written)

    def _written(self) -> str:
        """Write the remaining content; return the name of the file in the scratch folder."""
        if self._chunks or not self._has_file:
            self._store()
        return self._name

    def _store(self) -> None:
        path = self._pass.file(self._name)
        # Not truncated first: some file systems flush files that are rewritten after truncation.
        mode = "ab" if self._has_file else "r+b" if path.exists() else "wb"
        try:
            with path.open(mode) as file:
                file.writelines(self._chunks)
                file.truncate()
        except OSError as error:
            raise NoRoomError from error
        self._has_file = True
        self._chunks.clear()


def chunks_of(file: IO[bytes]) -> Iterable[bytes]:
    """Return the rest of a file in chunks of `CHUNK_BYTES`."""
    return iter(lambda: file.read(CHUNK_BYTES), b"")


def _time(mtime_ns: int | None) -> int | None:
    return mtime_ns if mtime_ns is not None and 0 <= mtime_ns < 1 << 62 else None


def _plain(suffix: str) -> str:
    return suffix.lower() if suffix.isascii() else ""
