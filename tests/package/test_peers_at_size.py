"""Tests of `dev.py bench peers_at_size`, with tiny engines."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="engines are measured by /proc")

BY_THE_CLOCK = "more than 0.05 minutes by the clock, after "

# Supports at most fifteen passages, and logs each build.
_TOY = """
from pathlib import Path
import numpy as np
from harness import Engine, run

def build(passages, folder, threads):
    with (Path(__file__).parent / "built").open("a") as file:
        file.write(f"{len(passages)}\\n")
    if len(passages) > 15:
        raise ValueError("The toy holds fifteen passages.")
    np.save(folder / "numbers.npy", np.arange(len(passages)))
    return "none"

def load(folder, threads):
    numbers = np.load(folder / "numbers.npy").tolist()
    return lambda query: numbers[:100]

if __name__ == "__main__":
    run(Engine("toy", "numpy", build, load))
"""


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import the module like `dev.py bench`, from its folder."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return importlib.import_module("peers_at_size")


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return importlib.import_module("_limits")


@pytest.fixture
def material(tmp_path: Path) -> Path:
    """Write twenty passages of two to four tokens, and three queries."""
    folder = tmp_path / "birds"
    folder.mkdir()
    chance = np.random.default_rng(5)
    offsets = np.concatenate([[0], np.cumsum(2 + np.arange(20) % 3)])
    vectors = chance.standard_normal((int(offsets[-1]), 128), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    np.save(folder / "vectors.npy", vectors.astype(np.float16))
    np.save(folder / "offsets.npy", offsets)
    np.save(folder / "saliences.npy", np.arange(len(vectors), dtype=np.float32))
    np.save(folder / "queries.npy", vectors[:6])
    np.save(folder / "query_offsets.npy", np.array([0, 2, 4, 6]))
    (folder / "settings.json").write_text("{}")
    return folder


@pytest.fixture
def engines(tmp_path: Path, bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a folder with the scripts of the exact engine and the toy engine."""
    folder = tmp_path / "peers"
    folder.mkdir()
    for name in ("harness.py", "exact.py"):
        shutil.copy(ROOT / "benchmarks" / "peers" / name, folder)
    (folder / "toy.py").write_text(_TOY)
    monkeypatch.setattr(importlib.import_module("engines"), "PEERS", folder)
    return folder


def measured(
    bench: ModuleType, material: Path, monkeypatch: pytest.MonkeyPatch, *options: str
) -> dict[str, Any]:
    """Run the benchmark with these options on both engines, and return its results."""
    found = material.parent / "found.json"
    command = ["peers_at_size", str(material), "--peers", sys.executable, "--json", str(found)]
    chosen = ["--only", "exact", "--only", "toy", "--towards", "1000"]
    monkeypatch.setattr(sys, "argv", [*command, *chosen, *options])
    bench.main()
    results: dict[str, Any] = json.loads(found.read_text())
    return results


@pytest.mark.slow
def test_failed_engines_are_reported_with_the_reason(
    bench: ModuleType,
    material: Path,
    engines: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    picture = material.parent / "sizes.svg"
    options = ["--sizes", "30", "5", "10", "--queries", "2", "--picture", str(picture)]
    results = measured(bench, material, monkeypatch, *options)
    out = capsys.readouterr().out
    reason = "built: ValueError: The toy holds fifteen passages."
    assert f"- toy with 30: {reason}" in out
    assert results["machine"]["processor"] in out
    rows = {(row["name"], row["passages"]): row for row in results["rows"]}
    assert [size for name, size in rows if name == "toy"] == [5, 10, 30]
    assert rows["toy", 30]["ended"] == reason
    assert rows["exact", 30]["of_exact"] == 1
    # The toy returns all ten passages, in some order.
    assert rows["toy", 10]["of_exact"] == 1
    assert rows["exact", 10]["disk_mb"] > 0
    grown = {need["name"]: need for need in results["by growth"]}
    assert grown["toy"]["largest"] == 10
    assert grown["exact"]["largest"] == 30
    assert "| 1,000 | toy | 10 |" in out
    text = picture.read_text()
    for words in ("exact", "toy", "index on disk, MB"):
        assert f">{words}<" in text

    # A second run builds nothing again, not even what failed.
    assert (engines / "built").read_text().split() == ["5", "10", "30"]
    again = measured(bench, material, monkeypatch, *options, "--reuse")
    assert (engines / "built").read_text().split() == ["5", "10", "30"]
    assert [row["ended"] for row in again["rows"]] == [row["ended"] for row in results["rows"]]


@pytest.mark.slow
def test_a_failed_engine_is_not_run_at_larger_sizes(
    bench: ModuleType, material: Path, engines: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = measured(bench, material, monkeypatch, "--sizes", "16", "20")
    ended = {row["passages"]: row["ended"] for row in results["rows"] if row["name"] == "toy"}
    assert ended[20] == "not tried: it did not come through with 16"
    assert results["by growth"][0]["name"] == "exact"


@pytest.mark.slow
def test_an_index_built_on_another_processor_is_rebuilt(
    bench: ModuleType, material: Path, engines: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured(bench, material, monkeypatch, "--sizes", "5")
    record = material / "sizes" / "5" / "indexes" / "toy" / "taken.json"
    known = json.loads(record.read_text())
    known["machine"]["processor"] = "another"
    record.write_text(json.dumps(known))
    measured(bench, material, monkeypatch, "--sizes", "5", "--reuse")
    assert (engines / "built").read_text().split() == ["5", "5"]


def test_test_data_that_would_fill_the_disk_is_not_created(
    bench: ModuleType, material: Path, engines: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--sizes", "5", "4000", "--limit-disk-gb", "0.001"]
    results = measured(bench, material, monkeypatch, *options)
    ended = [row["ended"] for row in results["rows"] if row["passages"] == 4000]
    assert ended == ["not tried: the given vectors alone take 0.00302 GB of disk"] * 2
    assert not (material / "sizes" / "4000").exists()


def test_sizes_extrapolated_beyond_twice_a_limit_are_skipped(
    bench: ModuleType, limits: ModuleType
) -> None:
    figures = {"worked_ms": 1.0, "resident_mb": 10, "disk_mb": 1.0, "build_memory_mb": 10}
    rows = [
        {"name": "toy", "passages": size, "ended": "", "build_worked_s": size * 0.6, **figures}
        for size in (100, 1000)
    ]
    small = limits.Limits(minutes=20, memory_gb=1, disk_gb=1)
    assert bench.hopeless("toy", 4000, rows, small) == ""
    reason = bench.hopeless("toy", 5000, rows, small)
    assert reason == "not tried: by its growth it needs 50 minutes to build"
    rows[1]["disk_mb"] = 910.0  # a MB more each passage
    reason = bench.hopeless("toy", 4000, rows, small)
    assert reason == "not tried: by its growth it needs 3.9 GB of disk"
    assert bench.hopeless("other", 4000, rows, small) == ""


def test_extrapolation_is_limited(bench: ModuleType) -> None:
    figures = {"name": "toy", "ended": "", "worked_ms": 1.0}
    rows = [
        {"passages": size, "disk_mb": size / 10, "resident_mb": 50 + size, **figures}
        | {"build_worked_s": size**2 / 100}
        for size in (100, 200)
    ]
    near, far = bench.needs(rows, 20_000), bench.needs(rows, 21_000)
    assert near.disk_mb == pytest.approx(2000)
    assert near.resident_mb == pytest.approx(20_050)
    assert near.build_s == pytest.approx(4e6)
    assert near.search_ms == 1.0
    assert far.disk_mb == pytest.approx(2100)
    assert (far.search_ms, far.resident_mb, far.build_s) == (None, None, None)
    assert "| 21,000 | toy | 200 | too far | too far | 2,100 MB | too far |" in (
        bench.table_of_needs([near, far])
    )


def test_sizes_are_samples_or_noisy_copies(bench: ModuleType, material: Path) -> None:
    vectors, offsets = np.load(material / "vectors.npy"), np.load(material / "offsets.npy")
    bench.prepare(material, 10, 2)
    some = bench.folder_of(material, 10)
    starts = np.load(some / "offsets.npy")
    assert np.diff(starts).tolist() == np.diff(offsets)[::2].tolist()
    assert len(np.load(some / "query_offsets.npy")) == 3
    own = np.load(some / "vectors.npy")
    np.testing.assert_array_equal(own[starts[3] : starts[4]], vectors[offsets[6] : offsets[7]])

    bench.prepare(material, 30, 3)
    more = np.load(bench.folder_of(material, 30) / "vectors.npy").astype(np.float32)
    np.testing.assert_array_equal(more[: len(vectors)], vectors)
    again = more[len(vectors) :]
    cosines = (again * vectors[: len(again)]).sum(axis=1)
    assert cosines.max() < 0.999
    assert cosines.mean() == pytest.approx(0.96, abs=0.02)
    np.testing.assert_allclose(np.linalg.norm(again, axis=1), 1, atol=2e-3)
    assert bench.tokens_of(material, 30) == len(more)
    salient = np.load(bench.folder_of(material, 30) / "saliences.npy")
    assert salient[len(vectors) :].tolist() == list(range(len(again)))


@pytest.mark.parametrize(
    ("code", "minutes", "reason"),
    [
        ("print('well')", 5, ""),
        ("raise SystemExit('No such index.')", 5, "No such index."),
        ("raise SystemExit(3)", 5, "ended with status 3 and said nothing"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", 5, "ended by SIGKILL"),
        ("a = b'x' * 400_000_000\nwhile True: pass", 5, "more than 0.3 GB of memory, after "),
        (
            "open('big', 'wb').write(b'x' * 30_000_000)\nimport signal; signal.pause()",
            *(5, "more than 0.01 GB of disk, after "),
        ),
        # On a busy processor the wall-clock limit is reached first.
        ("while True: pass", 0.01, ("more than 0.01 minutes of the processor", BY_THE_CLOCK)),
        ("import signal; signal.pause()", 0.01, BY_THE_CLOCK),
    ],
)
def test_commands_over_a_limit_are_terminated(
    code: str,
    minutes: float,
    reason: str | tuple[str, ...],
    limits: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    small = limits.Limits(minutes, memory_gb=0.3, disk_gb=0.01)
    usage = limits.within(small, [sys.executable, "-c", code], tmp_path, os.environ)
    assert usage.ended.startswith(reason)
    assert bool(usage.ended) == bool(reason)


def test_child_processes_are_terminated_and_counted(limits: ModuleType, tmp_path: Path) -> None:
    child = "a = b'x' * 400_000_000\nimport signal; signal.pause()"
    code = (
        "import subprocess, sys\n"
        f"one = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "open(sys.argv[1], 'w').write(str(one.pid))\n"
        "one.wait()"
    )
    pid_file = tmp_path / "number"
    small = limits.Limits(minutes=1, memory_gb=0.3, disk_gb=1)
    usage = limits.within(small, [sys.executable, "-c", code, str(pid_file)], tmp_path, os.environ)
    assert usage.ended.startswith("more than 0.3 GB of memory")
    assert usage.memory_mb > 300
    pid = pid_file.read_text()
    status = Path(f"/proc/{pid}/status")
    # A zombie process still has an entry in /proc.
    assert not status.exists() or "State:\tZ" in status.read_text()


def test_an_interrupted_measurement_leaves_no_process(
    limits: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []

    def interrupt(watch: Any) -> None:
        started.append(watch._process.pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(limits._Watch, "look", interrupt)
    small = limits.Limits(minutes=5, memory_gb=1, disk_gb=1)
    waits = [sys.executable, "-c", "import signal; signal.pause()"]
    with pytest.raises(KeyboardInterrupt):
        limits.within(small, waits, tmp_path, os.environ)
    assert not Path(f"/proc/{started[0]}").exists()
