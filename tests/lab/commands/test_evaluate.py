"""`winnow evaluate`: figures, JSON, and error messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.core.test_cli import assert_sentence
from tests.lab.evaluation.test_run import DOCUMENTS, QUERIES, write_set


def test_json_has_an_entry_for_each_mode(tmp_path: Path, run: Run) -> None:
    data = write_set(tmp_path / "birds", DOCUMENTS, QUERIES)
    status, out, errors = run(
        "evaluate", data, "--mode", "words", "--mode", "meaning", "--bits", "1",
        "--alignment", "topk:2", "--keep", "pooling:0.5", "--json",
    )  # fmt: skip
    assert (status, errors) == (0, "")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["mode"] for line in lines] == ["words", "meaning"]
    for line in lines:
        assert line.keys() >= {
            "dataset", "queries", "documents", "mode", "alignment", "bits", "beta_q", "beta_d",
            "ndcg@10", "mrr@10", "recall@100", "success@5", "bytes_per_token", "latency_ms",
        }  # fmt: skip
        assert line["latency_ms"].keys() == {"p50", "p95"}
        assert (line["dataset"], line["queries"], line["documents"]) == ("birds", 4, 4)
        assert (line["alignment"], line["bits"], line["ndcg@10"]) == ("topk:2", 1, 1)
        assert 0.5 <= line["beta_d"] < 0.8


def test_documents_of_unrelated_sets_are_searched_too(run: Run, tmp_path: Path) -> None:
    data = write_set(tmp_path / "birds", DOCUMENTS, QUERIES)
    echoes = {name: ("", f"{text}.") for name, text in QUERIES.items()}
    other = write_set(tmp_path / "echoes", echoes, QUERIES)
    arguments = ("evaluate", data, "--mode", "meaning", "--json")
    alone = json.loads(run(*arguments)[1])
    both = json.loads(run(*arguments, "--unrelated", other)[1])
    assert (alone["documents"], both["documents"]) == (4, 8)
    assert both["ndcg@10"] < alone["ndcg@10"] == 1


def test_figures_are_printed_on_a_line(run: Run, tmp_path: Path) -> None:
    data = write_set(tmp_path / "birds", DOCUMENTS, QUERIES)
    assert "nDCG@10 1.0000" in run("evaluate", data, "--mode", "words")[1]
    assert "evaluate" in run("--help")[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gone"], "is not a folder"),
        ([".", "--bits", "3"], "holds no corpus.jsonl"),
        ([".", "--alignment", "topk:0"], "topk requires an integer"),
        ([".", "--alignment", "best"], "not an alignment"),
    ],
)
def test_usage_errors_exit_with_status_2(
    arguments: list[str], words: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for extra in ([], ["--json"]):
        status, out, errors = run("evaluate", *arguments, *extra)
        assert (status, out) == (2, "")
        assert words in errors
        assert_sentence(errors)


def test_unsupported_bits_are_a_usage_error(run: Run, tmp_path: Path) -> None:
    data = write_set(tmp_path / "birds", DOCUMENTS, QUERIES)
    status, _, errors = run("evaluate", data, "--bits", "3")
    assert status == 2
    assert_sentence(errors)
