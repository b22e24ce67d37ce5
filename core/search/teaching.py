"""Judgements of results, and the alignment that ranks them best.

Source: ALIGNER, section 3.1, few-shot alignment adaptation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from core.alignment import adaptation
from core.alignment.pairwise import AlignmentStrategy
from core.arrays import Numbers
from core.catalog import judgements, passages
from core.catalog.catalog import Catalog
from core.catalog.judgements import Forgotten, Judgement
from core.catalog.text.normalisation import fold
from core.errors import LibraryError, UsageError
from core.index.generation import IndexGeneration
from core.progress import Job, Progress, Stage
from core.search.encodings import EncodedQuery
from core.search.meaning_ranker import MeaningRanker
from core.search.query.language import checked
from core.search.ranking import full_scores

# Most recently judged queries that a proposal considers; more take seconds and change nothing.
_MOST: Final = 64


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """The ranks, from 1, of a query's right passages.

    `before` are the ranks under the alignment in use, `after` those under the best one for all
    queries. Passages that are not candidates have no rank; there are `right` in total.
    """

    query: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    right: int


@dataclass(frozen=True, slots=True)
class Adaptation:
    """The judged queries under the alignment in use, and under the one that ranks them best.

    Attributes:
        current: the alignment in use.
        best: the one that ranks them best, or `current`.
        is_proposed: whether the judgements prove that it is better.
        reason: a sentence on why nothing is proposed; "" otherwise.
        before: mean nDCG@10 of the judged queries under `current`.
        after: the same under `best`.
        gain: expected gain of nDCG@10 on other queries, cross-validated.
        queries: the judged queries.
        missing: number of queries to judge before anything can be proposed.
    """

    current: AlignmentStrategy
    best: AlignmentStrategy
    is_proposed: bool
    reason: str
    before: float = 0.0
    after: float = 0.0
    gain: float = 0.0
    queries: tuple[JudgedQuery, ...] = ()
    missing: int = 0


@dataclass(frozen=True, slots=True)
class Teaching:
    """The judgements and adopted alignments of one library; thread-safe.

    It adapts the model that is `answering`; `ranker_of` returns its ranker.
    """

    catalog: Catalog
    answering: Callable[[], IndexGeneration]
    ranker_of: Callable[[IndexGeneration], MeaningRanker]

    def judge(self, query: str, passage_id: int) -> Judgement:
        """Store that a passage is right for a query, once.

        Raises:
            LibraryError: the passage no longer exists.
            UsageError: the query is empty, or has filters only, which rank nothing.
        """
        typed = worded(query)
        with self.catalog.transaction() as db:
            judgement_id = judgements.add(db, typed, passage_id)
            existing = [
                judgement
                for judgement in judgements.of_query(db, typed)
                if judgement.id == judgement_id
            ]
        if not existing:
            raise LibraryError("This passage is no longer in the library. Search again.")
        return existing[0]

    def find(self, query: str, path: Path, page: int | None = None, text: str = "") -> int:
        """Return the id of a described passage; of several the most similar one to the query.

        Args:
            query: the query that it is right for.
            path: of the document.
            page: of the passage; None for any.
            text: some of its text; case, accents and white space are ignored.

        Raises:
            UsageError: the passage does not exist, or the query cannot be judged.
        """
        typed = worded(query)
        with self.catalog.reading() as db:
            stored = passages.of_document(db, path)
            if not stored:
                raise UsageError("{0} is not in the library, or has no text.", path)
            wanted = fold(text)
            passage_ids = [
                passage.id
                for passage in stored
                if page in {None, passage.page} and wanted in fold(passage.text)
            ]
            if not passage_ids:
                raise UsageError("No passage of {0} matches the description.", path)
            if len(passage_ids) == 1:
                return passage_ids[0]
            generation = self.answering()
            encoded = EncodedQuery.of(checked(typed).text, generation.query_encoder())
            found_ids = np.array(passage_ids, dtype=np.int64)
            if not len(encoded):
                return passage_ids[0]
            (values,) = full_scores(
                db, generation.searcher, encoded, found_ids, [AlignmentStrategy()]
            )
        # The first one, if there are no vectors yet.
        return passage_ids[int(np.nan_to_num(values, nan=-1).argmax())]

    def forget(self, judgement_id: int) -> Forgotten:
        """Delete a judgement, and return what restores it.

        Raises:
            UsageError: the judgement does not exist.
        """
        with self.catalog.transaction() as db:
            forgotten = judgements.remove(db, judgement_id)
        if forgotten is None:
            raise UsageError(
                "There is no judgement {0}. Run winnow adapt to list them.", judgement_id
            )
        return forgotten

    def restore(self, forgotten: Forgotten) -> None:
        """Restore a deleted judgement."""
        with self.catalog.transaction() as db:
            judgements.put_back(db, forgotten)

    def judgements(self, query: str | None = None) -> tuple[Judgement, ...]:
        """Return all judgements, or those of a query; the oldest first."""
        with self.catalog.reading() as db:
            if query is not None:
                return judgements.of_query(db, " ".join(query.split()))
            return judgements.all_of(db)

    def propose(self, job: Job | None = None) -> Adaptation:
        """Find the alignment that ranks the judged queries best, and test its significance.

        Raises:
            Cancelled: the job was cancelled.
            ModelError: the model cannot be loaded.
        """
        job = job or Job()
        current = self.alignment()
        right = self._right()
        missing = max(adaptation.FEWEST - len(right), 0)
        if not right:
            reason = _not_enough(missing)
            return Adaptation(current, current, is_proposed=False, reason=reason, missing=missing)
        alternatives = [strategy for strategy in adaptation.STRATEGIES if strategy != current]
        strategies = (current, *alternatives)
        ranker = self.ranker_of(self.answering())
        values = np.zeros((len(right), len(strategies)))
        queries = []
        for row, (query, passage_ids) in enumerate(right.items()):
            job.checkpoint()
            job.report(Progress(Stage.MEASURING, row, len(right)))
            compared = ranker.compare(self.catalog, query, strategies, job)
            rows = np.flatnonzero(np.isin(compared.passage_ids, list(passage_ids)))
            ranks = compared.ranks[:, rows]
            values[row] = adaptation.ndcg(ranks, len(passage_ids))
            queries.append((query, ranks, len(passage_ids)))
        choice = adaptation.choose(values)
        # The best alignment for too few queries is not significant.
        best = 0 if missing else choice.best
        reason = _not_enough(missing) if missing else _unsound(choice)
        return Adaptation(
            current=current,
            best=strategies[best],
            is_proposed=choice.is_sound,
            reason="" if choice.is_sound else reason,
            before=float(values[:, 0].mean()),
            after=float(values[:, best].mean()),
            gain=0.0 if missing else choice.gain,
            queries=tuple(
                JudgedQuery(query, _sorted(ranks[0]), _sorted(ranks[best]), right)
                for query, ranks, right in queries
            ),
            missing=missing,
        )

    def alignment(self) -> AlignmentStrategy:
        """Return the alignment in use."""
        return self.ranker_of(self.answering()).strategy

    def adopt(self, alignment: AlignmentStrategy) -> None:
        """Adopt an alignment for this library and the current model.

        Nothing is indexed again: the alignment concerns only the reranking.

        Raises:
            ModelError: the model is missing.
        """
        model = self.answering().row.spec.model
        with self.catalog.transaction() as db:
            judgements.adopt(db, model, str(alignment))

    def undo(self) -> AlignmentStrategy:
        """Undo the last adoption, and return the alignment in use.

        Raises:
            UsageError: nothing was adopted.
            ModelError: the model is missing.
        """
        model = self.answering().row.spec.model
        with self.catalog.transaction() as db:
            if not judgements.unadopt(db, model):
                raise UsageError("There is no adapted alignment to undo.")
        return self.alignment()

    @property
    def can_undo(self) -> bool:
        """Whether an alignment was adopted for the model in use."""
        model = self.answering().row.spec.model
        with self.catalog.reading() as db:
            return judgements.adopted(db, model) is not None

    def _right(self) -> dict[str, frozenset[int]]:
        """Return the right passages that still exist, by query; the newest queries only."""
        right: dict[str, frozenset[int]] = {}
        for judgement in self.judgements():
            if judgement.passages:
                right[judgement.query] = right.pop(judgement.query, frozenset()) | set(
                    judgement.passages
                )
        return dict(list(right.items())[-_MOST:])


def worded(query: str) -> str:
    """Return the stored form of a query.

    Raises:
        UsageError: it is empty, or has filters only, which rank nothing.
    """
    typed = " ".join(query.split())
    if not checked(typed).has_words:
        raise UsageError(
            "A query with filters only has no ranking to judge. Use a query with words."
        )
    return typed


def adopted(catalog: Catalog, generation: IndexGeneration | None) -> AlignmentStrategy:
    """Return the alignment adopted for the generation's model; top-1 by default."""
    adopted = None
    if generation is not None:
        with catalog.reading() as db:
            adopted = judgements.adopted(db, generation.row.spec.model)
    return AlignmentStrategy.parse(adopted) if adopted else AlignmentStrategy()


def _sorted(ranks: Sequence[int] | Numbers) -> tuple[int, ...]:
    return tuple(sorted(int(rank) for rank in ranks))


def _not_enough(missing: int) -> str:
    queries = "one more query" if missing == 1 else f"{missing} more queries"
    return (
        f"Mark the correct result of {queries}; "
        f"at least {adaptation.FEWEST} are needed for a comparison."
    )


def _unsound(choice: adaptation.BestStrategy) -> str:
    if choice.best == 0:
        return "The current alignment already ranks the marked results best."
    if choice.gain < adaptation.LEAST_GAIN:
        return "No other alignment ranks these queries better by a point or more."
    return "Another alignment ranks the marked results better, but the difference may be chance."
