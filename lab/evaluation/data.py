"""Judged data sets in BEIR's layout: documents, queries, and who judged what relevant to which.

A data set is a folder with `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`,
`text`) and one `qrels/SPLIT.tsv` a split (`query-id`, `corpus-id`, `score`).

Source: Thakur et al., BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information
Retrieval Models, 2021.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.errors import FolderError, UsageError
from core.json_lines import lines, object_of, text_of

Judgements = Mapping[str, Mapping[str, int]]
"""Query id -> document id -> grade; a grade of 0 or less is a judgement "not relevant"."""

_HEADER: Final = ["query-id", "corpus-id", "score"]
_LAYOUT: Final = "a data set has corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv"


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    """A document of the corpus; `title` is "" where it has none."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Query:
    """A query as it was asked."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Split:
    """The queries of a split, in the order of `queries.jsonl`, and the judgements on them.

    Each query has at least one judgement. Judged documents need not be in the corpus: BEIR's own
    sets leave out some that were empty.
    """

    name: str
    queries: tuple[Query, ...]
    judgements: Judgements


@dataclass(frozen=True, slots=True)
class DataSet:
    """A judged data set in a folder; nothing is read before it is asked for.

    Raises:
        FolderError: the folder is not there.
        UsageError: it is not laid out as a data set.
    """

    folder: Path

    def __post_init__(self) -> None:
        if not self.folder.is_dir():
            raise FolderError(f"{self.folder} is not a folder: name one that holds a data set.")
        for needed in ("corpus.jsonl", "queries.jsonl", "qrels"):
            if not (self.folder / needed).exists():
                raise UsageError(f"{self.folder} holds no {needed}: {_LAYOUT}.")

    @property
    def name(self) -> str:
        return self.folder.resolve().name

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of the splits, in alphabetical order."""
        return tuple(sorted(path.stem for path in (self.folder / "qrels").glob("*.tsv")))

    def documents(self) -> Iterator[CorpusDocument]:
        """Yield the documents in the file's order, one at a time.

        Raises:
            UsageError: a line is no document, or has the id of another.
        """
        for where, entry in _entries(self.folder / "corpus.jsonl"):
            title = entry.get("title")
            if not (title is None or isinstance(title, str)):
                raise UsageError(f'{where}: "title" is not a text.')
            yield CorpusDocument(
                text_of(entry, "_id", where), title or "", text_of(entry, "text", where)
            )

    def queries(self) -> Iterator[Query]:
        """Yield all queries in the file's order, those of every split and those that nobody judged.

        Raises:
            UsageError: a line is no query, or has the id of another.
        """
        for where, entry in _entries(self.folder / "queries.jsonl"):
            yield Query(text_of(entry, "_id", where), text_of(entry, "text", where))

    def split(self, name: str) -> Split:
        """Return the queries and the judgements of one split.

        Raises:
            UsageError: there is no such split, or a line of its file is no judgement, repeats
                one, or names a query that there is not.
        """
        if name not in self.splits:
            there_are = ", ".join(self.splits) or "none"
            raise UsageError(f"{self.folder} has no split {name!r}; its splits: {there_are}.")
        queries = {query.id: query for query in self.queries()}
        judgements: dict[str, dict[str, int]] = {}
        for where, query_id, document_id, grade in _rows(self.folder / "qrels" / f"{name}.tsv"):
            if query_id not in queries:
                raise UsageError(f"{where}: no query has the id {query_id!r}.")
            judged = judgements.setdefault(query_id, {})
            if document_id in judged:
                raise UsageError(f"{where}: {document_id!r} is judged twice for {query_id!r}.")
            judged[document_id] = grade
        asked = tuple(query for query in queries.values() if query.id in judgements)
        return Split(name, asked, judgements)


def _entries(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield where each line of a .jsonl file stands and its object; an `_id` occurs once."""
    seen: set[str] = set()
    for where, text in lines(path):
        entry = object_of(text, where)
        identifier = text_of(entry, "_id", where)
        if not identifier or identifier in seen:
            reason = f"the id {identifier!r} occurs before" if identifier else 'the "_id" is empty'
            raise UsageError(f"{where}: {reason}.")
        seen.add(identifier)
        yield where, entry


def _rows(path: Path) -> Iterator[tuple[str, str, str, int]]:
    """Yield where each judgement stands, its query's id, its document's id, its grade."""
    given = lines(path)
    where, header = next(given, (str(path), ""))
    if header.split("\t") != _HEADER:
        raise UsageError(
            f"{where}: the first line has to be {', '.join(_HEADER)} with tabs between."
        )
    for where, text in given:
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
