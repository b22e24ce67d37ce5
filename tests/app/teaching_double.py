"""Judgements on a library in memory, and a proposal whose gain the tests set."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from core.alignment.pairwise import AlignmentStrategy
from core.catalog.judgements import Forgotten, Judgement
from core.progress import Job
from core.search.teaching import Adaptation, JudgedQuery

FOUR = AlignmentStrategy.parse("topk:4")


@dataclass
class TeachingDouble:
    """Proposes top-4 once `fewest` queries are judged, unless it is already in use."""

    fewest: int = 2
    judged: list[Judgement] = field(default_factory=list)
    forgotten: dict[int, Judgement] = field(default_factory=dict)
    adopted: list[AlignmentStrategy] = field(default_factory=list)
    judge_error: Exception | None = None
    adopt_error: Exception | None = None
    proposals: int = 0

    @property
    def can_undo(self) -> bool:
        return bool(self.adopted)

    def judge(self, query: str, passage_id: int) -> Judgement:
        if self.judge_error is not None:
            raise self.judge_error
        number = max((one.id for one in self.judged), default=0) + 1
        judgement = Judgement(number, query, Path("/a"), 1, 0, 1, "2024-01-01", (passage_id,))
        self.judged.append(judgement)
        return judgement

    def forget(self, number: int) -> Forgotten:
        (removed,) = [one for one in self.judged if one.id == number]
        self.judged.remove(removed)
        self.forgotten[number] = removed
        return Forgotten(("id",), (number,))

    def restore(self, forgotten: Forgotten) -> None:
        (number,) = forgotten.values
        assert isinstance(number, int)
        self.judged = sorted([*self.judged, self.forgotten[number]], key=lambda one: one.id)

    def judgements(self, query: str | None = None) -> tuple[Judgement, ...]:
        return tuple(one for one in self.judged if query in {None, one.query})

    def propose(self, job: Job | None = None) -> Adaptation:
        assert job is not None
        self.proposals += 1
        current = self.adopted[-1] if self.adopted else AlignmentStrategy()
        queries = tuple(dict.fromkeys(one.query for one in self.judged))
        if len(queries) < self.fewest:
            return Adaptation(
                current,
                current,
                is_proposed=False,
                reason="Too few.",
                queries=tuple(JudgedQuery(query, (3,), (3,), 1) for query in queries),
                missing=self.fewest - len(queries),
            )
        is_proposed = current != FOUR
        return Adaptation(
            current,
            FOUR,
            is_proposed,
            "" if is_proposed else "Best already.",
            0.5,
            1.0,
            0.4,
            tuple(JudgedQuery(query, (3,), (1,), 1) for query in queries),
        )

    def adopt(self, alignment: AlignmentStrategy) -> None:
        if self.adopt_error is not None:
            raise self.adopt_error
        self.adopted.append(alignment)

    def undo(self) -> AlignmentStrategy:
        self.adopted.pop()
        return self.adopted[-1] if self.adopted else AlignmentStrategy()
