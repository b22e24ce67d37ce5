"""What is asked of the engine when results are marked; called in the background, without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.alignment.pairwise import AlignmentStrategy
    from core.catalog.judgements import Forgotten, Judgement
    from core.library.library import Library
    from core.progress import Job
    from core.search.teaching import Adaptation


@dataclass(frozen=True, slots=True)
class MarkedPassages:
    """The passages that are marked right for a query, by their numbers."""

    query: str
    passages: frozenset[int]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What the marked results say; `can_undo` tells whether an earlier lesson is in use."""

    adaptation: Adaptation
    can_undo: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """All judgements, and those that were forgotten in their place just now."""

    judgements: tuple[Judgement, ...]
    forgotten: tuple[Forgotten, ...] = ()


def look_up(library: Library, query: str, _job: Job | None = None) -> MarkedPassages:
    """Return what is marked for `query`."""
    judged = library.teaching.judgements(query)
    return MarkedPassages(
        query, frozenset(number for judgement in judged for number in judgement.passages)
    )


def toggle(library: Library, query: str, passage_id: int, _job: Job) -> MarkedPassages:
    """Mark a passage right for `query`, or no longer; give what is marked then."""
    teaching = library.teaching
    marked = [
        judgement for judgement in teaching.judgements(query) if passage_id in judgement.passages
    ]
    for judgement in marked:
        teaching.forget(judgement.id)
    if not marked:
        teaching.judge(query, passage_id)
    return look_up(library, query)


def forget(library: Library, numbers: tuple[int, ...], _job: Job) -> Judged:
    """Forget judgements; give what is left, and what would bring them back."""
    teaching = library.teaching
    forgotten = tuple(teaching.forget(number) for number in numbers)
    return Judged(teaching.judgements(), forgotten)


def restore(library: Library, forgotten: tuple[Forgotten, ...], _job: Job) -> Judged:
    """Take judgements back that were forgotten; give all that there are then."""
    teaching = library.teaching
    for judgement in forgotten:
        teaching.restore(judgement)
    return Judged(teaching.judgements())


def judged(library: Library, _job: Job) -> Judged:
    """Return what is marked."""
    return Judged(library.teaching.judgements())


def learn(library: Library, job: Job) -> Lesson:
    """Return what the marked results say."""
    return Lesson(library.teaching.propose(job), library.teaching.can_undo)


def accept(library: Library, alignment: AlignmentStrategy, job: Job) -> Lesson:
    """Search as is proposed from now on; give what there is to say then."""
    library.teaching.adopt(alignment)
    return learn(library, job)


def undo(library: Library, job: Job) -> Lesson:
    """Take back what was accepted last; likewise."""
    library.teaching.undo()
    return learn(library, job)
