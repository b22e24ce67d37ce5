"""Plots of the server and cluster benchmarks, from made-up rows."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROWS = [
    {"way": way, "clients": clients, "p50_ms": 9.0, "p99_ms": 20.0 * clients, **more}
    for way in ("in process", "2 replicas")
    for clients, more in ((1, {"searches_a_second": 20.0}), (64, {"searches_a_second": 24.0}))
]
MEASURED = {
    "rows": [
        {"nodes": nodes, "encoding_s": 22.3, "reading_s": 5.4, "processor_s": 20.0}
        for nodes in ("none", 1, 2)
    ],
    "stages": {
        "encode_s": 0.05,
        "store_s": 150e-6,
        "select_s": 4e-6,
        "hand_s": 7e-6,
        "publish_s": 20e-6,
        "merge_s": 70e-6,
        "out_bytes": 800.0,
        "back_bytes": 800.0,
    },
}


@pytest.fixture(autouse=True)
def _shared_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load benchmarks as `dev.py bench` does, with the modules that they share."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[3] / "benchmarks"))


@pytest.fixture
def serve() -> ModuleType:
    from benchmarks import serve

    return serve


@pytest.fixture
def cluster() -> ModuleType:
    from benchmarks import cluster

    return cluster


def test_throughput_is_plotted_over_clients(
    serve: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured, picture = tmp_path / "rows.json", tmp_path / "serve.svg"
    # Before the first query only the memory is measured.
    measured.write_text(json.dumps([{"way": "server", "clients": 0, "memory_mb": 350}, *ROWS]))
    arguments = ["serve", "--from", str(measured), "--picture", str(picture)]
    monkeypatch.setattr(sys, "argv", arguments)
    serve.main()
    for ending, label in (("", "searches a second"), ("-p50", "median"), ("-p99", "99 of 100")):
        text = (tmp_path / f"serve{ending}.svg").read_text(encoding="utf-8")
        assert all(words in text for words in (label, "in process", "2 replicas", ">64<"))
        assert ">server<" not in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--from", "rows.json"], "--picture"), ([], "FOLDER")],
)
def test_missing_options_are_reported(
    serve: ModuleType,
    arguments: list[str],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["serve", *arguments])
    with pytest.raises(SystemExit):
        serve.main()
    assert words in capsys.readouterr().err


def test_a_simulated_cluster_is_plotted_with_its_writer(
    cluster: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    measured, picture = tmp_path / "measured.json", tmp_path / "cluster.svg"
    measured.write_text(json.dumps(MEASURED))
    arguments = ["cluster", "--from", str(measured), "--picture", str(picture)]
    monkeypatch.setattr(sys, "argv", [*arguments, "--encode-s", "0.0076"])
    cluster.main()
    assert "| 64 |" in capsys.readouterr().out
    text = picture.read_text(encoding="utf-8")
    for words in ("as measured", "other processor", "the writer", ">64<", "passages encoded"):
        assert words in text
    nodes = (tmp_path / "cluster-nodes.svg").read_text(encoding="utf-8")
    assert all(words in nodes for words in (">none<", "encoding the notes", "seconds"))
