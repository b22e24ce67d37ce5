"""Reading of judged data sets, and the errors for malformed ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from core.errors import FolderError, UsageError
from lab.evaluation.data import CorpusDocument, DataSet, Query

CORPUS = (
    '{"_id": "d1", "title": "Rooks", "text": "Rooks breed in colonies."}',
    '{"_id": "d2", "text": "Crows\u2028do not.", "metadata": {"year": 1890}}',
)
QUERIES = (
    '{"_id": "q1", "text": "which birds breed together"}',
    '{"_id": "q2", "text": "who is alone"}',
    '{"_id": "q3", "text": "without a judgement"}',
)
QRELS = ("query-id\tcorpus-id\tscore", "q2\td2\t2", "q1\td1\t1", "q1\td2\t0", "q1\tgone\t-1")


def write(path: Path, lines: tuple[str, ...]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "birds" / "corpus.jsonl", CORPUS)
    write(tmp_path / "birds" / "queries.jsonl", QUERIES)
    write(tmp_path / "birds" / "qrels" / "test.tsv", QRELS)
    return tmp_path / "birds"


def test_documents_may_have_a_title(folder: Path) -> None:
    assert list(DataSet(folder).documents()) == [
        CorpusDocument("d1", "Rooks", "Rooks breed in colonies."),
        CorpusDocument("d2", "", "Crows\u2028do not."),
    ]


def test_documents_are_read_one_at_a_time(folder: Path) -> None:
    write(folder / "corpus.jsonl", (CORPUS[0], "not JSON"))
    documents = DataSet(folder).documents()
    assert next(documents).id == "d1"
    with pytest.raises(UsageError, match="line 2"):
        next(documents)


def test_documents_of_unrelated_sets_follow_with_other_ids(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    own = DataSet(folder)
    both = DataSet(folder, (other,))
    ids = [one.id for one in both.documents()]
    assert ids == [
        *(one.id for one in own.documents()),
        *(f"other:{one.id}" for one in DataSet(other).documents()),
    ]
    assert (both.name, both.splits) == (own.name, own.splits)
    assert both.split("test") == own.split("test")
    with pytest.raises(FolderError):
        DataSet(folder, (tmp_path / "nowhere",))


def test_a_split_has_its_judged_queries_in_the_order_of_the_file(folder: Path) -> None:
    split = DataSet(folder).split("test")
    assert split.queries == (
        Query("q1", "which birds breed together"),
        Query("q2", "who is alone"),
    )
    assert split.judgements == {"q1": {"d1": 1, "d2": 0, "gone": -1}, "q2": {"d2": 2}}


def test_a_data_set_is_named_after_its_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert DataSet(Path()).name == "birds"


def test_blank_lines_crlf_and_bom_are_ignored(folder: Path) -> None:
    for path in (folder / "corpus.jsonl", folder / "queries.jsonl", folder / "qrels/test.tsv"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n")
    data_set = DataSet(folder)
    assert [document.id for document in data_set.documents()] == ["d1", "d2"]
    assert data_set.split("test").judgements["q2"] == {"d2": 2}


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="nowhere is not a folder"):
        DataSet(tmp_path / "nowhere")


def test_the_error_for_another_folder_lists_the_expected_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no corpus\.jsonl: a data set has"):
        DataSet(tmp_path)


def test_the_error_for_an_unknown_split_lists_the_splits(folder: Path) -> None:
    write(folder / "qrels" / "train.tsv", QRELS)
    with pytest.raises(UsageError, match=r"no split 'dev'; its splits: test, train\.$"):
        DataSet(folder).split("dev")


def test_a_split_cannot_escape_the_folder(folder: Path) -> None:
    write(folder / "secret.tsv", QRELS)
    with pytest.raises(UsageError, match="no split"):
        DataSet(folder).split("../secret")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "not a JSON object"),
        ('{"text": "x"}', '"_id" is missing'),
        ('{"_id": 7, "text": "x"}', '"_id" is not a string'),
        ('{"_id": "", "text": "x"}', 'the "_id" is empty'),
        ('{"_id": "d1", "text": "x"}', "duplicate id 'd1'"),
        ('{"_id": "d9"}', '"text" is missing'),
        ('{"_id": "d9", "text": null}', '"text" is not a string'),
        ('{"_id": "d9", "text": "x", "title": 3}', '"title" is not a string'),
    ],
)
def test_an_invalid_document_is_reported_with_its_line(
    folder: Path, line: str, reason: str
) -> None:
    write(folder / "corpus.jsonl", (*CORPUS, line))
    with pytest.raises(UsageError) as caught:
        list(DataSet(folder).documents())
    assert str(caught.value) == f"{folder / 'corpus.jsonl'}, line 3: {reason}."


def test_duplicate_query_ids_are_refused(folder: Path) -> None:
    write(folder / "queries.jsonl", (*QUERIES, json.dumps({"_id": "q1", "text": "again"})))
    with pytest.raises(UsageError, match=r"queries\.jsonl, line 4: duplicate id 'q1'"):
        list(DataSet(folder).queries())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("q1\td1", "there are 2 columns, not 3"),
        ("q1 0 d1 1", "there are 1 columns, not 3"),
        ("q1\td5\thigh", "the score 'high' is not a whole number"),
        ("q1\td5\t0.5", "the score '0.5' is not a whole number"),
        ("q1\t\t1", "an id is missing"),
        ("q7\td1\t1", "no query has the id 'q7'"),
        ("q1\td1\t1", "'d1' is judged twice for 'q1'"),
    ],
)
def test_an_invalid_judgement_is_reported_with_its_line(
    folder: Path, line: str, reason: str
) -> None:
    write(folder / "qrels" / "test.tsv", (*QRELS, line))
    with pytest.raises(UsageError) as caught:
        DataSet(folder).split("test")
    assert str(caught.value) == f"{folder / 'qrels' / 'test.tsv'}, line 6: {reason}."


@pytest.mark.parametrize("lines", [(), QRELS[1:], ("query-id corpus-id score",)])
def test_judgements_without_their_header_are_refused(folder: Path, lines: tuple[str, ...]) -> None:
    # Otherwise the first judgement would be silently skipped as the header.
    write(folder / "qrels" / "test.tsv", lines)
    with pytest.raises(UsageError, match="first line must be query-id, corpus-id, score"):
        DataSet(folder).split("test")


def test_invalid_utf_8_is_reported(folder: Path) -> None:
    (folder / "corpus.jsonl").write_bytes(b'{"_id": "d1", "text": "na\xefve"}\n')
    with pytest.raises(UsageError, match="line 1: not valid UTF-8"):
        list(DataSet(folder).documents())


def test_an_unreadable_file_is_reported(folder: Path) -> None:
    (folder / "queries.jsonl").unlink()
    (folder / "queries.jsonl").mkdir()
    with pytest.raises(UsageError, match=r"queries\.jsonl cannot be read"):
        list(DataSet(folder).queries())


COLLECTION = ("0\tRooks breed in colonies.", "1\tCrows\tdo not.", "2\tOwls hunt at night.")
ANSWERS = ('{"qid": 1, "query": "who is alone", "answer_pids": [1, 2]}',)


@pytest.fixture
def lotte(tmp_path: Path) -> Path:
    folder = tmp_path / "birds" / "dev"
    folder.mkdir(parents=True)
    write(folder / "collection.tsv", COLLECTION)
    write(folder / "questions.search.tsv", ("0\twhich birds breed together", "1\twho is alone"))
    write(folder / "qas.search.jsonl", ANSWERS)
    write(folder / "questions.forum.tsv", ("0\tDo owls sleep?",))
    write(folder / "qas.forum.jsonl", ('{"qid": 0, "query": "?", "answer_pids": [2]}',))
    return folder


def test_a_set_in_lottes_layout_has_a_split_for_each_kind_of_question(lotte: Path) -> None:
    data = DataSet(lotte)
    assert (data.name, data.splits) == ("birds-dev", ("forum", "search"))
    assert list(data.documents()) == [
        CorpusDocument("0", "", "Rooks breed in colonies."),
        CorpusDocument("1", "", "Crows\tdo not."),
        CorpusDocument("2", "", "Owls hunt at night."),
    ]
    split = data.split("search")
    assert split.queries == (Query("search-1", "who is alone"),)
    assert split.judgements == {"search-1": {"1": 1, "2": 1}}
    assert data.split("forum").queries == (Query("forum-0", "Do owls sleep?"),)


def test_lotte_queries_and_passages_have_different_ids(lotte: Path) -> None:
    """A document with the query's id is left out of its results."""
    data = DataSet(lotte)
    documents = {document.id for document in data.documents()}
    questions = [query.id for query in data.queries()]
    assert len(set(questions)) == len(questions) == 3
    assert documents.isdisjoint(questions)


def test_a_collection_file_in_beirs_layout_is_ignored(folder: Path) -> None:
    write(folder / "collection.tsv", COLLECTION)
    assert DataSet(folder).splits == ("test",)
    assert next(DataSet(folder).documents()).id == "d1"


@pytest.mark.parametrize("name", ["collection.tsv", "questions.forum.tsv", "qas.search.jsonl"])
def test_a_missing_lotte_file_is_reported(lotte: Path, name: str) -> None:
    (lotte / name).unlink()
    with pytest.raises(UsageError) as caught:
        DataSet(lotte)
    assert str(caught.value).startswith(f"{lotte} holds no {name}: a data set has")


def test_a_collection_without_queries_is_reported(lotte: Path) -> None:
    for path in (*lotte.glob("questions.*"), *lotte.glob("qas.*")):
        path.unlink()
    with pytest.raises(UsageError, match=r"holds no questions\.search\.tsv"):
        DataSet(lotte)


@pytest.mark.parametrize(
    ("name", "line", "reason"),
    [
        ("collection.tsv", "3 a text", "there is no tab between a number and a text"),
        ("collection.tsv", "x\ta text", "'x' is not a whole number"),
        ("collection.tsv", "2\tagain", "duplicate number 2"),
        ("questions.search.tsv", "-1\twho", "'-1' is not a whole number"),
        ("qas.search.jsonl", "[]", "not a JSON object"),
        ("qas.search.jsonl", '{"answer_pids": [1]}', '"qid" is not a whole number'),
        ("qas.search.jsonl", '{"qid": true, "answer_pids": [1]}', '"qid" is not a whole number'),
        ("qas.search.jsonl", '{"qid": 9, "answer_pids": [1]}', "no query has the id 'search-9'"),
        (
            "qas.search.jsonl",
            '{"qid": 1, "answer_pids": [1]}',
            "'1' is judged twice for 'search-1'",
        ),
        *(
            (
                "qas.search.jsonl",
                f'{{"qid": 0, "answer_pids": {answers}}}',
                '"answer_pids" is not a list of passages\' numbers',
            )
            for answers in ("3", "[]", '["1"]', "null")
        ),
    ],
)
def test_a_damaged_lotte_line_is_reported(lotte: Path, name: str, line: str, reason: str) -> None:
    path = lotte / name
    count = len(path.read_bytes().splitlines())
    write(path, (*path.read_text().splitlines(), line))
    data = DataSet(lotte)
    with pytest.raises(UsageError) as caught:
        (list(data.documents()), data.split("search"))
    assert str(caught.value) == f"{path}, line {count + 1}: {reason}."
