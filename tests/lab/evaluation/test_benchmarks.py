"""Benchmarks that use judgements, on sets of a few documents."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import languages, weights
from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.graphics import Runtime

from .test_run import DOCUMENTS, QUERIES, write_set


@pytest.fixture(autouse=True)
def loaded(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is loaded once for all tests."""

    def opened(_checkpoint: Checkpoint) -> Runtime:
        return encoder.runtime

    monkeypatch.setattr(weights, "open_runtime", opened)


def test_weights_are_selected_and_reported_on_separate_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = write_set(tmp_path / "first", DOCUMENTS, QUERIES)
    other = write_set(tmp_path / "other", DOCUMENTS, {"q1": "who hunts at night"})
    file = tmp_path / "found.json"
    arguments = ["weights", "--choose", str(first), "--report", str(other), "--json", str(file)]
    monkeypatch.setattr(sys, "argv", arguments)
    weights.main()
    found = json.loads(file.read_text("utf-8"))
    pairs = [tuple(pair) for pair in found["pairs"]]
    assert len(pairs) == len(set(pairs)) >= len(weights.SUMMARY) * len(weights.WORDS)
    assert (0.2, 0.15) in pairs
    assert max(found["ndcg@10"][str(first)]) == 1
    # A wrong answer is judged relevant: every pair ranks the owls first.
    assert max(found["ndcg@10"][str(other)]) < 1
    output = capsys.readouterr().out
    assert "own: summary 0.2, words 0.15" in output
    assert "reported, average" in output


def test_sets_used_for_selection_are_not_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(write_set(tmp_path / "first", DOCUMENTS, QUERIES))
    arguments = ["weights", "--choose", folder, "--report", f"{folder}:train"]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit):
        weights.main()
    assert "cannot be chosen by and reported at once" in capsys.readouterr().err


def test_all_languages_get_the_same_queries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"en": ("Crows remember faces.", "Owls hunt mice."), "de": ("Krähen.", "Eulen.")}
    questions = {"en": ("who remembers faces", "who hunts mice"), "de": ("Krähen", "Eulen")}
    for language, contexts in texts.items():
        paragraphs = [
            {"context": context, "qas": [{"question": question}]}
            for context, question in zip(contexts, questions[language], strict=True)
        ]
        described = {"data": [{"paragraphs": paragraphs}]}
        path = tmp_path / f"xquad.{language}.json"
        path.write_text(json.dumps(described), encoding="utf-8")
    file = tmp_path / "found.json"
    arguments = ["languages", str(tmp_path), "--queries", "1", "--json", str(file)]
    monkeypatch.setattr(sys, "argv", arguments)
    languages.main()
    rows = json.loads(file.read_text("utf-8"))
    assert [row["language"] for row in rows] == ["de", "en"]
    assert all(row["words"] == row["hybrid"] == 1 for row in rows)
    monkeypatch.setattr(sys, "argv", ["languages", str(tmp_path), "fr"])
    with pytest.raises(SystemExit):
        languages.main()
    assert "has no xquad.fr.json" in capsys.readouterr().err
