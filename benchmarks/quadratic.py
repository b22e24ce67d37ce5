"""Find documents whose reading time grows faster than their size.

Each kind of file is read with one piece of it repeated, at three sizes. Pieces are marks of the
format (`format_marks.toml`), and elements, tags, lines and spans of the files that the readers'
tests create. A document is read as the reading process reads it, in a fork, whose processor time
counts. It is reported if it takes more than half a second and its time grows by more than the power
1.5 of its size, or if it takes more than ten seconds in any case; it is also written to `--out`.
The exit status is 1 if there is any. Runs on Linux and macOS.

    python3 dev.py bench quadratic [--seconds 30] [--kinds md,docx] [--seed 1] [--corpus FOLDER]
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import random
import resource
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import _one_file
import _seed_files as seed_files
from _machine import Machine
from _repetition import Repetition, repetition

# Bytes of the repeated pieces in the largest document; the others have half and a quarter of it.
_LARGEST_BYTES = 256_000
# Processor time of the largest document from which its growth is measured.
_SLOW_S = 0.5
# Processor time that no document of this size may take, whatever its growth.
_COSTLY_S = 10.0
_LIMIT_S = 20
# Growth of a linear reader is 1, of a quadratic one 2.
_MOST_GROWTH = 1.5
# Documents reported for each kind.
_MOST_FINDINGS = 3


@dataclass(frozen=True)
class Finding:
    """A repetition, and the times of reading it at sizes that double."""

    repetition: Repetition
    seconds: tuple[float, ...]

    @property
    def growth(self) -> float:
        """The power of the size with which the time grows."""
        doublings = len(self.seconds) - 1
        return math.log2(self.seconds[-1] / max(self.seconds[0], 0.01)) / doublings

    @property
    def is_bad(self) -> bool:
        return self.growth > _MOST_GROWTH or self.seconds[-1] > _COSTLY_S


@dataclass
class Result:
    """What was tried of one kind of file."""

    kind: str
    tried: int = 0
    slowest_s: float = 0.0
    steepest: float = 0.0
    findings: list[Finding] = field(default_factory=list)


class Reading:
    """Measures the processor time of reading files of one kind.

    Each file is read by a fork of this process, which has imported the readers.
    """

    def __init__(self, kind: str, folder: Path, seeds: Sequence[bytes]) -> None:
        self._path = folder / f"sample.{kind}"
        for data in seeds[:10]:
            self._path.write_bytes(data)
            with contextlib.suppress(Exception):
                _one_file.read(self._path)
        self._path.write_bytes(b"")
        self._idle_s = min(self._measured() for _ in range(3))

    def seconds(self, data: bytes) -> float:
        """Return the processor time of reading a file, at most about `_LIMIT_S`."""
        self._path.write_bytes(data)
        return max(0.0, self._measured() - self._idle_s)

    def _measured(self) -> float:
        child = os.fork()
        if not child:
            try:
                _one_file.limit_memory()
                resource.setrlimit(resource.RLIMIT_CPU, (_LIMIT_S, _LIMIT_S))
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                _one_file.read(self._path)
            except BaseException:  # noqa: BLE001 - `bench fuzz` finds errors; here time counts
                os._exit(1)
            os._exit(0)
        _, _, usage = os.wait4(child, 0)
        return usage.ru_utime + usage.ru_stime


def search(kind: str, seeds: list[bytes], seconds: int, seed: int) -> Result:
    """Read random repetitions of one kind of file for some seconds of processor time."""
    result = Result(kind)
    chance = random.Random(f"{seed} {kind}")
    with tempfile.TemporaryDirectory(prefix="winnow-quadratic-") as folder:
        reading = Reading(kind, Path(folder), seeds)
        ends_s = _used_s() + seconds
        while _used_s() < ends_s and len(result.findings) < _MOST_FINDINGS:
            tried = repetition(kind, seeds, chance)
            if tried is None:
                break
            result.tried += 1
            whole_s = reading.seconds(tried.sized(_LARGEST_BYTES))
            result.slowest_s = max(result.slowest_s, whole_s)
            if whole_s < _SLOW_S:
                continue
            half_s = reading.seconds(tried.sized(_LARGEST_BYTES // 2))
            finding = Finding(tried, (half_s, whole_s))
            if finding.is_bad:  # once more: an interrupted read takes longer
                finding = _measured(reading, tried)
            result.steepest = max(result.steepest, finding.growth)
            if finding.is_bad:
                result.findings.append(finding)
    return result


def _measured(reading: Reading, tried: Repetition) -> Finding:
    sizes = (_LARGEST_BYTES // 4, _LARGEST_BYTES // 2, _LARGEST_BYTES)
    times = (min(reading.seconds(tried.sized(size)) for _ in range(2)) for size in sizes)
    return Finding(tried, tuple(times))


def _used_s() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def main(arguments: Sequence[str] | None = None) -> int:
    """Search the kinds one after another; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=30, help="processor time for each kind")
    parser.add_argument("--kinds", default=",".join(seed_files.kinds()), help="suffixes")
    parser.add_argument("--seed", type=int, default=1, help="another seed tries other documents")
    parser.add_argument("--corpus", type=Path, help="a folder with additional seed files")
    parser.add_argument("--out", type=Path, help="the folder for findings and the corpus")
    options = parser.parse_args(arguments)
    out = options.out or Path(tempfile.gettempdir()) / "winnow-quadratic"
    kinds = options.kinds.split(",")
    seed_files.gather(out, kinds, options.corpus)
    print(Machine.this().line())
    print(f"{'kind':8} {'tried':>6} {'slowest s':>9} {'growth':>6} {'found':>5}")
    count = 0
    for kind in kinds:
        seeds = [path.read_bytes() for path in sorted((out / kind / "corpus").iterdir())]
        result = search(kind, seeds, options.seconds, options.seed)
        steepest = f"{result.steepest:.1f}" if result.steepest else "-"
        print(
            f"{kind:8} {result.tried:6} {result.slowest_s:9.1f} {steepest:>6}"
            f" {len(result.findings):5}",
            flush=True,
        )
        for finding in result.findings:
            count += 1
            path = out / kind / f"slow-{len(finding.repetition.piece)}-{time.time_ns()}.{kind}"
            path.write_bytes(finding.repetition.sized(_LARGEST_BYTES))
            times = ", ".join(f"{each:.2f}" for each in finding.seconds)
            print(f"  {times} s, growth {finding.growth:.1f}: {finding.repetition}\n  {path}")
    print(f"{len(kinds)} kinds, {_used_s():.0f} s of the processor, {count} findings.")
    return 1 if count else 0


if __name__ == "__main__":
    raise SystemExit(main())
