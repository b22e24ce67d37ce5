"""Asks a library questions, and counts at which rank the right document is."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from core.library.library import Library
from core.requests import CORRECTED, Search
from core.responses import Mode, SearchResults
from known_items.items import Question

# Documents per answer, as the window requests them.
_SHOWN: Final = 20
# Return the name of a document in questions, by its id and path.
NameOf = Callable[[int, Path], str]


@dataclass(frozen=True)
class Outcome:
    """The answer to one question.

    Attributes:
        question: the question.
        rank: of the first right document, from 1; 0 if it is not among the results.
        first: the first result, "" for none.
        close: results that are not marked as less likely.
        suggestion: what the program offered to search for instead, or did.
    """

    question: Question
    rank: int
    first: str
    close: int
    suggestion: str


def ask(
    library: Library, questions: Iterable[Question], name_of: NameOf, mode: Mode
) -> list[Outcome]:
    """Ask all questions as `winnow search` does."""
    return [
        _outcome(question, library.answer(_request(question.text, mode)), name_of)
        for question in questions
    ]


def _request(text: str, mode: Mode) -> Search:
    return Search(text, mode, _SHOWN, rewrites=CORRECTED)


def _outcome(question: Question, results: SearchResults, name_of: NameOf) -> Outcome:
    """Return the rank in the list, which the files found by their names only follow."""
    names = [name_of(hit.document_id, hit.path) for hit in results.hits]
    names += [name_of(named.id, named.path) for named in results.named]
    rank = next((rank for rank, name in enumerate(names, 1) if name in question.answers), 0)
    suggestion = results.suggestion.query if results.suggestion else ""
    return Outcome(question, rank, names[0] if names else "", results.likely, suggestion)


@dataclass(frozen=True)
class Figures:
    """Figures of a group of questions, shares with their standard errors.

    Attributes:
        part: the part of the benchmark.
        kind: the kind of question, or "all".
        questions: the number of questions.
        has_answers: whether there is a right document.
        first: share with the right document first.
        in_three: share with it among the first three.
        reciprocal_rank: mean reciprocal rank.
        silent: share for which no close match is claimed.
    """

    part: str
    kind: str
    questions: int
    has_answers: bool
    first: tuple[float, float]
    in_three: tuple[float, float]
    reciprocal_rank: tuple[float, float]
    silent: tuple[float, float]

    @property
    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error.

    >>> mean_and_error([3.0, 1.0, 1.0, 3.0])[0], mean_and_error([1.0, 1.0])
    (2.0, (1.0, 0.0))
    """
    if len(values) < 2:
        return (values[0] if values else math.nan), math.nan
    return statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values))


def figures(part: str, kind: str, outcomes: Sequence[Outcome]) -> Figures:
    """Return the figures of a group of outcomes."""
    ranks = [outcome.rank for outcome in outcomes]
    return Figures(
        part,
        kind,
        len(outcomes),
        any(outcome.question.answers for outcome in outcomes),
        mean_and_error([float(rank == 1) for rank in ranks]),
        mean_and_error([float(0 < rank <= 3) for rank in ranks]),
        mean_and_error([1 / rank if rank else 0.0 for rank in ranks]),
        mean_and_error([float(not outcome.close) for outcome in outcomes]),
    )


def table(outcomes: Sequence[Outcome]) -> list[Figures]:
    """Return the figures by part and kind, then of each whole part."""
    rows = []
    for part in dict.fromkeys(outcome.question.part for outcome in outcomes):
        of_part = [outcome for outcome in outcomes if outcome.question.part == part]
        kinds = dict.fromkeys(outcome.question.kind for outcome in of_part)
        for kind in kinds if len(kinds) > 1 else ():
            of_kind = [outcome for outcome in of_part if outcome.question.kind == kind]
            rows.append(figures(part, kind, of_kind))
        rows.append(figures(part, "all", of_part))
    return rows


def lines(rows: Sequence[Figures]) -> list[str]:
    """Return a table in Markdown."""
    head = "| part | kind | questions | first | in three | reciprocal rank | no close match |"
    cells = (
        f"| {row.part} | {row.kind} | {row.questions} | {' | '.join(_ranks(row))} |"
        f" {_share(row.silent)} |"
        for row in rows
    )
    return [head, "|---|---|---|---|---|---|---|", *cells]


def _ranks(row: Figures) -> tuple[str, str, str]:
    """Return the cells of the ranks, which questions without an answer lack."""
    if not row.has_answers:
        return ("", "", "")
    return _share(row.first), _share(row.in_three), _share(row.reciprocal_rank, 1)


def _share(share: tuple[float, float], scale: int = 100) -> str:
    """Return a share with its standard error, which one question does not have.

    >>> _share((0.5, 0.25)), _share((0.5, 0.25), 1), _share((1.0, math.nan))
    ('50.0 ± 25.0 %', '.500 ± .250', '100.0 %')
    """
    digits = 1 if scale == 100 else 3
    numbers = [f"{number * scale:.{digits}f}" for number in share if not math.isnan(number)]
    if scale == 100:
        return f"{' ± '.join(numbers)} %"
    return " ± ".join(numbers).replace("0.", ".")
