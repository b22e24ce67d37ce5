"""`dev.py bench engines`, with the simplest of the other engines and a few vectors."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from .test_run import DOCUMENTS, QUERIES, write_set

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Load the benchmark as `dev.py bench` does, with the modules that it shares."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("benchmarks.engines")


def write_vectors(folder: Path) -> Path:
    """Write three passages of two tokens, queried by their own vectors; the third is judged."""
    folder.mkdir()
    vectors = np.eye(6, 128, dtype=np.float16)
    np.save(folder / "vectors.npy", vectors)
    np.save(folder / "offsets.npy", np.array([0, 2, 4, 6]))
    np.save(folder / "queries.npy", vectors[4:].astype(np.float32))
    np.save(folder / "query_offsets.npy", np.array([0, 2]))
    judged = {
        "set": "few",
        "documents": ["d1", "d2", "d3"],
        "queries": ["q1"],
        "judgements": {"q1": {"d3": 1}},
    }
    (folder / "judged.json").write_text(json.dumps(judged))
    return folder


@pytest.mark.skipif(sys.platform != "linux", reason="engines are measured by /proc")
def test_the_table_includes_the_processor(
    engines: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    results, picture = tmp_path / "told.json", tmp_path / "engines.svg"
    monkeypatch.setattr(engines.Machine, "this", lambda: engines.Machine("A chip", ("AVX2",)))
    data = write_set(tmp_path / "few", DOCUMENTS, QUERIES)
    arguments = [str(data), "--vectors", str(write_vectors(tmp_path / "vectors"))]
    arguments += ["--peers", sys.executable, "--only", "exact", "--rounds", "2"]
    arguments += ["--json", str(results), "--picture", str(picture)]
    monkeypatch.setattr(sys, "argv", ["engines", *arguments])
    engines.main()
    above, row = capsys.readouterr().out.splitlines()
    assert above == "A chip (AVX2), 1 thread"
    assert row.startswith("exact")
    found = json.loads(results.read_text())
    assert found["machine"] == {"processor": "A chip", "kernels": ["AVX2"], "threads": 1}
    (exact,) = found["rows"]
    assert (exact["name"], exact["ndcg@10"], exact["recall@100"]) == ("exact", 1, 1)
    assert exact["p50_ms"] > 0
    assert "A chip (AVX2), 1 thread" in picture.read_text(encoding="utf-8")


def test_all_engines_are_in_the_table(engines: ModuleType, tmp_path: Path) -> None:
    """No module has the name of the package that it measures, which it would shadow."""
    found = list(engines.contestants(tmp_path, tmp_path / "python", None))
    names = {one.name for one in found} - {name for name, _ in engines.WINNOW}
    assert {"exact", "faiss_ivfpq", "fastplaid", "plaid", "warp"} <= names
    imported = {"colbert", "faiss", "fast_plaid", "lancedb", "qdrant_edge", "xtr_warp"}
    assert not names & imported
