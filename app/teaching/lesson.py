"""What is asked of the engine when results are marked; called in the background, without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine import Engine
    from core.alignment.pairwise import AlignmentStrategy
    from core.catalog.judgements import Forgotten, Judgement
    from core.progress import Job
    from core.search.teaching import Adaptation


@dataclass(frozen=True, slots=True)
class Marks:
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


def look_up(engine: Engine, query: str, _job: Job | None = None) -> Marks:
    """Give what is marked for `query`."""
    judged = engine.teaching.judgements(query)
    return Marks(query, frozenset(number for one in judged for number in one.passages))


def toggle(engine: Engine, query: str, passage_id: int, _job: Job) -> Marks:
    """Mark a passage right for `query`, or no longer; give what is marked then."""
    teaching = engine.teaching
    marked = [one for one in teaching.judgements(query) if passage_id in one.passages]
    for one in marked:
        teaching.forget(one.id)
    if not marked:
        teaching.judge(query, passage_id)
    return look_up(engine, query)


def forget(engine: Engine, numbers: tuple[int, ...], _job: Job) -> Judged:
    """Forget judgements; give what is left, and what would bring them back."""
    teaching = engine.teaching
    forgotten = tuple(teaching.forget(number) for number in numbers)
    return Judged(teaching.judgements(), forgotten)


def restore(engine: Engine, forgotten: tuple[Forgotten, ...], _job: Job) -> Judged:
    """Take judgements back that were forgotten; give all that there are then."""
    teaching = engine.teaching
    for one in forgotten:
        teaching.restore(one)
    return Judged(teaching.judgements())


def judged(engine: Engine, _job: Job) -> Judged:
    """Give what is marked."""
    return Judged(engine.teaching.judgements())


def learn(engine: Engine, job: Job) -> Lesson:
    """Give what the marked results say."""
    return Lesson(engine.teaching.propose(job), engine.teaching.can_undo)


def accept(engine: Engine, alignment: AlignmentStrategy, job: Job) -> Lesson:
    """Search as is proposed from now on; give what there is to say then."""
    engine.teaching.adopt(alignment)
    return learn(engine, job)


def undo(engine: Engine, job: Job) -> Lesson:
    """Take back what was accepted last; likewise."""
    engine.teaching.undo()
    return learn(engine, job)
