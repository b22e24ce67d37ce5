"""`winnow explain`: a result's score, added up at the terminal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import cli
from core.arrays import Floats
from core.errors import Message
from core.library.library import Library
from core.search.ranking import Candidates, RankingConfig
from core.settings import IndexSize, Settings, save_settings
from tests.conftest import BIRDS, write_files

QUERY = "where do swifts sleep"


@pytest.fixture
def indexed(folder: Path, home: Path, open_library: Callable[..., Library]) -> None:
    """Indexed as small, where the results' scores are of all tokens."""
    write_files(folder, BIRDS)
    home.mkdir(exist_ok=True)
    save_settings(Settings(index_size=IndexSize.SMALL), home / "settings.json")
    library = open_library()
    library.add_folder(folder)
    library.sync()


@pytest.fixture
def explained(indexed: None, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run the command with `--json`; return the parsed output."""

    def call(*options: str) -> Any:
        capsys.readouterr()
        assert cli.main(["explain", QUERY, *options, "--json"]) == 0
        return json.loads(capsys.readouterr().out, parse_float=Decimal)

    return call


def added(fields: Any) -> Decimal:
    other_terms = [term for term in fields["terms"] if term["name"] != "meaning"]
    return sum((part["adds"] for part in (*fields["tokens"], *other_terms)), Decimal(0))


def test_the_score_in_the_list_is_added_up(explained: Callable[..., Any]) -> None:
    fields = explained()
    assert (fields["vectors"], fields["alignment"]) == ("exact", "topk:1")
    assert added(fields) == fields["score"]
    assert fields["score"] == pytest.approx(fields["score_in_list"], abs=Decimal("0.001"))
    assert sum(token["share"] for token in fields["tokens"]) == pytest.approx(1, abs=1e-3)
    faded = [token["text"] for token in fields["tokens"] if not token["is_significant"]]
    assert "swift" not in " ".join(faded)


def test_the_words_without_a_vector_are_named(
    explained: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    words = explained()["without_vector"]
    assert "the" in words
    assert not {"swift", "sleep"} & {*words}
    assert cli.main(["explain", QUERY]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "the least salient ones, have no vector: " in printed
    assert " · ".join(words) in printed


class EvenScorer:
    """Adds as much to each score."""

    name = "even"
    label = Message("Evenly")

    def values(self, _db: sqlite3.Connection, candidates: Candidates) -> Floats:
        return np.ones_like(candidates.bm25)


def test_the_terms_add_up_whatever_scorers_there_are(
    explained: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = RankingConfig().scorers(words=True, meaning=True)
    scorers = (*usual, (EvenScorer(), 0.25))
    monkeypatch.setattr(RankingConfig, "scorers", lambda _config, **_counts: scorers)
    fields = explained()
    terms = {term["name"]: term["adds"] for term in fields["terms"]}
    assert terms["even"] == Decimal("0.25")
    assert terms["meaning"] == sum(token["adds"] for token in fields["tokens"])
    assert terms["words"] == fields["words"]
    assert sum(terms.values()) == fields["score"]
    assert fields["score"] == pytest.approx(fields["score_in_list"], abs=Decimal("0.001"))


def test_another_alignment_of_the_exact_vectors_adds_up_to_its_own_score(
    explained: Callable[..., Any],
) -> None:
    fields = explained("--exact", "--alignment", "topk:4", "--result", "2")
    assert (fields["vectors"], fields["alignment"]) == ("exact", "topk:4")
    summary, *tokens = fields["tokens"]
    assert (summary["aligned"], {token["aligned"] for token in tokens}) == (1, {4})
    assert added(fields) == fields["score"] != round(fields["score_in_list"], 3)


def test_a_person_sees_a_table(indexed: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", QUERY]) == 0
    out = capsys.readouterr().out
    assert 'Found by words: "swifts"' in out
    assert "(whole text)" in out
    assert "the score in the search results." in out
    assert cli.main(["explain", QUERY, "--stored"]) == 0
    assert "The score in the search results is" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--result", "99"], "There is no result 99;"),
        (["--result", "0"], "There is no result 0;"),
        (["--passage", "9"], "Result 1 has no passage 9; it has"),
        (["--alignment", "best"], "'best' is not an alignment"),
    ],
)
def test_a_missing_document_is_reported_in_a_sentence(
    options: list[str], complaint: str, indexed: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["explain", QUERY, *options]) == 2
    assert complaint in capsys.readouterr().err
