"""Judged data sets in the layout of BEIR, Hugging Face or LoTTE: documents, queries, judgements.

In BEIR's layout, a data set is a folder with `corpus.jsonl` (`_id`, `title`, `text`),
`queries.jsonl` (`_id`, `text`) and one `qrels/SPLIT.tsv` per split (`query-id`, `corpus-id`,
`score`).

In Hugging Face's layout, which BEIR, NanoBEIR and MTEB have there, it is a folder with Parquet
files in `corpus` (`_id` or `id`, `title`, `text`), in `queries` (`_id` or `id`, `text`), and one or
more per split in `qrels`, `default` or `data` (`query-id`, `corpus-id`, `score`). `qrels` may have
BEIR's .tsv files instead.

In LoTTE's layout, it is a folder with `collection.tsv` (pid, text) and, for each of the splits
`search` and `forum`, `questions.SPLIT.tsv` (qid, text) and `qas.SPLIT.jsonl` (`qid`,
`answer_pids`).

Sources: Thakur et al., BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information
Retrieval Models, 2021; Santhanam et al., ColBERTv2, 2022, section 4 and appendix D; mteb 2,
`RetrievalDatasetLoader`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from core.encoders.folders.hub_cache import hub_name
from core.errors import FolderError, UsageError
from core.json_input import lines, object_of, text_of
from lab.evaluation.parquet import parquet_files, rows, split_of

# Query id -> document id -> grade. A grade of 0 or less means "not relevant".
Judgements = Mapping[str, Mapping[str, int]]

_HEADER: Final = ["query-id", "corpus-id", "score"]
_LAYOUT: Final = (
    "a data set has corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv, or Parquet files in the"
    " folders corpus, queries and qrels, or in LoTTE's layout collection.tsv, questions.SPLIT.tsv"
    " and qas.SPLIT.jsonl"
)
# Columns of an id, and folders of judgements, in Hugging Face's layout.
_ID: Final = ("_id", "id")
_JUDGED: Final = ("qrels", "default", "data")
_LOTTE_PARTS: Final = ("dev", "test")


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of the corpus; `title` is "" if it has none."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Query:
    """A query of a data set."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Split:
    """The queries of a split, in the order of their file, and the judgements on them.

    Each query has at least one judgement. Judged documents need not be in the corpus: BEIR's own
    sets leave out some that were empty.
    """

    name: str
    queries: tuple[Query, ...]
    judgements: Judgements


def is_data_set(folder: Path) -> bool:
    """Return whether a folder has the documents of a judged data set, in any layout."""
    return (folder / "corpus.jsonl").exists() or _is_parquet(folder) or _is_lotte(folder)


@dataclass(frozen=True, slots=True)
class DataSet:
    """A judged data set in a folder; files are read on demand.

    Attributes:
        folder: of the set.
        unrelated: folders of other sets, whose documents are added to this one's, with the set's
            name before their ids. No query is judged on them, so they must answer none.

    Raises:
        FolderError: the folder does not exist.
        UsageError: it is not a data set.
    """

    folder: Path
    unrelated: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if not self.folder.is_dir():
            raise FolderError(f"{self.folder} is not a folder: name one that holds a data set.")
        for folder in self.unrelated:
            DataSet(folder)
        for needed in self._layout.needed:
            if not (self.folder / needed).exists():
                raise UsageError(f"{self.folder} holds no {needed}: {_LAYOUT}.")

    @property
    def _layout(self) -> _Beir | _Parquet | _Lotte:
        if _is_parquet(self.folder):
            return _Parquet(self.folder)
        return _Lotte(self.folder) if _is_lotte(self.folder) else _Beir(self.folder)

    @property
    def name(self) -> str:
        """The folder's name, with the topic's for LoTTE's `dev` and `test`."""
        return self._layout.name

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of the splits, in alphabetical order."""
        return self._layout.splits

    def documents(self) -> Iterator[CorpusDocument]:
        """Yield the documents in the file's order, one at a time, the unrelated ones last.

        Raises:
            UsageError: a line is not a document, or repeats an id.
        """
        yield from self._layout.documents()
        for other in map(DataSet, self.unrelated):
            for entry in other.documents():
                yield replace(entry, id=f"{other.name}:{entry.id}")

    def queries(self) -> Iterator[Query]:
        """Yield all queries in the file's order, including those of other splits and unjudged ones.

        Raises:
            UsageError: a line is not a query, or repeats an id.
        """
        return self._layout.queries()

    def split(self, name: str) -> Split:
        """Return the queries and the judgements of one split.

        Raises:
            UsageError: the split does not exist, or a line of its file is malformed, repeats a
                judgement, or names an unknown query.
        """
        if name not in self.splits:
            there_are = ", ".join(self.splits) or "none"
            raise UsageError(f"{self.folder} has no split {name!r}; its splits: {there_are}.")
        queries = {query.id: query for query in self.queries()}
        judgements: dict[str, dict[str, int]] = {}
        for where, query_id, document_id, grade in self._layout.judgements(name):
            if query_id not in queries:
                raise UsageError(f"{where}: no query has the id {query_id!r}.")
            judged = judgements.setdefault(query_id, {})
            if document_id in judged:
                raise UsageError(f"{where}: {document_id!r} is judged twice for {query_id!r}.")
            judged[document_id] = grade
        judged_queries = tuple(query for query in queries.values() if query.id in judgements)
        return Split(name, judged_queries, judgements)


@dataclass(frozen=True, slots=True)
class _Beir:
    """A folder in BEIR's layout."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.resolve().name

    @property
    def needed(self) -> tuple[str, ...]:
        return ("corpus.jsonl", "queries.jsonl", "qrels")

    @property
    def splits(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in (self.folder / "qrels").glob("*.tsv")))

    def documents(self) -> Iterator[CorpusDocument]:
        for where, entry in _entries(self.folder / "corpus.jsonl"):
            yield CorpusDocument(
                text_of(entry, "_id", where), _title(entry, where), text_of(entry, "text", where)
            )

    def queries(self) -> Iterator[Query]:
        for where, entry in _entries(self.folder / "queries.jsonl"):
            yield Query(text_of(entry, "_id", where), text_of(entry, "text", where))

    def judgements(self, split: str) -> Iterator[tuple[str, str, str, int]]:
        return _rows(self.folder / "qrels" / f"{split}.tsv")


@dataclass(frozen=True, slots=True)
class _Parquet:
    """A folder in Hugging Face's layout.

    A document or query may be in the files of several splits.
    """

    folder: Path

    @property
    def name(self) -> str:
        return hub_name(self.folder).rpartition("/")[2] or self.folder.resolve().name

    @property
    def needed(self) -> tuple[str, ...]:
        return ("corpus", "queries") if self._judged else ("corpus", "queries", "qrels")

    @property
    def splits(self) -> tuple[str, ...]:
        return tuple(sorted(self._judged))

    @property
    def _judged(self) -> dict[str, list[Path]]:
        """The files with judgements, by split."""
        found: dict[str, list[Path]] = {}
        folders = (self.folder / name for name in _JUDGED)
        folder = next((one for one in folders if parquet_files(one)), self.folder / _JUDGED[0])
        for path in parquet_files(folder):
            found.setdefault(split_of(path, folder), []).append(path)
        for path in sorted(folder.glob("*.tsv")):
            found.setdefault(path.stem, []).append(path)
        return found

    def documents(self) -> Iterator[CorpusDocument]:
        for where, identifier, entry in self._entries("corpus"):
            yield CorpusDocument(identifier, _title(entry, where), text_of(entry, "text", where))

    def queries(self) -> Iterator[Query]:
        for where, identifier, entry in self._entries("queries"):
            yield Query(identifier, text_of(entry, "text", where))

    def judgements(self, split: str) -> Iterator[tuple[str, str, str, int]]:
        for path in self._judged[split]:
            if path.suffix == ".tsv":
                yield from _rows(path)
                continue
            for where, entry in rows([path], _HEADER):
                query_id, document_id = (_identifier(entry, (name,), where) for name in _HEADER[:2])
                score = entry.get("score", 1)
                if not isinstance(score, int | float) or int(score) != score:
                    raise UsageError(f"{where}: the score {score!r} is not a whole number.")
                yield where, query_id, document_id, int(score)

    def _entries(self, kind: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Yield location, id and values of each row."""
        seen: dict[str, int] = {}
        files = parquet_files(self.folder / kind)
        for where, entry in rows(files, (*_ID, "title", "text")):
            identifier = _identifier(entry, _ID, where)
            content = hash((entry.get("title"), entry.get("text")))
            if identifier not in seen:
                seen[identifier] = content
                yield where, identifier, entry
            elif seen[identifier] != content:
                raise UsageError(f"{where}: duplicate id {identifier!r}.")


@dataclass(frozen=True, slots=True)
class _Lotte:
    """A folder in LoTTE's layout.

    Passages and the questions of each split are all numbered from 0. A question's id is prefixed
    with its split, which makes it unique.
    """

    folder: Path

    @property
    def name(self) -> str:
        folder = self.folder.resolve()
        return f"{folder.parent.name}-{folder.name}" if folder.name in _LOTTE_PARTS else folder.name

    @property
    def needed(self) -> tuple[str, ...]:
        of_splits = (
            name
            for split in self.splits
            for name in (f"questions.{split}.tsv", f"qas.{split}.jsonl")
        )
        return ("collection.tsv", *of_splits) if self.splits else ("questions.search.tsv",)

    @property
    def splits(self) -> tuple[str, ...]:
        found = (*self.folder.glob("questions.*.tsv"), *self.folder.glob("qas.*.jsonl"))
        return tuple(sorted({path.name.split(".")[1] for path in found}))

    def documents(self) -> Iterator[CorpusDocument]:
        for number, text in _numbered(self.folder / "collection.tsv"):
            yield CorpusDocument(number, "", text)

    def queries(self) -> Iterator[Query]:
        for split in self.splits:
            for number, text in _numbered(self.folder / f"questions.{split}.tsv"):
                yield Query(f"{split}-{number}", text)

    def judgements(self, split: str) -> Iterator[tuple[str, str, str, int]]:
        for where, text in lines(self.folder / f"qas.{split}.jsonl"):
            entry = object_of(text, where)
            number, answers = entry.get("qid"), entry.get("answer_pids")
            if not _is_whole(number):
                raise UsageError(f'{where}: "qid" is not a whole number.')
            if not (isinstance(answers, list) and answers and all(map(_is_whole, answers))):
                raise UsageError(f'{where}: "answer_pids" is not a list of passages\' numbers.')
            for answer in answers:
                yield where, f"{split}-{number}", str(answer), 1


def _is_lotte(folder: Path) -> bool:
    if (folder / "corpus.jsonl").exists():
        return False  # a folder in BEIR's layout takes precedence
    return (folder / "collection.tsv").exists() or any(folder.glob("questions.*.tsv"))


def _is_parquet(folder: Path) -> bool:
    return not (folder / "corpus.jsonl").exists() and bool(parquet_files(folder / "corpus"))


def _title(entry: Mapping[str, Any], where: str) -> str:
    """Return the title; "" for a document without one."""
    return "" if entry.get("title") is None else text_of(entry, "title", where)


def _identifier(entry: Mapping[str, Any], names: tuple[str, ...], where: str) -> str:
    """Return the id in the first of these columns that there is; some sets have numbers."""
    value = next((entry[name] for name in names if name in entry), None)
    if not (_is_whole(value) or (isinstance(value, str) and value)):
        raise UsageError(f'{where}: "{names[0]}" is missing.')
    return str(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _numbered(path: Path) -> Iterator[tuple[str, str]]:
    """Yield number and text of each line of a LoTTE .tsv file. Numbers are unique."""
    seen: set[str] = set()
    for where, line in lines(path):
        number, tab, text = line.partition("\t")
        if not tab:
            raise UsageError(f"{where}: there is no tab between a number and a text.")
        if not (number.isascii() and number.isdecimal()):
            raise UsageError(f"{where}: {number!r} is not a whole number.")
        if number in seen:
            raise UsageError(f"{where}: duplicate number {number}.")
        seen.add(number)
        yield number, text


def _entries(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield location and object of each line of a .jsonl file. Each `_id` is unique."""
    seen: set[str] = set()
    for where, text in lines(path):
        entry = object_of(text, where)
        identifier = text_of(entry, "_id", where)
        if not identifier or identifier in seen:
            reason = f"duplicate id {identifier!r}" if identifier else 'the "_id" is empty'
            raise UsageError(f"{where}: {reason}.")
        seen.add(identifier)
        yield where, entry


def _rows(path: Path) -> Iterator[tuple[str, str, str, int]]:
    """Yield each judgement's location, query id, document id and grade."""
    rows = lines(path)
    where, header = next(rows, (str(path), ""))
    if header.split("\t") != _HEADER:
        raise UsageError(
            f"{where}: the first line must be {', '.join(_HEADER)}, separated by tabs."
        )
    for where, text in rows:
        columns = text.split("\t")
        if len(columns) != len(_HEADER):
            raise UsageError(f"{where}: there are {len(columns)} columns, not {len(_HEADER)}.")
        query_id, document_id, score = columns
        if not query_id or not document_id:
            raise UsageError(f"{where}: an id is missing.")
        try:
            grade = int(score)
        except ValueError as error:
            raise UsageError(f"{where}: the score {score!r} is not a whole number.") from error
        yield where, query_id, document_id, grade
