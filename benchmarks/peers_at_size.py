"""Measure the resources each late-interaction engine needs as a data set grows, and its limits.

Uses the vectors and the engines of `bench engines`. Smaller sizes are an even sample of the
passages; larger ones repeat them with noise. At each size, smallest first, all indexes are built
and then searched in turns, each within the limits. The table says why an engine failed. An engine
that failed at one size, or that is predicted to need twice a limit, is not tried at larger sizes.
Its needs there are reported separately from the measurements: memory and disk are extrapolated on
the line through the two largest sizes that succeeded, times by the exponent between them.

    python3 dev.py bench peers_at_size FOLDER [--sizes 1000 3500 10000 35000]
        [--towards 1000000 10000000] [--limit-minutes 15] [--limit-gb 6] [--limit-disk-gb 10]
        [--queries 50] [--threads 1] [--rounds 1] [--reuse] [--only NAME] [--peers PYTHON]
        [--json FILE] [--picture FILE.svg]

The time limit applies to processor time (see `_limits.py`). `--reuse` searches the indexes that
exist in FOLDER/sizes and keeps the failures recorded there, unless they come from another
processor. `engines.py` says how to create PYTHON's environment.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _limits import Limits, Usage, within
from _machine import Machine

sys.path.insert(0, str(Path(__file__).resolve().parent / "peers"))

import harness
from engines import Contestant, contestants, environment

# Winnow's default settings, and those with about the quality of PLAID.
WINNOW = frozenset({"winnow-20-1", "winnow-40-2"})
# An engine is not tried if it is predicted to exceed a limit by this factor.
PREDICTION_FACTOR = 2
# Needs are extrapolated up to this multiple of the largest size that succeeded.
MAX_EXTRAPOLATION = 100
# Norm of the noise added to a unit vector: the cosine with the original is about .96.
_NOISE = 0.3
_FIRST = 10
# Bytes of an input vector: 128 dimensions of float16.
_BYTES_A_TOKEN = 256


# Okabe and Ito's palette without yellow, distinguishable by the colour-blind, and three more.
_COLOURS = (
    *("#0072B2", "#56B4E9", "#000000", "#009E73", "#D55E00"),
    *("#CC79A7", "#E69F00", "#8C564B", "#7F7F7F", "#332288"),
)


# -- the data --------------------------------------------------------------------------------------


def folder_of(material: Path, size: int) -> Path:
    """Return the folder of this many passages and their indexes."""
    return material / "sizes" / str(size)


def prepare(material: Path, size: int, queries: int) -> None:
    """Write `size` of the passages to their folder in the engines' input format."""
    place = folder_of(material, size)
    place.mkdir(parents=True, exist_ok=True)
    if not (place / "offsets.npy").exists():
        _write_passages(material, place, size)
    every, offsets = np.load(material / "queries.npy"), np.load(material / "query_offsets.npy")
    first = offsets[: queries + 1]
    np.save(place / "queries.npy", every[: first[-1]])
    np.save(place / "query_offsets.npy", first)


def tokens_of(material: Path, size: int) -> int:
    """Return the number of tokens of this many passages."""
    lengths = np.diff(np.load(material / "offsets.npy"))
    return int(lengths[_numbers(len(lengths), size)].sum())


def _numbers(available: int, size: int) -> harness.Longs:
    """Return passage numbers: an even sample, or all of them repeatedly."""
    if size > available:
        return np.arange(size) % available
    return np.arange(size) * available // size


def _write_passages(material: Path, folder: Path, size: int) -> None:
    passages = harness.Passages.of(material)
    numbers = _numbers(len(passages), size)
    lengths = np.diff(passages.offsets)[numbers]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    shape = (int(offsets[-1]), passages.vectors.shape[1])
    vectors = np.lib.format.open_memmap(folder / "vectors.npy", "w+", np.float16, shape)
    saliences = np.load(material / "saliences.npy", mmap_mode="r")
    salient = np.empty(len(vectors), np.float32)
    noise = np.random.default_rng(7)
    for number, passage in enumerate(numbers.tolist()):
        own = slice(offsets[number], offsets[number + 1])
        original = passages.of_passages(passage, passage + 1)
        vectors[own] = original if number < len(passages) else _with_noise(original, noise)
        salient[own] = saliences[passages.offsets[passage] : passages.offsets[passage + 1]]
    vectors.flush()
    np.save(folder / "saliences.npy", salient)
    shutil.copy(material / "settings.json", folder)
    # Last, because its presence marks the folder as complete.
    np.save(folder / "offsets.npy", offsets)


def _with_noise(vectors: harness.Halves, noise: np.random.Generator) -> harness.Floats:
    """Return the vectors with noise, at length 1."""
    moved = noise.standard_normal(vectors.shape, dtype=np.float32)
    moved *= _NOISE / math.sqrt(vectors.shape[1])
    moved += vectors
    moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    return moved


# -- measuring -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """The settings that all engines share."""

    limits: Limits
    queries: int
    threads: int
    rounds: int
    reuse: bool
    machine: Machine


@dataclass
class Attempt:
    """One engine at one size: building its index, then searching it."""

    engine: Contestant
    size: int
    tokens: int
    ended: str = ""
    built: Usage | None = None
    reports: tuple[Mapping[str, Any], ...] = ()

    def row(self) -> dict[str, Any]:
        """Return the figures, or why the engine failed."""
        row: dict[str, Any] = {"passages": self.size, "tokens": self.tokens}
        row |= {"name": self.engine.name, "ended": self.ended}
        if self.built is not None:
            row |= {
                "build_worked_s": round(self.built.worked_s, 1),
                "build_s": round(self.built.seconds, 1),
                "build_memory_mb": round(self.built.memory_mb),
            }
        if self.ended or not self.reports:
            return row
        report = min(self.reports, key=lambda report: float(np.median(report["latencies_ms"])))
        p50, p95 = np.percentile(report["latencies_ms"], [50, 95])
        return row | {
            "version": report["version"],
            "settings": report["settings"],
            "disk_mb": _digits(report["disk_bytes"] / 1e6),
            "resident_mb": round(report["resident_mb"]),
            "anonymous_mb": round(report["anonymous_mb"]),
            "p50_ms": _digits(p50),
            "p95_ms": _digits(p95),
            "worked_ms": _digits(min(float(np.median(one["worked_ms"])) for one in self.reports)),
        }


def _digits(value: float) -> float:
    """Round to four significant digits."""
    return float(f"{value:.4g}")


def build(attempt: Attempt, settings: Settings) -> None:
    """Build the index, unless an existing one can be reused."""
    work = attempt.engine.work
    record = work / "taken.json"
    if settings.reuse and record.exists():
        known = json.loads(record.read_text(encoding="utf-8"))
        if known["machine"] == asdict(settings.machine) | {
            "kernels": list(settings.machine.kernels)
        }:
            attempt.built = Usage(**known["built"])
            attempt.ended = _ended("built", attempt.built)
            return
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    command = attempt.engine.command("build", settings.threads)
    attempt.built = within(settings.limits, command, work, environment())
    attempt.ended = _ended("built", attempt.built)
    built = {"machine": asdict(settings.machine), "built": asdict(attempt.built)}
    record.write_text(json.dumps(built), encoding="utf-8")
    if attempt.ended:  # an incomplete index is useless and may be large
        shutil.rmtree(work / "index", ignore_errors=True)


def ask(attempt: Attempt, settings: Settings) -> None:
    """Search the index with every query once."""
    engine = attempt.engine
    engine.report.unlink(missing_ok=True)
    usage = within(
        settings.limits, engine.command("ask", settings.threads), engine.work, environment()
    )
    attempt.ended = _ended("asked", usage)
    if not attempt.ended:
        report = json.loads(engine.report.read_text(encoding="utf-8"))
        attempt.reports = (*attempt.reports, report)


def _ended(step: str, usage: Usage) -> str:
    return usage.ended and f"{step}: {usage.ended}"


def measure(
    material: Path,
    size: int,
    engines: Sequence[Contestant],
    rows: Sequence[Row],
    settings: Settings,
) -> Iterator[Row]:
    """Yield each engine's row at a size; `rows` are those of the smaller sizes."""
    tokens = tokens_of(material, size)
    attempts = [
        Attempt(
            one,
            size,
            tokens,
            hopeless(one.name, size, rows, settings.limits) or _too_large(tokens, settings.limits),
        )
        for one in engines
    ]
    if any(not one.ended for one in attempts):
        prepare(material, size, settings.queries)
    for attempt in attempts:
        if not attempt.ended:
            build(attempt, settings)
            print(f"{size:,} {json.dumps(attempt.row())}", file=sys.stderr, flush=True)
    for _ in range(settings.rounds):
        for attempt in attempts:
            if not attempt.ended:
                ask(attempt, settings)
    exact = next(
        (one.reports[0] for one in attempts if one.engine.name == "exact" and one.reports), None
    )
    for attempt in attempts:
        row = attempt.row()
        if exact is not None and attempt.reports and not attempt.ended:
            row["of_exact"] = round(agreement(attempt.reports[0]["results"], exact["results"]), 3)
        yield row


Row = Mapping[str, Any]


def hopeless(name: str, size: int, rows: Sequence[Row], limits: Limits) -> str:
    """Return why an engine is not tried at a size, or ""."""
    own = [row for row in rows if row["name"] == name]
    need = needs(own, size)
    # Memory is not predicted: an engine runs out of it early, and its need may stop growing.
    if need is not None and need.build_s and need.build_s / 60 > PREDICTION_FACTOR * limits.minutes:
        return f"not tried: by its growth it needs {need.build_s / 60:,.0f} minutes to build"
    if need is not None and need.disk_mb / 1e3 > PREDICTION_FACTOR * limits.disk_gb:
        return f"not tried: by its growth it needs {need.disk_mb / 1e3:,.1f} GB of disk"
    if own and own[-1]["ended"]:
        return f"not tried: it did not come through with {own[-1]['passages']:,}"
    return ""


def _too_large(tokens: int, limits: Limits) -> str:
    """Return why no engine is tried with this many tokens, or ""."""
    vectors_gb = tokens * _BYTES_A_TOKEN / 1e9
    if vectors_gb <= limits.disk_gb:
        return ""
    return f"not tried: the given vectors alone take {vectors_gb:,.3g} GB of disk"


def agreement(rankings: Sequence[Sequence[int]], exact: Sequence[Sequence[int]]) -> float:
    """Return the mean share of the exact top ten that are in an engine's top ten.

    >>> agreement([[1, 2]], [[2, 3]])
    0.5
    """
    shares = [
        len(set(one[:_FIRST]) & set(best[:_FIRST])) / len(best[:_FIRST])
        for one, best in zip(rankings, exact, strict=True)
    ]
    return sum(shares) / len(shares)


# -- extrapolation ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Need:
    """The extrapolated needs of an engine at a size; none of them was measured there.

    A field is None if the size is too large to extrapolate to.
    """

    name: str
    passages: int
    # The largest size at which the engine succeeded.
    largest: int
    disk_mb: float
    search_ms: float | None = None
    resident_mb: float | None = None
    build_s: float | None = None


def needs(rows: Sequence[Row], size: int) -> Need | None:
    """Extrapolate the needs of an engine; None if it succeeded at fewer than two sizes."""
    came = [row for row in rows if not row["ended"]]
    if len(came) < 2:
        return None

    def by(way: Callable[..., float], name: str) -> float:
        (a, b) = came[-2:]
        return way((a["passages"], a[name]), (b["passages"], b[name]), size)

    largest = came[-1]["passages"]
    disk_mb = by(by_line, "disk_mb")
    if size > MAX_EXTRAPOLATION * largest:
        return Need(came[-1]["name"], size, largest, disk_mb)
    return Need(
        came[-1]["name"],
        size,
        largest,
        disk_mb,
        search_ms=by(by_exponent, "worked_ms"),
        resident_mb=by(by_line, "resident_mb"),
        build_s=by(by_exponent, "build_worked_s"),
    )


def by_line(a: tuple[int, float], b: tuple[int, float], size: int) -> float:
    """Return the value at a size on the line through two points, but no less than the second.

    >>> by_line((10, 5.0), (20, 7.0), 40)
    11.0
    """
    slope = max(0.0, (b[1] - a[1]) / (b[0] - a[0]))
    return b[1] + slope * (size - b[0])


def by_exponent(a: tuple[int, float], b: tuple[int, float], size: int) -> float:
    """Return the value at a size on the power law through two points.

    >>> by_exponent((10, 5.0), (20, 10.0), 40)
    20.0
    """
    if a[1] <= 0 or b[1] <= a[1]:
        return b[1]
    exponent = math.log(b[1] / a[1]) / math.log(b[0] / a[0])
    return float(b[1] * (size / b[0]) ** exponent)


# -- reporting -------------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> str:
    """Return a table of the measurements, and the reasons of failures."""
    lines = _head(
        *("passages", "engine", "search, processor", "median", "of exact's ten", "resident"),
        *("disk", "built in, processor", "memory meanwhile"),
    )
    for row in rows:
        if not row["ended"]:
            agrees = f"{row['of_exact']:.2f}" if "of_exact" in row else ""
            lines.append(
                f"| {row['passages']:,} | {row['name']} | {row['worked_ms']:,.3g} ms "
                f"| {row['p50_ms']:,.3g} ms | {agrees} | {row['resident_mb']:,} MB "
                f"| {row['disk_mb']:,.3g} MB | {row['build_worked_s']:,.3g} s "
                f"| {row['build_memory_mb']:,} MB |"
            )
    lines.append("")
    lines += [
        f"- {row['name']} with {row['passages']:,}: {row['ended']}" for row in rows if row["ended"]
    ]
    return "\n".join(lines)


def table_of_needs(needed: Sequence[Need]) -> str:
    """Return a table of extrapolated needs."""
    lines = [
        "By growth, not measured:",
        "",
        *_head(*("passages", "engine", "measured up to", "search", "resident", "disk", "built in")),
    ]
    for one in needed:
        times = [_approximate(one.search_ms, "ms"), _approximate(one.resident_mb, "MB")]
        grown = [*times, _approximate(one.disk_mb, "MB"), _approximate(one.build_s, "s")]
        lines.append(f"| {one.passages:,} | {one.name} | {one.largest:,} | {' | '.join(grown)} |")
    return "\n".join(lines)


def _approximate(value: float | None, unit: str) -> str:
    """Format a value with the two digits that are significant in an extrapolation.

    >>> _approximate(12345.0, "MB")
    '12,000 MB'
    """
    return "too far" if value is None else f"{float(f'{value:.2g}'):,g} {unit}"


def _head(*names: str) -> list[str]:
    return [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]


def draw(rows: Sequence[Row], needed: Sequence[Need], path: Path, title: str) -> None:
    """Draw time, memory and disk over passages; dotted where extrapolated, a cross for failures."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    # Like the pictures of studies: text stays text, and equal pictures are equal files.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "winnow"}):
        figure, panels = plt.subplots(2, 2, figsize=(9, 7))
        for axes, kind in zip(panels.flat, _PANELS, strict=True):
            _draw_panel(axes, rows, needed, kind)
        for axes in panels[1]:
            axes.set_xlabel("passages")
        panels[0, 1].legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
        figure.suptitle(title, fontsize=9)
        figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
        plt.close(figure)


# The names of a figure in rows and in needs, and its label.
_PANELS = (
    ("worked_ms", "search_ms", "median search, ms of the processor"),
    ("build_worked_s", "build_s", "building, s of the processor"),
    ("resident_mb", "resident_mb", "memory while asked, MB"),
    ("disk_mb", "disk_mb", "index on disk, MB"),
)


def _draw_panel(
    axes: Any, rows: Sequence[Row], needed: Sequence[Need], kind: tuple[str, str, str]
) -> None:
    measured, grown, label = kind
    for number, name in enumerate(dict.fromkeys(row["name"] for row in rows)):
        own = [row for row in rows if row["name"] == name]
        came = [row for row in own if not row["ended"]]
        if not came:
            continue
        colour = _COLOURS[number % len(_COLOURS)]
        sizes, values = [row["passages"] for row in came], [row[measured] for row in came]
        axes.plot(sizes, values, "o-", color=colour, markersize=4, label=name)
        extrapolated = [
            (one.passages, getattr(one, grown))
            for one in needed
            if one.name == name and one.passages > sizes[-1] and getattr(one, grown) is not None
        ]
        axes.plot(*zip((sizes[-1], values[-1]), *extrapolated, strict=True), ":", color=colour)
        for row in own:
            need = needs(own, row["passages"])
            place = None if need is None else getattr(need, grown)
            if row["ended"] and place is not None:
                axes.plot(row["passages"], place, "x", color=colour)
    axes.set(xscale="log", yscale="log")
    axes.set_title(label, fontsize=9)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 3_500, 10_000, 35_000])
    parser.add_argument("--towards", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--limit-minutes", type=float, default=15)
    parser.add_argument("--limit-gb", type=float, default=6)
    parser.add_argument("--limit-disk-gb", type=float, default=10)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--peers", type=Path, metavar="PYTHON")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    options = parser.parse_args()
    material = options.folder.resolve()
    limits = Limits(options.limit_minutes, options.limit_gb, options.limit_disk_gb)
    machine = Machine.this()
    settings = Settings(
        limits, options.queries, options.threads, options.rounds, options.reuse, machine
    )
    rows: list[Row] = []
    for size in sorted(options.sizes):
        engines = [
            one
            for one in contestants(folder_of(material, size), options.peers, options.only)
            if options.only or not one.name.startswith("winnow-") or one.name in WINNOW
        ]
        rows.extend(measure(material, size, engines, rows, settings))
        needed = [
            need
            for towards in sorted(options.towards)
            for name in dict.fromkeys(row["name"] for row in rows)
            if (need := needs([row for row in rows if row["name"] == name], towards))
        ]
        if options.json:
            report = {
                "machine": machine.with_threads(options.threads),
                "limits": asdict(limits),
                "rows": rows,
                "by growth": [asdict(one) for one in needed],
            }
            options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")
    print(f"{machine.line(options.threads)}\n\n{table(rows)}\n\n{table_of_needs(needed)}")
    if options.picture:
        title = f"{material.name}; dotted by growth, not measured\n{machine.line(options.threads)}"
        draw(rows, needed, options.picture, title)


if __name__ == "__main__":
    # End as by Ctrl+C, so that a running engine is ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended while measuring."))
    main()
