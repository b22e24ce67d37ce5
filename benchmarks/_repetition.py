"""Documents that repeat one piece: of a format's own marks, or of a seed file.

A reader that looks back, or to the end, at each piece takes time quadratic in the number of pieces.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from _one_file import packed, parts_of

_FORMATS = tomllib.loads(Path(__file__).with_name("format_marks.toml").read_text("utf-8"))
_ELEMENT = re.compile(rb"<([\w:.-]+)[^<>]*(?<!/)>")
_NUMBERED = re.compile(rb"0|(?<=[\"'])[^\"'<>]+(?=[\"'])|\d+")
_LONGEST_SPAN = 600


@dataclass(frozen=True)
class Repetition:
    """A document in which a piece is repeated.

    Attributes:
        before: what precedes the pieces.
        piece: the piece.
        closing: repeated as often behind all pieces, for example the end tags of elements that
            contain each other.
        after: what follows.
        is_numbered: each piece has a number.
        member: the member of the package that consists of these, or "" without a package.
        package: the members of the package.
    """

    before: bytes
    piece: bytes
    closing: bytes = b""
    after: bytes = b""
    is_numbered: bool = False
    member: str = ""
    package: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    def sized(self, size_bytes: int) -> bytes:
        """Return the document with pieces of `size_bytes` in all, at least one."""
        count = max(1, size_bytes // max(1, len(self.piece) + len(self.closing)))
        if self.is_numbered:
            pieces = b"".join(_numbered(self.piece, number) for number in range(count))
        else:
            pieces = self.piece * count
        data = b"".join((self.before, pieces, self.closing * count, self.after))
        if not self.member:
            return data
        if self.member not in self.package:  # the member as a whole is the piece
            copies = {f"{number}{self.member}": self.piece for number in range(count)}
            return packed({**self.package, **copies})
        return packed({**self.package, self.member: data})

    def __str__(self) -> str:
        parts = [f"in {self.member}"] * bool(self.member)
        parts += [f"{self.before[-60:]!r} +", f"{self.piece[:200]!r} x n"]
        parts += [f"+ {self.closing[:80]!r} x n"] * bool(self.closing)
        parts += ["numbered"] * self.is_numbered
        return " ".join(parts)


def _numbered(piece: bytes, value: int) -> bytes:
    """Return a piece with a number in its first value.

    >>> _numbered(b"<a id='x'>", 7), _numbered(b"f0", 7), _numbered(b"a", 7)
    (b"<a id='x7'>", b'f07', b'a')
    """
    return _NUMBERED.sub(lambda match: match[0] + b"%d" % value, piece, count=1)


def repetition(kind: str, seeds: list[bytes], chance: random.Random) -> Repetition | None:
    """Return a random repetition for a kind of file; None if it has neither marks nor seeds."""
    marks = _FORMATS["marks"].get(_FORMATS["same"].get(kind, kind), "").split()
    if marks and (not seeds or chance.random() < 0.7):
        return _of_marks(kind, marks, chance)
    return _of_seed(chance.choice(seeds), chance) if seeds else None


def _of_marks(kind: str, marks: list[str], chance: random.Random) -> Repetition:
    def some(counts: list[int]) -> bytes:
        named = (chance.choice(marks) for _ in range(chance.choice(counts)))
        return "".join(mark.replace("␣", " ").replace("⏎", "\n") for mark in named).encode()

    before = _FORMATS["before"].get(kind, "").encode()
    return Repetition(
        before + some([0, 0, 1, 2]),
        some([1, 1, 2, 2, 3, 4, 6]),
        some([0, 0, 0, 1, 2]),
        some([0, 0, 1]),
        is_numbered=chance.random() < 0.5,
    )


def _of_seed(data: bytes, chance: random.Random) -> Repetition:
    package = parts_of(data)
    if not package:
        return _of_bytes(data, chance)
    member = chance.choice(list(package))
    if chance.random() < 0.1:
        return Repetition(b"", package[member], member=f"more/{member}", package=package)
    inner = _of_bytes(package[member], chance)
    return Repetition(
        inner.before, inner.piece, inner.closing, inner.after, inner.is_numbered, member, package
    )


def _of_bytes(data: bytes, chance: random.Random) -> Repetition:
    """Return a repetition of an element, a start tag, a line or a span of a file."""
    tags = list(_ELEMENT.finditer(data))
    is_numbered = chance.random() < 0.4
    if tags and chance.random() < 0.9:
        tag = chance.choice(tags)
        start, end, ending = tag.start(), tag.end(), b"</%b>" % tag[1]
        is_nested = chance.random() < 0.3
        if is_nested:
            return Repetition(data[:start], tag[0], ending, data[start:], is_numbered)
        closed = data.find(ending, end)
        if closed >= 0 and closed - start < _LONGEST_SPAN * 4:
            end = closed + len(ending)
        return Repetition(data[:start], data[start:end], b"", data[end:], is_numbered)
    length = min(len(data), chance.choice((1, 2, 4, 8, 12, 16, 27, 64, 128, 512, _LONGEST_SPAN)))
    start = chance.randrange(max(1, len(data) - length + 1))
    if chance.random() < 0.5:
        start -= start % 4
    end = start + length
    if b"\n" in data and data.isascii() and chance.random() < 0.7:  # whole lines
        start = data.rfind(b"\n", 0, start) + 1
        end = data.find(b"\n", end) + 1 or len(data)
    return Repetition(data[:start], data[start:end], b"", data[end:], is_numbered)
