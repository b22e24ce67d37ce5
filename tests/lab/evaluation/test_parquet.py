"""Data sets in Hugging Face's layout."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.errors import UsageError
from lab.evaluation.data import CorpusDocument, DataSet, Query, is_data_set
from tests.conftest import Run

DOCUMENTS = [
    {"_id": "d1", "title": "Rooks", "text": "Rooks breed in colonies."},
    {"_id": "d2", "title": None, "text": "Crows do not."},
]
QUERIES = [
    {"_id": "q1", "text": "which birds breed together"},
    {"_id": "q2", "text": "who is alone"},
]
JUDGEMENTS = [
    {"query-id": "q2", "corpus-id": "d2", "score": 2},
    {"query-id": "q1", "corpus-id": "d1", "score": 1},
]


def write(path: Path, entries: Sequence[Mapping[str, Any]]) -> None:
    pa = pytest.importorskip("pyarrow", reason="it comes with the extra `dev`")
    from pyarrow import parquet

    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.Table.from_pylist(list(entries)), path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "birds"
    write(folder / "corpus" / "corpus-00000-of-00002.parquet", DOCUMENTS[:1])
    write(folder / "corpus" / "corpus-00001-of-00002.parquet", DOCUMENTS[1:])
    write(folder / "queries" / "queries-00000-of-00001.parquet", QUERIES)
    write(folder / "qrels" / "test-00000-of-00001.parquet", JUDGEMENTS)
    write(folder / "qrels" / "dev-00000-of-00001.parquet", JUDGEMENTS[:1])
    return folder


def test_a_data_set_is_read(folder: Path) -> None:
    data = DataSet(folder)
    assert is_data_set(folder)
    assert (data.name, data.splits) == ("birds", ("dev", "test"))
    assert list(data.documents()) == [
        CorpusDocument("d1", "Rooks", "Rooks breed in colonies."),
        CorpusDocument("d2", "", "Crows do not."),
    ]
    split = data.split("test")
    assert split.queries == tuple(Query(one["_id"], one["text"]) for one in QUERIES)
    assert split.judgements == {"q1": {"d1": 1}, "q2": {"d2": 2}}


def test_the_search_is_measured(folder: Path, run: Run) -> None:
    status, out, _ = run("evaluate", folder, "--mode", "words", "--json")
    assert status == 0
    line = json.loads(out)
    assert (line["dataset"], line["documents"], line["queries"]) == ("birds", 2, 2)


def test_mteb_and_nanobeir_have_other_names(tmp_path: Path) -> None:
    """Ids in `id`, numbers as ids, splits of the corpus, judgements in `default`, no score."""
    documents = [{"id": 1, "text": "Rooks breed."}, {"id": 2, "text": "Crows do not."}]
    for split in ("dev", "test"):
        write(tmp_path / "corpus" / f"{split}-00000-of-00001.parquet", documents)
    write(tmp_path / "queries" / "test" / "0000.parquet", [{"id": "q", "text": "rooks"}])
    write(tmp_path / "default" / "test" / "0000.parquet", [{"query-id": "q", "corpus-id": 1}])
    data = DataSet(tmp_path)
    assert [document.id for document in data.documents()] == ["1", "2"]
    assert data.split("test").judgements == {"q": {"1": 1}}


def test_judgements_may_be_in_text_files(folder: Path) -> None:
    for path in (folder / "qrels").iterdir():
        path.unlink()
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    assert DataSet(folder).split("test").judgements == {"q1": {"d1": 1}}


def test_a_downloaded_data_set_is_named_after_its_repository(folder: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "hub" / "datasets--mteb--scifact" / "snapshots" / "0123abc"
    snapshot.parent.mkdir(parents=True)
    folder.rename(snapshot)
    assert DataSet(snapshot).name == "scifact"


@pytest.mark.parametrize(
    ("path", "entry", "sentence"),
    [
        ("corpus", {"_id": "d1", "text": "other"}, "row 1: duplicate id 'd1'"),
        ("corpus", {"_id": "", "text": "x"}, 'row 1: "_id" is missing'),
        ("corpus", {"_id": "d9"}, 'row 1: "text" is missing'),
        ("corpus", {"_id": "d9", "text": "x", "title": 5}, 'row 1: "title" is not a string'),
        ("queries", {"_id": "q9", "text": 5}, 'row 1: "text" is not a string'),
        ("qrels", {"query-id": "q1", "corpus-id": "d1", "score": 0.5}, "0.5 is not a whole"),
        ("qrels", {"query-id": "q1", "score": 1}, 'row 1: "corpus-id" is missing'),
        ("qrels", {"query-id": "q7", "corpus-id": "d1", "score": 1}, "no query has the id 'q7'"),
    ],
)
def test_a_malformed_row_is_named(
    path: str, entry: dict[str, Any], sentence: str, folder: Path
) -> None:
    write(folder / path / "test-00001-of-00001.parquet", [entry])
    data = DataSet(folder)

    def read() -> None:
        list(data.documents())
        data.split("test")

    with pytest.raises(UsageError, match=sentence):
        read()


def test_a_damaged_file_is_named(folder: Path) -> None:
    path = folder / "corpus" / "corpus-00001-of-00002.parquet"
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(UsageError, match=r"corpus-00001-of-00002\.parquet cannot be read"):
        list(DataSet(folder).documents())


def test_missing_judgements_are_named(folder: Path) -> None:
    for path in (folder / "qrels").iterdir():
        path.unlink()
    (folder / "qrels").rmdir()
    with pytest.raises(UsageError, match="holds no qrels: a data set has"):
        DataSet(folder)


def test_the_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("corpus", "queries", "qrels"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "test.parquet").touch()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(UsageError, match="need pyarrow; install it with pip install pyarrow"):
        list(DataSet(tmp_path).documents())
