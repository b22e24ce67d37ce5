"""Damage of the kind that files meet: cut, overwritten, doubled, swapped."""

from __future__ import annotations

import io
import os
import random
import re
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from core.documents.document import Document
from core.documents.sandbox import protocol
from core.errors import DocumentError

_MOST_SECONDS = 5
COUNT = int(os.environ.get("WINNOW_TEST_MUTATIONS", "60"))


def mutations(data: bytes, count: int = COUNT, seed: int = 1) -> Iterator[bytes]:
    """Give `count` damaged copies of `data`, the same ones for the same `seed`.

    A test may spend some seconds of processor time on each, and fails on more.
    """
    chance = random.Random(seed)
    for number in range(count):
        damaged = bytearray(data)
        for _ in range(chance.choice((1, 1, 2, 5, 20))):
            _damage(damaged, chance)
        began_s = time.process_time()
        yield bytes(damaged)
        spent_s = time.process_time() - began_s
        assert spent_s < _MOST_SECONDS, f"copy {number} took {spent_s:.1f} s"


def _damage(data: bytearray, chance: random.Random) -> None:
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.choice((1, 4, 16, 256)))
    match chance.randrange(6):
        case 0:
            del data[start:]
        case 1:
            del data[start:end]
        case 2:
            data[start:end] = chance.randbytes(end - start)
        case 3:
            data[start:start] = data[start:end] * chance.choice((1, 2, 50))
        case 4:
            elsewhere = chance.randrange(len(data) + 1)
            data[elsewhere:elsewhere] = data[start:end]
        case _:
            if start < len(data):
                data[start] ^= 1 << chance.randrange(8)


def package_mutations(data: bytes, count: int = COUNT, seed: int = 1) -> Iterator[bytes]:
    """Give damaged copies of a ZIP package: some damaged as files, most in one of their members.

    Damage to a file is mostly detected when it is unpacked; so that readers see damage,
    too, most are repacked with correct checksums.
    """
    chance = random.Random(seed)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        members = {info.filename: package.read(info) for info in package.infolist()}
    for number, damaged in enumerate(mutations(data, count, seed)):
        if number % 4 == 0:
            yield damaged
            continue
        changed = dict(members)
        name = chance.choice(list(members))
        if chance.random() < 0.05:
            del changed[name]
        else:
            changed[name] = _changed(members[name], chance)
        yield packed(changed)


def packed(members: Mapping[str, str | bytes]) -> bytes:
    """Return a ZIP package of `members`."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, contents in members.items():
            package.writestr(name, contents)
    return file.getvalue()


def read_all(
    read: Callable[[Path], Document], path: Path, variants: Iterable[bytes]
) -> tuple[int, set[str]]:
    """Read each variant from `path`; return how many were read, and the reasons of the others.

    Every result fulfils the promises of a document. Any error but a reason fails the test.
    """
    count = 0
    reasons = set()
    for variant in variants:
        path.write_bytes(variant)
        try:
            document = read(path)
        except DocumentError as error:
            reasons.add(str(error))
            continue
        count += 1
        assert protocol.document_from(
            protocol.unpack(protocol.pack(protocol.document_fields(document)))
        )
        for page in document.pages:
            assert page.text == page.text.strip()
            assert "\n\n\n" not in page.text
    return count, reasons


_VALUE = re.compile(rb'="[^"]*"|>[^<>]+<')
_ELEMENT = re.compile(rb"<[\w:]+[^<>]*/>|</?[\w:]+[^<>]*>")
_VALUES = (b"", b"-1", b"0", b"x", b"99999999999999", b"1e999", b"\xc2\xb2", b"../../..", b"NaN")


def _changed(data: bytes, chance: random.Random) -> bytes:
    """Return `data` with another value, another order of elements, or just damaged."""
    kind = chance.randrange(3)
    values = list(_VALUE.finditer(data)) if kind == 0 else []
    elements = list(_ELEMENT.finditer(data)) if kind == 1 else []
    if values:
        found = chance.choice(values)
        value = chance.choice(_VALUES)
        new = b'="%b"' % value if found.group().startswith(b"=") else b">%b<" % value
        return data[: found.start()] + new + data[found.end() :]
    if elements:
        found, other = chance.choice(elements), chance.choice(elements)
        new = chance.choice((b"", found.group() * 2, other.group()))
        return data[: found.start()] + new + data[found.end() :]
    damaged = bytearray(data)
    _damage(damaged, chance)
    return bytes(damaged)
