"""What each engine for late interaction needs as the same material grows, and where it gives up.

Takes the vectors that `bench engines` has made, and its engines. Smaller sizes are an even sample
of the passages; where there are more than the material has, it comes again with noise. At each
size, the smallest first, all indexes are built and then asked in turns, each held to the limits. An
engine that does not come through is told with what happened; what has not come through at a size,
or is foretold to need twice what a limit allows, is not tried further. What it would need is told
apart from what was measured: memory and disk by the line through the two largest sizes that it came
through, times by the exponent between them.

    python3 dev.py bench peers_at_size FOLDER [--sizes 1000 3500 10000 35000]
        [--towards 1000000 10000000] [--limit-minutes 15] [--limit-gb 6] [--limit-disk-gb 10]
        [--queries 50] [--threads 1] [--rounds 1] [--reuse] [--only NAME] [--peers PYTHON]
        [--json FILE] [--picture FILE.svg]

Each engine's processor time is limited, not the clock's (see `_limits.py`). `--reuse` asks the
indexes that are in FOLDER/sizes, and takes what did not come through as it was; only what was built
on the same processor is taken. How to make PYTHON's environment is told in `engines.py`.
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
from _limits import Limits, Taken, within
from _machine import Machine

sys.path.insert(0, str(Path(__file__).resolve().parent / "peers"))

import harness
from engines import Contestant, contestants, environment

# Of Winnow's settings the default, and the one with as much quality as PLAID.
WINNOW = frozenset({"winnow-20-1", "winnow-40-2"})
FORETOLD = 2
"""An engine is not tried where its growth foretells more than so many times a limit."""
REACH = 100
"""How many times the largest size that an engine came through its growth is believed in."""
_NOISE = 0.3
"""The length of what is added to a unit vector: a cosine of about .96 with what it was."""
_FIRST = 10
_BYTES_A_TOKEN = 256
"""Of a given vector: 128 dimensions of float16."""


# Okabe and Ito's but for yellow, told apart by the colour-blind, and three beside them.
_COLOURS = (
    *("#0072B2", "#56B4E9", "#000000", "#009E73", "#D55E00"),
    *("#CC79A7", "#E69F00", "#8C564B", "#7F7F7F", "#332288"),
)


# -- the material ----------------------------------------------------------------------------------


def folder_of(material: Path, size: int) -> Path:
    """Where so many of the material's passages lie, and the indexes of them."""
    return material / "sizes" / str(size)


def prepare(material: Path, size: int, queries: int) -> None:
    """Put `size` of the material's passages into their folder as engines read them."""
    place = folder_of(material, size)
    place.mkdir(parents=True, exist_ok=True)
    if not (place / "offsets.npy").exists():
        _write_passages(material, place, size)
    every, offsets = np.load(material / "queries.npy"), np.load(material / "query_offsets.npy")
    asked = offsets[: queries + 1]
    np.save(place / "queries.npy", every[: asked[-1]])
    np.save(place / "query_offsets.npy", asked)


def tokens_of(material: Path, size: int) -> int:
    """How many tokens so many passages have."""
    lengths = np.diff(np.load(material / "offsets.npy"))
    return int(lengths[_numbers(len(lengths), size)].sum())


def _numbers(available: int, size: int) -> harness.Longs:
    """Which passages: an even sample, or all of them over and over."""
    if size > available:
        return np.arange(size) % available
    return np.arange(size) * available // size


def _write_passages(material: Path, place: Path, size: int) -> None:
    passages = harness.Passages.of(material)
    numbers = _numbers(len(passages), size)
    lengths = np.diff(passages.offsets)[numbers]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    shape = (int(offsets[-1]), passages.vectors.shape[1])
    vectors = np.lib.format.open_memmap(place / "vectors.npy", "w+", np.float16, shape)
    saliences = np.load(material / "saliences.npy", mmap_mode="r")
    salient = np.empty(len(vectors), np.float32)
    noise = np.random.default_rng(7)
    for number, passage in enumerate(numbers.tolist()):
        own = slice(offsets[number], offsets[number + 1])
        given = passages.of_passages(passage, passage + 1)
        vectors[own] = given if number < len(passages) else _with_noise(given, noise)
        salient[own] = saliences[passages.offsets[passage] : passages.offsets[passage + 1]]
    vectors.flush()
    np.save(place / "saliences.npy", salient)
    shutil.copy(material / "settings.json", place)
    # Last: its presence says that all of it is there.
    np.save(place / "offsets.npy", offsets)


def _with_noise(vectors: harness.Halves, noise: np.random.Generator) -> harness.Floats:
    """The vectors a little elsewhere, at length 1."""
    moved = noise.standard_normal(vectors.shape, dtype=np.float32)
    moved *= _NOISE / math.sqrt(vectors.shape[1])
    moved += vectors
    moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    return moved


# -- measuring -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What is asked of every engine."""

    limits: Limits
    queries: int
    threads: int
    rounds: int
    reuse: bool
    machine: Machine


@dataclass
class Attempt:
    """An engine at a size: its building, then its being asked."""

    engine: Contestant
    size: int
    tokens: int
    ended: str = ""
    built: Taken | None = None
    reports: tuple[Mapping[str, Any], ...] = ()

    def row(self) -> dict[str, Any]:
        """The figures, or what happened."""
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
        report = min(self.reports, key=lambda one: float(np.median(one["latencies_ms"])))
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
    """As many as a table has room for, however small the value is."""
    return float(f"{value:.4g}")


def build(attempt: Attempt, asked: Asked) -> None:
    """Build the index, unless it is to be used as it lies there."""
    work = attempt.engine.work
    record = work / "taken.json"
    if asked.reuse and record.exists():
        known = json.loads(record.read_text(encoding="utf-8"))
        if known["machine"] == asdict(asked.machine) | {"kernels": list(asked.machine.kernels)}:
            attempt.built = Taken(**known["built"])
            attempt.ended = _ended("built", attempt.built)
            return
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    command = attempt.engine.command("build", asked.threads)
    attempt.built = within(asked.limits, command, work, environment())
    attempt.ended = _ended("built", attempt.built)
    told = {"machine": asdict(asked.machine), "built": asdict(attempt.built)}
    record.write_text(json.dumps(told), encoding="utf-8")
    if attempt.ended:  # what there is of it serves nobody, and may be large
        shutil.rmtree(work / "index", ignore_errors=True)


def ask(attempt: Attempt, asked: Asked) -> None:
    """Ask it every query once."""
    engine = attempt.engine
    engine.report.unlink(missing_ok=True)
    taken = within(asked.limits, engine.command("ask", asked.threads), engine.work, environment())
    attempt.ended = _ended("asked", taken)
    if not attempt.ended:
        report = json.loads(engine.report.read_text(encoding="utf-8"))
        attempt.reports = (*attempt.reports, report)


def _ended(step: str, taken: Taken) -> str:
    return taken.ended and f"{step}: {taken.ended}"


def measure(
    material: Path, size: int, engines: Sequence[Contestant], rows: Sequence[Row], asked: Asked
) -> Iterator[Row]:
    """Each engine's row at a size; `rows` are those of the smaller sizes."""
    tokens = tokens_of(material, size)
    attempts = [
        Attempt(
            one,
            size,
            tokens,
            hopeless(one.name, size, rows, asked.limits) or _too_large(tokens, asked.limits),
        )
        for one in engines
    ]
    if any(not one.ended for one in attempts):
        prepare(material, size, asked.queries)
    for attempt in attempts:
        if not attempt.ended:
            build(attempt, asked)
            print(f"{size:,} {json.dumps(attempt.row())}", file=sys.stderr, flush=True)
    for _ in range(asked.rounds):
        for attempt in attempts:
            if not attempt.ended:
                ask(attempt, asked)
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
    """Why an engine is not tried at a size; nothing where it is."""
    own = [row for row in rows if row["name"] == name]
    need = needs(own, size)
    # Not memory: what runs out of it does so soon, and what it needs may cease to grow.
    if need is not None and need.build_s and need.build_s / 60 > FORETOLD * limits.minutes:
        return f"not tried: by its growth it needs {need.build_s / 60:,.0f} minutes to build"
    if need is not None and need.disk_mb / 1e3 > FORETOLD * limits.disk_gb:
        return f"not tried: by its growth it needs {need.disk_mb / 1e3:,.1f} GB of disk"
    if own and own[-1]["ended"]:
        return f"not tried: it did not come through with {own[-1]['passages']:,}"
    return ""


def _too_large(tokens: int, limits: Limits) -> str:
    """Why nothing is tried with so many tokens; nothing where their vectors may be made."""
    given_gb = tokens * _BYTES_A_TOKEN / 1e9
    if given_gb <= limits.disk_gb:
        return ""
    return f"not tried: the given vectors alone take {given_gb:,.3g} GB of disk"


def agreement(found: Sequence[Sequence[int]], exact: Sequence[Sequence[int]]) -> float:
    """The mean share of exact's first ten passages that are among an engine's first ten.

    >>> agreement([[1, 2]], [[2, 3]])
    0.5
    """
    shares = [
        len(set(one[:_FIRST]) & set(best[:_FIRST])) / len(best[:_FIRST])
        for one, best in zip(found, exact, strict=True)
    ]
    return sum(shares) / len(shares)


# -- what it would need ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Need:
    """What an engine would need at a size, by its growth; nothing of it was measured there.

    None where that is too far away to tell.
    """

    name: str
    passages: int
    largest: int
    """The largest size that it came through."""
    disk_mb: float
    search_ms: float | None = None
    resident_mb: float | None = None
    build_s: float | None = None


def needs(rows: Sequence[Row], size: int) -> Need | None:
    """What the engine of these rows would need; None where it came through fewer than two sizes."""
    came = [row for row in rows if not row["ended"]]
    if len(came) < 2:
        return None

    def by(way: Callable[..., float], name: str) -> float:
        (a, b) = came[-2:]
        return way((a["passages"], a[name]), (b["passages"], b[name]), size)

    largest = came[-1]["passages"]
    disk_mb = by(by_line, "disk_mb")
    if size > REACH * largest:
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
    """The value at a size on the line through two others; never less than the second.

    >>> by_line((10, 5.0), (20, 7.0), 40)
    11.0
    """
    slope = max(0.0, (b[1] - a[1]) / (b[0] - a[0]))
    return b[1] + slope * (size - b[0])


def by_exponent(a: tuple[int, float], b: tuple[int, float], size: int) -> float:
    """The value at a size if it goes on growing with the exponent that two others had.

    >>> by_exponent((10, 5.0), (20, 10.0), 40)
    20.0
    """
    if a[1] <= 0 or b[1] <= a[1]:
        return b[1]
    exponent = math.log(b[1] / a[1]) / math.log(b[0] / a[0])
    return float(b[1] * (size / b[0]) ** exponent)


# -- telling ---------------------------------------------------------------------------------------


def table(rows: Sequence[Row]) -> str:
    """What was measured, and what happened to those that did not come through."""
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
    """What they would need, by their growth."""
    lines = [
        "By growth, not measured:",
        "",
        *_head(*("passages", "engine", "measured up to", "search", "resident", "disk", "built in")),
    ]
    for one in needed:
        times = [_told(one.search_ms, "ms"), _told(one.resident_mb, "MB")]
        grown = [*times, _told(one.disk_mb, "MB"), _told(one.build_s, "s")]
        lines.append(f"| {one.passages:,} | {one.name} | {one.largest:,} | {' | '.join(grown)} |")
    return "\n".join(lines)


def _told(value: float | None, unit: str) -> str:
    """Two digits of a value: it is not known to more.

    >>> _told(12345.0, "MB")
    '12,000 MB'
    """
    return "too far" if value is None else f"{float(f'{value:.2g}'):,g} {unit}"


def _head(*names: str) -> list[str]:
    return [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]


def draw(rows: Sequence[Row], needed: Sequence[Need], path: Path, title: str) -> None:
    """Time, memory and disk over passages; by growth alone is dotted, a cross gave up there."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    # As the pictures of studies are: words stay words, the same picture is the same file.
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


# As rows and as needs name it, and as people do.
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
        foretold = [
            (one.passages, getattr(one, grown))
            for one in needed
            if one.name == name and one.passages > sizes[-1] and getattr(one, grown) is not None
        ]
        axes.plot(*zip((sizes[-1], values[-1]), *foretold, strict=True), ":", color=colour)
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
    asked = Asked(limits, options.queries, options.threads, options.rounds, options.reuse, machine)
    rows: list[Row] = []
    for size in sorted(options.sizes):
        engines = [
            one
            for one in contestants(folder_of(material, size), options.peers, options.only)
            if options.only or not one.name.startswith("winnow-") or one.name in WINNOW
        ]
        rows.extend(measure(material, size, engines, rows, asked))
        needed = [
            need
            for towards in sorted(options.towards)
            for name in dict.fromkeys(row["name"] for row in rows)
            if (need := needs([row for row in rows if row["name"] == name], towards))
        ]
        if options.json:
            told = {
                "machine": machine.with_threads(options.threads),
                "limits": asdict(limits),
                "rows": rows,
                "by growth": [asdict(one) for one in needed],
            }
            options.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
    print(f"{machine.line(options.threads)}\n\n{table(rows)}\n\n{table_of_needs(needed)}")
    if options.picture:
        title = f"{material.name}; dotted by growth, not measured\n{machine.line(options.threads)}"
        draw(rows, needed, options.picture, title)


if __name__ == "__main__":
    # Ended as by Ctrl+C, so that an engine at work is ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended while measuring."))
    main()
