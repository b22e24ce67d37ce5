"""A fuzzer for untrusted data other than documents: index files, catalogs, models and messages.

Each module of this package is a fuzz target with

    KIND: str                                   name of the target, the same as its module's
    def seeds(folder: Path) -> list[bytes]      well-formed inputs; called once, before any attempt
    def attempt(data: bytes, folder: Path) -> None

`attempt` processes one input as the program would. It passes if it returns or raises a
`WinnowError`. All attempts share `folder`, which also contains the files that `seeds` wrote. An
input that consists of several files is a ZIP archive; its members are mutated separately.

Attempts run in batches in forked child processes, which share the modules and data that `seeds`
has loaded. A finding is a crash, a hang, excessive memory use, or any other exception.
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
_MOST_CPU_S: Final = 10.0  # processor seconds before an attempt counts as a hang
_MOST_WAIT_S: Final = 120.0  # elapsed seconds, for attempts that use no processor time
_MOST_SEEDS: Final = 400
_HEADER_BYTES: Final = 8  # a safetensors file starts with the length of its header


class Kind(Protocol):
    """A fuzz target: a module of this package."""

    KIND: str

    def seeds(self, folder: Path) -> list[bytes]:
        """Return well-formed inputs."""

    def attempt(self, data: bytes, folder: Path) -> None:
        """Process one input."""


def kinds() -> tuple[str, ...]:
    """Return the names of the targets without importing them."""
    return tuple(found.name for found in pkgutil.iter_modules(__path__))


def load(name: str) -> Kind:
    """Import a target. Some use the `tests` package, which is not installed."""
    if str(_ROOT) not in sys.path:
        sys.path.append(str(_ROOT))
    return cast("Kind", importlib.import_module(f"{__name__}.{name}"))


@dataclass
class Outcomes:
    """Results of a fuzzing run.

    Attributes:
        attempts: number of inputs tried.
        answers: number of passing inputs by outcome.
        findings: one input for each distinct failure, by its description.
    """

    attempts: int = 0
    answers: dict[str, int] = field(default_factory=dict)
    findings: dict[str, bytes] = field(default_factory=dict)


def fuzz_kind(
    kind: Kind,
    work: Path,
    seconds: float,
    shrink: Callable[[bytes, Callable[[bytes], bool]], bytes],
    seed: int | None = None,
) -> list[str]:
    """Fuzz a target for some time; print and return one line per finding.

    Args:
        kind: the target.
        work: folder for scratch files and findings.
        seconds: duration of the run.
        shrink: reduces an input while a predicate holds.
        seed: random seed of the mutations; None for one from the clock.
    """
    scratch, findings = work / "now", work / "findings"
    for folder in (scratch, findings):
        folder.mkdir(parents=True, exist_ok=True)
    corpus = kind.seeds(scratch)
    deadline_s = time.monotonic() + seconds
    # A fixed seed would repeat the same inputs in every run.
    outcomes = explore(
        kind, corpus, scratch, time.time_ns() if seed is None else seed, deadline_s=deadline_s
    )
    lines = []
    for number, (failure, data) in enumerate(outcomes.findings.items()):
        small = shrink(data, lambda smaller: outcome_of(kind, smaller, scratch) == failure)  # noqa: B023
        path = findings / f"{time.time_ns()}-{number}.bin"
        path.write_bytes(small)
        lines.append(f"{kind.KIND:12} {failure}  ({len(small):,} bytes)  {path}")
        print(lines[-1], flush=True)
    summary = ", ".join(
        f"{count:,} x {outcome}" for outcome, count in _most_frequent(outcomes.answers)
    )
    print(
        f"{kind.KIND:12} {outcomes.attempts:,} attempts, {len(lines)} findings: {summary}",
        flush=True,
    )
    return lines


def _most_frequent(answers: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(answers.items(), key=lambda item: -item[1])[:12]


def explore(
    kind: Kind,
    corpus: list[bytes],
    scratch: Path,
    seed: int,
    *,
    deadline_s: float = float("inf"),
    max_attempts: float = float("inf"),
) -> Outcomes:
    """Try the seeds and then mutations of them, until a limit of time or number is reached."""
    outcomes = Outcomes()
    known = list(corpus)
    inputs = [*corpus]
    while outcomes.attempts < max_attempts and time.monotonic() < deadline_s:
        if not inputs:
            rng = random.Random(seed + outcomes.attempts)
            inputs = [mutate(rng.choice(known), known, rng) for _ in range(_BATCH)]
        results = list(_batch(kind, inputs, scratch, deadline_s))
        outcomes.attempts += len(results)
        for data, (passes, text) in zip(inputs, results, strict=False):
            if not passes:
                outcomes.findings.setdefault(text, data)
                continue
            # A new outcome suggests that the input reached new code.
            if text not in outcomes.answers and len(known) < _MOST_SEEDS:
                known.append(data)
            outcomes.answers[text] = outcomes.answers.get(text, 0) + 1
        inputs = inputs[max(len(results), 1) :]
    return outcomes


def outcome_of(kind: Kind, data: bytes, scratch: Path) -> str:
    """Try a single input; return a description of its failure, or "" if it passes."""
    results = list(_batch(kind, [data], scratch, float("inf")))
    return "" if not results or results[0][0] else results[0][1]


def _batch(
    kind: Kind, inputs: Sequence[bytes], scratch: Path, deadline_s: float
) -> Iterator[tuple[bool, str]]:
    """Try inputs in one child process until one fails; yield (passes, outcome) for each."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _attempt_all(kind, inputs, scratch, writing, deadline_s)
    os.close(writing)
    # Unbuffered, so that `select` reports whether the next line has arrived.
    with os.fdopen(reading, "rb", buffering=0) as lines:
        while not (is_hung := not select.select([lines], [], [], _MOST_WAIT_S)[0]):
            line = lines.readline()
            if not line:
                break
            passes, text = json.loads(line)
            yield bool(passes), str(text)
    if is_hung:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if is_hung or code == -signal.SIGPROF:
        yield False, f"hangs for over {_MOST_CPU_S:.0f} s"
    elif code:
        yield False, f"crash ({code})"


def _attempt_all(
    kind: Kind, inputs: Sequence[bytes], scratch: Path, results: int, deadline_s: float
) -> NoReturn:
    """Try inputs and write one line per result. Runs in the child process and never returns."""
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    faulthandler.disable()
    limit_memory()
    for data in inputs:
        if time.monotonic() >= deadline_s:
            break
        signal.setitimer(signal.ITIMER_PROF, _MOST_CPU_S)
        passes, text = _outcome(kind, data, scratch)
        signal.setitimer(signal.ITIMER_PROF, 0)
        os.write(results, (json.dumps([passes, text]) + "\n").encode())
        if not passes:
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
    except BaseException as error:  # noqa: BLE001 - a finding
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


def mutate(data: bytes, known: Sequence[bytes], rng: random.Random) -> bytes:
    """Return a copy of `data` with one to four mutations, of its structure or of its bytes."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = _mutate_once(data, known, rng)
    return data


def _mutate_once(data: bytes, known: Sequence[bytes], rng: random.Random) -> bytes:
    parts = parts_of(data)
    if parts and rng.random() < 0.95:
        name = rng.choice(list(parts))
        if rng.random() < 0.05:
            del parts[name]
        else:
            variants = [part for one in known if (part := parts_of(one).get(name)) is not None]
            parts[name] = _mutate_once(parts[name], variants or [parts[name]], rng)
        return packed(parts)
    if rng.random() < 0.8:
        if (header := _header(data)) is not None:
            return _mutate_safetensors(data, header, rng)
        if data[:1] in (b"{", b"["):
            try:
                return _dump_json(_mutate_json(json.loads(data), rng), rng)
            except (ValueError, RecursionError):
                pass
    return _mutate_bytes(data, known, rng)


def _mutate_bytes(data: bytes, known: Sequence[bytes], rng: random.Random) -> bytes:
    """Mutate bytes, regardless of their meaning."""
    changed = bytearray(data)
    position = rng.randrange(len(data) + 1)
    length = min(rng.choice((1, 2, 4, 8, 64, 4096)), len(data) - position)
    mutation = rng.randrange(7)
    if mutation == 0:
        for _ in range(rng.choice((1, 1, 4, 64)) if data else 0):
            changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif mutation == 1:
        changed[position : position + length] = rng.choice(_BYTES)
    elif mutation == 2:
        changed[position : position + length] = rng.randbytes(length)
    elif mutation == 3:
        del changed[position : position + length]
    elif mutation == 4:
        changed[position:position] = changed[position : position + length] * rng.choice((1, 2, 100))
    elif mutation == 5:
        del changed[position:]
    else:
        other = rng.choice(known)
        start = rng.randrange(len(other) + 1)
        changed[position:] = other[start:]
    return bytes(changed)


def _header(data: bytes) -> dict[str, Any] | None:
    """Return the header of a safetensors file, or None for other data."""
    length = int.from_bytes(data[:_HEADER_BYTES], "little")
    if not 2 <= length <= len(data) - _HEADER_BYTES:
        return None
    try:
        header = json.loads(data[_HEADER_BYTES : _HEADER_BYTES + length])
    except (ValueError, RecursionError):
        return None
    return header if isinstance(header, dict) else None


def _mutate_safetensors(data: bytes, header: dict[str, Any], rng: random.Random) -> bytes:
    """Mutate the header or one array of a safetensors file."""
    start = _HEADER_BYTES + int.from_bytes(data[:_HEADER_BYTES], "little")
    arrays = bytearray(data[start:])
    names = [name for name in header if name != "__metadata__"]
    if not names or rng.random() < 0.4:
        text = _dump_json(_mutate_json(header, rng), rng)
        if rng.random() < 0.5:
            text += b" " * (-len(text) % 8)
        return len(text).to_bytes(_HEADER_BYTES, "little") + text + bytes(arrays)
    try:
        begin, end = map(int, header[rng.choice(names)]["data_offsets"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return _mutate_bytes(data, [data], rng)
    begin, end = max(begin, 0), min(end, len(arrays))
    if begin >= end:
        return _mutate_bytes(data, [data], rng)
    length = min(rng.choice((1, 2, 4, 8, 64, end - begin)), end - begin)
    position = begin + rng.randrange(end - begin - length + 1)
    # Aligned in most cases, to replace whole numbers.
    position -= position % min(length, 8)
    fill = rng.choice((b"\0", b"\xff", b"\1", rng.randbytes(8), b"\0\0\xc0\x7f", b"\0\0\x80\x7f"))
    arrays[position : position + length] = (fill * length)[:length]
    return data[:start] + bytes(arrays)


def _dump_json(value: Any, rng: random.Random) -> bytes:
    text = json.dumps(value)
    if rng.random() < 0.02:
        text = rng.choice(("[" * 100_000, '{"a":' * 50_000, text.replace(":", ":[", 1)))
    return text.encode("utf-8", "surrogatepass")


def _mutate_json(value: Any, rng: random.Random) -> Any:
    """Return a copy of a JSON value with one mutation."""
    inner = value if isinstance(value, (dict, list)) and value else None
    if inner is None or rng.random() < 0.1:
        return _replacement(value, rng)
    changed = inner.copy()
    key: Any = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
    mutation = rng.random()
    if mutation < 0.08:
        del changed[key]
    elif mutation < 0.12 and isinstance(changed, dict):
        changed[rng.choice([*inner, *_TEXTS])] = changed.pop(key)
    elif mutation < 0.16 and isinstance(changed, list):
        changed.insert(key, inner[key])
    else:
        changed[key] = _mutate_json(inner[key], rng)
    return changed


def _replacement(value: Any, rng: random.Random) -> Any:
    if isinstance(value, (int, float)) and rng.random() < 0.5:
        return value + rng.choice((-1, 1, 8, -value, value))
    return rng.choice((*_NUMBERS, *_TEXTS, None, True, [], {}, [value], {"a": value}))
