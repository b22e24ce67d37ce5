"""Hostile data of other kinds than documents, each kind tried in child processes.

A kind is a module of this package with

    KIND: str                                   its name, which is that of the module
    def seeds(folder: Path) -> list[bytes]      well-formed inputs; called once, before any attempt
    def attempt(data: bytes, folder: Path) -> None

`attempt` handles one input as the program would. Returning and raising a `WinnowError` are both
fine; it may use `folder`, which is the same for all attempts and holds what `seeds` left there.
A data set of several files is passed as a ZIP of them; its members are then mutated one by one.

Attempts run in batches in forked children, so what `seeds` has imported and loaded is shared. A
finding is a crash, a hang, too much memory, or any other exception.
"""

from __future__ import annotations

import faulthandler
import importlib
import json
import os
import pkgutil
import random
import re
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol, cast

from _one_file import limit_memory, packed, parts_of, signature

_ROOT: Final = Path(__file__).resolve().parents[2]
_BATCH: Final = 50  # attempts per forked child
_MOST_CPU_S: Final = 10.0  # processor seconds per attempt before it counts as a hang
_MOST_WAIT_S: Final = 120.0  # the same by the clock, for attempts that only wait
_MOST_SEEDS: Final = 400
_HEADER_BYTES: Final = 8  # a safetensors file begins with the length of its header


class Kind(Protocol):
    """A module of this package."""

    KIND: str

    def seeds(self, folder: Path) -> list[bytes]:
        """Return well-formed inputs."""

    def attempt(self, data: bytes, folder: Path) -> None:
        """Handle one input."""


def kinds() -> tuple[str, ...]:
    """Return the names of this package's kinds; none of them is imported."""
    return tuple(found.name for found in pkgutil.iter_modules(__path__))


def load(name: str) -> Kind:
    """Import a kind. Some make their inputs as the tests do, whose package is not installed."""
    if str(_ROOT) not in sys.path:
        sys.path.append(str(_ROOT))
    return cast("Kind", importlib.import_module(f"{__name__}.{name}"))


@dataclass
class Outcomes:
    """What a run of attempts came to.

    Attributes:
        attempts: how many there were.
        answers: how many of them ended in each way that is fine.
        findings: one input for each thing that is wrong.
    """

    attempts: int = 0
    answers: dict[str, int] = field(default_factory=dict)
    findings: dict[str, bytes] = field(default_factory=dict)


def tried(
    kind: Kind,
    work: Path,
    seconds: float,
    shrunk: Callable[[bytes, Callable[[bytes], bool]], bytes],
    seed: int | None = None,
) -> list[str]:
    """Fuzz a kind for so long; print and return one line per finding.

    Args:
        kind: what to try.
        work: folder for scratch files and findings.
        seconds: how long.
        shrunk: makes a finding small.
        seed: of the mutations; None for another one each time.
    """
    scratch, kept = work / "now", work / "findings"
    for folder in (scratch, kept):
        folder.mkdir(parents=True, exist_ok=True)
    corpus = kind.seeds(scratch)
    ends_s = time.monotonic() + seconds
    # So that an hour of attempts is not the same hour every time.
    outcomes = explored(
        kind, corpus, scratch, time.time_ns() if seed is None else seed, ends_s=ends_s
    )
    lines = []
    for number, (found, data) in enumerate(outcomes.findings.items()):
        small = shrunk(data, lambda one: outcome_of(kind, one, scratch) == found)  # noqa: B023
        path = kept / f"{time.time_ns()}-{number}.bin"
        path.write_bytes(small)
        lines.append(f"{kind.KIND:12} {found}  ({len(small):,} bytes)  {path}")
        print(lines[-1], flush=True)
    ways = ", ".join(f"{many:,} x {way}" for way, many in _most_frequent(outcomes.answers))
    print(
        f"{kind.KIND:12} {outcomes.attempts:,} attempts, {len(lines)} findings: {ways}", flush=True
    )
    return lines


def _most_frequent(answers: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(answers.items(), key=lambda item: -item[1])[:12]


def explored(
    kind: Kind,
    corpus: list[bytes],
    scratch: Path,
    seed: int,
    *,
    ends_s: float = float("inf"),
    most: float = float("inf"),
) -> Outcomes:
    """Try the seeds, then mutations of them, until the time is up or there were so many."""
    outcomes = Outcomes()
    known = list(corpus)
    inputs = [*corpus]
    while outcomes.attempts < most and time.monotonic() < ends_s:
        if not inputs:
            chance = random.Random(seed + outcomes.attempts)
            inputs = [mutated(chance.choice(known), known, chance) for _ in range(_BATCH)]
        results = list(_batch(kind, inputs, scratch, ends_s))
        outcomes.attempts += len(results)
        for data, (is_fine, text) in zip(inputs, results, strict=False):
            if not is_fine:
                outcomes.findings.setdefault(text, data)
                continue
            # Another answer than any before: something new was reached.
            if text not in outcomes.answers and len(known) < _MOST_SEEDS:
                known.append(data)
            outcomes.answers[text] = outcomes.answers.get(text, 0) + 1
        inputs = inputs[max(len(results), 1) :]
    return outcomes


def outcome_of(kind: Kind, data: bytes, scratch: Path) -> str:
    """Try one input by itself; return what is wrong with it, or ""."""
    results = list(_batch(kind, [data], scratch, float("inf")))
    return "" if not results or results[0][0] else results[0][1]


def _batch(
    kind: Kind, inputs: Sequence[bytes], scratch: Path, ends_s: float
) -> Iterator[tuple[bool, str]]:
    """Try inputs in one child until one ends it; yield for each whether it is fine, and why."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _attempt_all(kind, inputs, scratch, writing, ends_s)
    os.close(writing)
    # Unbuffered, so that what `select` says is about the next line.
    with os.fdopen(reading, "rb", buffering=0) as lines:
        while not (is_hung := not select.select([lines], [], [], _MOST_WAIT_S)[0]):
            line = lines.readline()
            if not line:
                break
            is_fine, text = json.loads(line)
            yield bool(is_fine), str(text)
    if is_hung:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if is_hung or code == -signal.SIGPROF:
        yield False, f"hangs for over {_MOST_CPU_S:.0f} s"
    elif code:
        yield False, f"crash ({code})"


def _attempt_all(
    kind: Kind, inputs: Sequence[bytes], scratch: Path, results: int, ends_s: float
) -> NoReturn:
    """Try inputs and write a line on each; runs in the child and never returns."""
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    faulthandler.disable()
    limit_memory()
    for data in inputs:
        if time.monotonic() >= ends_s:
            break
        signal.setitimer(signal.ITIMER_PROF, _MOST_CPU_S)
        is_fine, text = _outcome(kind, data, scratch)
        signal.setitimer(signal.ITIMER_PROF, 0)
        os.write(results, (json.dumps([is_fine, text]) + "\n").encode())
        if not is_fine:
            break
    os._exit(0)


def _outcome(kind: Kind, data: bytes, scratch: Path) -> tuple[bool, str]:
    from core.errors import WinnowError

    try:
        kind.attempt(data, scratch)
    except WinnowError as error:
        message = error.args[0] if error.args else ""
        template = str(getattr(message, "template", message))
        reasons = (str(one.template) for one in _inner(message))
        return (
            True,
            f"{type(error).__name__}: {re.sub('[0-9]+', '0', ' '.join([template[:40], *reasons]))}",
        )
    except MemoryError as error:
        return False, f"too much memory: {signature(error)}"
    except BaseException as error:  # noqa: BLE001 - what is looked for
        return False, signature(error)
    return True, "answered"


def _inner(message: object) -> Iterator[Any]:
    return (one for one in getattr(message, "fields", ()) if hasattr(one, "template"))


# Mutations

_NUMBERS: Final = (
    *(0, 1, -1, 2, 255, 256, 65_535, 65_536, 1 << 31, -(1 << 31), (1 << 32) - 1, 1 << 32),
    *(1 << 62, -(1 << 63), 1 << 64, 10**40, 0.5, 1e308, float("inf"), float("nan")),
)
_TEXTS: Final = (
    "",
    "a",
    "\0",
    "../../../etc/passwd",
    "/dev/zero",
    "F32",
    "BF16",
    "I64",
    "U8",
    "\ud800",
    "x" * 5000,
    "__metadata__",
    "\x1b[2J",
    "<b>",
)
_BYTES: Final = (b"\0", b"\xff", b"\x7f", b"\x80", b"[", b"{", b'"', b",", b"\0" * 8, b"\xff" * 8)


def mutated(data: bytes, known: Sequence[bytes], chance: random.Random) -> bytes:
    """Return `data` with one change or several, in a form that knows its structure or does not."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = _once(data, known, chance)
    return data


def _once(data: bytes, known: Sequence[bytes], chance: random.Random) -> bytes:
    parts = parts_of(data)
    if parts and chance.random() < 0.95:
        name = chance.choice(list(parts))
        if chance.random() < 0.05:
            del parts[name]
        else:
            others = [each for one in known if (each := parts_of(one).get(name)) is not None]
            parts[name] = _once(parts[name], others or [parts[name]], chance)
        return packed(parts)
    if chance.random() < 0.8:
        if (header := _header(data)) is not None:
            return _safetensors(data, header, chance)
        if data[:1] in (b"{", b"["):
            try:
                return _dumped(_changed(json.loads(data), chance), chance)
            except (ValueError, RecursionError):
                pass
    return _blind(data, known, chance)


def _blind(data: bytes, known: Sequence[bytes], chance: random.Random) -> bytes:
    """Change bytes without a look at what they mean."""
    changed = bytearray(data)
    place = chance.randrange(len(data) + 1)
    length = min(chance.choice((1, 2, 4, 8, 64, 4096)), len(data) - place)
    way = chance.randrange(7)
    if way == 0:
        for _ in range(chance.choice((1, 1, 4, 64)) if data else 0):
            changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif way == 1:
        changed[place : place + length] = chance.choice(_BYTES)
    elif way == 2:
        changed[place : place + length] = chance.randbytes(length)
    elif way == 3:
        del changed[place : place + length]
    elif way == 4:
        changed[place:place] = changed[place : place + length] * chance.choice((1, 2, 100))
    elif way == 5:
        del changed[place:]
    else:
        other = chance.choice(known)
        start = chance.randrange(len(other) + 1)
        changed[place:] = other[start:]
    return bytes(changed)


def _header(data: bytes) -> dict[str, Any] | None:
    """Return the header of a safetensors file; None where it is none."""
    length = int.from_bytes(data[:_HEADER_BYTES], "little")
    if not 2 <= length <= len(data) - _HEADER_BYTES:
        return None
    try:
        header = json.loads(data[_HEADER_BYTES : _HEADER_BYTES + length])
    except (ValueError, RecursionError):
        return None
    return header if isinstance(header, dict) else None


def _safetensors(data: bytes, header: dict[str, Any], chance: random.Random) -> bytes:
    """Change the header, or one array, of a safetensors file."""
    start = _HEADER_BYTES + int.from_bytes(data[:_HEADER_BYTES], "little")
    arrays = bytearray(data[start:])
    names = [name for name in header if name != "__metadata__"]
    if not names or chance.random() < 0.4:
        text = _dumped(_changed(header, chance), chance)
        if chance.random() < 0.5:
            text += b" " * (-len(text) % 8)
        return len(text).to_bytes(_HEADER_BYTES, "little") + text + bytes(arrays)
    try:
        begin, end = map(int, header[chance.choice(names)]["data_offsets"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return _blind(data, [data], chance)
    begin, end = max(begin, 0), min(end, len(arrays))
    if begin >= end:
        return _blind(data, [data], chance)
    length = min(chance.choice((1, 2, 4, 8, 64, end - begin)), end - begin)
    place = begin + chance.randrange(end - begin - length + 1)
    # Aligned in most cases, so that numbers are replaced and not torn.
    place -= place % min(length, 8)
    fill = chance.choice(
        (b"\0", b"\xff", b"\1", chance.randbytes(8), b"\0\0\xc0\x7f", b"\0\0\x80\x7f")
    )
    arrays[place : place + length] = (fill * length)[:length]
    return data[:start] + bytes(arrays)


def _dumped(value: Any, chance: random.Random) -> bytes:
    text = json.dumps(value)
    if chance.random() < 0.02:
        text = chance.choice(("[" * 100_000, '{"a":' * 50_000, text.replace(":", ":[", 1)))
    return text.encode("utf-8", "surrogatepass")


def _changed(value: Any, chance: random.Random) -> Any:
    """Return a JSON value in which something is another."""
    inner = value if isinstance(value, (dict, list)) and value else None
    if inner is None or chance.random() < 0.1:
        return _other(value, chance)
    changed = inner.copy()
    key: Any = (
        chance.choice(list(inner)) if isinstance(inner, dict) else chance.randrange(len(inner))
    )
    way = chance.random()
    if way < 0.08:
        del changed[key]
    elif way < 0.12 and isinstance(changed, dict):
        changed[chance.choice([*inner, *_TEXTS])] = changed.pop(key)
    elif way < 0.16 and isinstance(changed, list):
        changed.insert(key, inner[key])
    else:
        changed[key] = _changed(inner[key], chance)
    return changed


def _other(value: Any, chance: random.Random) -> Any:
    if isinstance(value, (int, float)) and chance.random() < 0.5:
        return value + chance.choice((-1, 1, 8, -value, value))
    return chance.choice((*_NUMBERS, *_TEXTS, None, True, [], {}, [value], {"a": value}))
