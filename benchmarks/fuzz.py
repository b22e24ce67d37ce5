"""Fuzz the document readers with Atheris, guided by the code that each file reaches.

Each kind of file is fuzzed for `--seconds` in a process with a memory limit, starting from the
files that the readers' tests create. A file that crashes the process, takes more than 3 seconds or
1 GB, or raises an unexpected exception is read once more in a separate process, minimised, and
reported in one line; the files are written to `--out`. The exit status is 1 if anything was found.
Runs on Linux and macOS with the Python versions that Atheris supports.

Other untrusted data (index files, models) is fuzzed in the same way by the kinds in `fuzzing`,
which do not need Atheris.

    python3 dev.py bench fuzz [--seconds 600] [--kinds pdf,segment] [--corpus FOLDER] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import _seed_files as seed_files
import fuzzing
from _one_file import HANGS_S, packed, parts_of

from core.documents.formats import all_formats, format_of

ROOT = Path(__file__).resolve().parents[1]
ONE_FILE = Path(__file__).with_name("_one_file.py")
# The default kinds.
KINDS = seed_files.kinds()
_SHRINKING_S = 60.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz the kinds one after another; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=600, help="seconds for each kind of file")
    data_kinds = fuzzing.kinds()
    every = ",".join((*KINDS, *data_kinds))
    parser.add_argument("--kinds", default=every, help="comma-separated suffixes and data kinds")
    parser.add_argument("--corpus", type=Path, help="a folder with additional seed files")
    parser.add_argument("--out", type=Path, help="the folder for findings and the corpus")
    options = parser.parse_args(arguments)
    out = (options.out or Path(tempfile.gettempdir()) / "winnow-fuzz").resolve()
    named = options.kinds.split(",")
    kinds = [kind for kind in named if kind not in data_kinds]
    if kinds and importlib.util.find_spec("atheris") is None:
        print("Atheris is not installed; .venv/bin/pip install -e '.[fuzz]' adds it.")
        return 2
    if out.is_relative_to(ROOT):
        print(f"{out} is in the repository; name a folder outside it with --out.")
        return 2
    known = {suffix for format_ in all_formats() for suffix in format_.suffixes}
    for kind in kinds:
        if f".{kind}" not in known:
            print(f"Winnow reads no .{kind} files.")
            return 2
    for kind in kinds:
        (out / kind / "corpus").mkdir(parents=True, exist_ok=True)
    seed_files.gather(out, kinds, options.corpus)
    began_s, lines = time.monotonic(), []
    for kind in kinds:
        lines += tried(out / kind, f".{kind}", options.seconds)
    for kind in named:
        if kind in data_kinds:
            lines += fuzzing.fuzz_kind(fuzzing.load(kind), out / kind, options.seconds, shrunk)
    minutes = (time.monotonic() - began_s) / 60
    print(f"{len(named)} kinds, {minutes:.0f} minutes, {len(lines)} findings.")
    return 1 if lines else 0


def tried(work: Path, suffix: str, seconds: int) -> list[str]:
    """Fuzz one kind of file for some seconds; print and return a line per finding."""
    assert format_of(Path(f"sample{suffix}")) is not None
    for name in ("found", "findings", "now"):
        (work / name).mkdir(exist_ok=True)
    begins = work / "now" / f"sample{suffix}"
    reported: set[str] = set()
    lines = []
    ends_s = time.monotonic() + seconds
    runs = 0
    while (left_s := ends_s - time.monotonic()) >= 1:
        began_s = time.monotonic()
        log = work / "log.txt"
        with log.open("wb") as written:
            code = subprocess.run(
                [sys.executable, ONE_FILE, "fuzz", work, suffix, str(round(left_s))],
                env=_environment(),
                stdout=written,
                stderr=subprocess.STDOUT,
                check=False,
            ).returncode
        for line in log.read_text(errors="replace").splitlines():
            if line.startswith("stat::number_of_executed_units:"):
                runs += int(line.split()[-1])
        if code:
            shutil.copy(begins, work / "found" / f"{time.monotonic_ns()}{suffix}")
            if time.monotonic() - began_s < 2:  # failed at start
                print(f"{suffix[1:]:8} stopped: see {log}", flush=True)
                break
    for path in sorted((work / "found").iterdir()):
        data = path.read_bytes()
        outcome = outcome_of(data, work, suffix)
        if outcome and outcome not in reported:
            reported.add(outcome)
            small = shrunk(data, lambda smaller: outcome_of(smaller, work, suffix) == outcome)  # noqa: B023
            saved = work / "findings" / path.name
            saved.write_bytes(small)
            lines.append(f"{suffix[1:]:8} {outcome}  ({len(small):,} bytes)  {saved}")
            print(lines[-1], flush=True)
        path.unlink()
    print(f"{suffix[1:]:8} {runs:,} files tried, {len(lines)} findings", flush=True)
    return lines


def _environment() -> dict[str, str]:
    """Return the environment of a process that reads files, with this checkout first."""
    known = filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])
    return os.environ | {"PYTHONPATH": os.pathsep.join(known)}


def outcome_of(data: bytes, work: Path, suffix: str) -> str:
    """Read a file in a separate, uninstrumented process; return a failure's description, or ""."""
    with tempfile.TemporaryDirectory(prefix="winnow-fuzz-") as place:
        path = Path(place) / f"sample{suffix}"
        path.write_bytes(data)
        seeds = sorted((work / "corpus").iterdir())
        if seeds:
            shutil.copy(seeds[0], path.with_name(f"seed{suffix}"))
        done = subprocess.run(
            [sys.executable, ONE_FILE, "read", path],
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode < 0 or not done.stdout.strip():
        hangs = -done.returncode == 26  # SIGVTALRM: the processor time is used up
        return f"takes over {HANGS_S:.0f} s" if hangs else f"crash ({done.returncode})"
    outcome = json.loads(done.stdout.splitlines()[-1])
    return str(outcome["found"])


def shrunk(data: bytes, fails: Callable[[bytes], bool], within_s: float = _SHRINKING_S) -> bytes:
    """Return the smallest part of `data` that still fails, as far as found within the time.

    Whole members of a package are removed first.
    """
    ends_s = time.monotonic() + within_s
    parts = parts_of(data)
    for name in list(parts):
        without = {other: contents for other, contents in parts.items() if other != name}
        if time.monotonic() < ends_s and fails(packed(without)):
            parts, data = without, packed(without)
    step = max(1, len(data) // 2)
    while not parts:
        start = 0
        while start < len(data):
            if time.monotonic() > ends_s:
                return data
            fewer = data[:start] + data[start + step :]
            if fails(fewer):
                data = fewer
            else:
                start += step
        if step == 1:
            return data
        step //= 2
    return data


if __name__ == "__main__":
    sys.exit(main())
