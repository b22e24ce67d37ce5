"""Judging results of a real library; proposing, adopting and undoing alignments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.alignment import adaptation
from core.alignment.pairwise import AlignmentStrategy
from core.catalog.catalog import Catalog
from core.errors import Cancelled, LibraryError, UsageError
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.requests import Explain
from core.responses import Mode
from core.search.meaning_ranker import ComparedAlignments, MeaningRanker
from core.search.teaching import Adaptation
from tests.conftest import BIRDS, write_files

QUERIES = {
    "who remembers faces": "crow.txt",
    "silent hunters of the night": "owl.txt",
    "sleeping in the air": "swift.txt",
    "walking under water": "dipper.txt",
    "eggs in the nests of others": "cuckoo.txt",
    "how to brew": "coffee.txt",
    "pressure on a wing": "engine.txt",
    "how long to keep receipts": "tax.txt",
}
FOUR = AlignmentStrategy.parse("topk:4")


@pytest.fixture
def judged_library(library: Library, folder: Path) -> Library:
    """A library in which the right passage of each query is judged."""
    write_files(folder, BIRDS)
    library.add_folder(folder)
    library.sync()
    for query, name in QUERIES.items():
        library.teaching.judge(query, passage_of(library, query, name))
    return library


def passage_of(library: Library, query: str, name: str) -> int:
    hits = library.search(query).hits
    (number,) = [hit.passages[0].passage.id for hit in hits if hit.path.name == name]
    return number


def better_with_four(
    ranker: MeaningRanker,
    catalog: Catalog,
    query: str,
    strategies: Sequence[AlignmentStrategy],
    job: Job | None = None,
) -> ComparedAlignments:
    """Puts the right one first under top-4, and third under all others."""
    compared = compare(ranker, catalog, query, strategies, job)
    assert {QUERIES[query]} <= set(BIRDS)
    right = list(QUERIES).index(query)
    number = compared.passage_ids[right % len(compared.passage_ids)]
    ranks = np.tile(np.arange(1, len(compared.passage_ids) + 1), (len(strategies), 1))
    place = compared.passage_ids.tolist().index(number)
    order = [place, *(one for one in range(len(compared.passage_ids)) if one != place)]
    third = [order[1], order[2], order[0], *order[3:]]
    ranked = np.empty_like(ranks)
    for row, strategy in enumerate(strategies):
        ranked[row, order if strategy == FOUR else third] = ranks[row]
    return replace(compared, ranks=ranked)


compare = MeaningRanker.compare


def test_judgements_are_stored_with_the_library(
    judged_library: Library, open_library: object
) -> None:
    judged = judged_library.teaching.judgements()
    assert [one.query for one in judged] == list(QUERIES)
    assert [one.path.name for one in judged] == list(QUERIES.values())
    assert all(len(one.passages) == 1 for one in judged)
    with Library.open(judged_library.home) as again:
        assert again.teaching.judgements() == judged
        again.teaching.forget(judged[0].id)
    assert judged_library.teaching.judgements() == judged[1:]
    assert judged_library.teaching.judgements("  sleeping in\tthe air ") == judged[2:3]
    with pytest.raises(UsageError, match=r"There is no judgement 1\. .*\.$"):
        judged_library.teaching.forget(judged[0].id)


def test_an_invalid_judgement_is_reported(judged_library: Library) -> None:
    with pytest.raises(LibraryError, match="no longer in the library"):
        judged_library.teaching.judge("crows", 999)
    for query in ("", "ext:txt", '-"two words"'):
        with pytest.raises(UsageError):
            judged_library.teaching.judge(query, 1)


@pytest.mark.parametrize("alignment", ["topk:1", "topk:4", "topp:0.2"])
def test_candidates_are_compared_as_a_search_ranks_them(
    alignment: str, birds: Library, open_library: Callable[..., Library]
) -> None:
    strategy = AlignmentStrategy.parse(alignment)
    library = open_library(birds.home, LibraryOptions(alignment=strategy))
    for query in (*QUERIES, "owls -mice", '"lays its eggs" birds', "crow ext:md", "the of"):
        hits = library.search(query, limit=50).hits
        ranker = library._answering.meaning_ranker(library._generations.answering())
        strategies = [AlignmentStrategy.parse("topk:2"), strategy]
        compared = ranker.compare(library._catalog, query, strategies)
        order = np.argsort(compared.ranks[1])
        # Each document here is one passage.
        assert compared.passage_ids[order].tolist() == [hit.passages[0].passage.id for hit in hits]
        assert compared.ranks[1][order].tolist() == list(range(1, len(hits) + 1))


def test_insufficient_judgements_propose_nothing(judged_library: Library) -> None:
    judged = judged_library.teaching.judgements()
    for one in judged[adaptation.FEWEST - 2 :]:
        judged_library.teaching.forget(one.id)
    adapted = judged_library.teaching.propose()
    assert not adapted.is_proposed
    assert adapted.reason.startswith("Mark the correct result of 2 more queries")
    assert (adapted.missing, adapted.best) == (2, AlignmentStrategy())
    # Their ranks are reported all the same.
    assert [one.before for one in adapted.queries] == [(1,)] * (adaptation.FEWEST - 2)
    number = passage_of(judged_library, judged[-1].query, QUERIES[judged[-1].query])
    # Two right passages of one query are still one query.
    judged_library.teaching.judge(judged[0].query, number)
    assert judged_library.teaching.propose().reason == adapted.reason
    judged_library.teaching.judge(judged[-1].query, number)
    assert judged_library.teaching.propose().reason.startswith(
        "Mark the correct result of one more query"
    )


def test_nothing_is_proposed_where_all_is_right_already(judged_library: Library) -> None:
    adapted = judged_library.teaching.propose()
    assert not adapted.is_proposed
    assert adapted.reason == "The current alignment already ranks the marked results best."
    assert adapted.best == adapted.current == AlignmentStrategy()
    assert adapted.before == adapted.after == 1
    assert [(one.query, one.before, one.right) for one in adapted.queries] == [
        (query, (1,), 1) for query in QUERIES
    ]


def test_a_better_alignment_is_proposed_adopted_and_undone(
    judged_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(MeaningRanker, "compare", better_with_four)
        adapted = judged_by_place(judged_library)
    assert (adapted.is_proposed, adapted.best, adapted.reason) == (True, FOUR, "")
    assert (adapted.before, adapted.after) == (0.5, 1)
    assert adapted.gain == 0.5
    assert {(one.before, one.after) for one in adapted.queries} == {((3,), (1,))}
    passages = judged_library.status().tokens_kept
    before = [hit.score for hit in judged_library.search("night", mode=Mode.MEANING).hits]
    assert not judged_library.teaching.can_undo
    judged_library.teaching.adopt(adapted.best)
    with Library.open(judged_library.home) as again:
        assert again.teaching.alignment() == FOUR
    after = [hit.score for hit in judged_library.search("night", mode=Mode.MEANING).hits]
    assert sorted(after) != sorted(before)
    sure = judged_library.answer(
        Explain("night", judged_library.teaching.judgements()[1].passages[0])
    )
    aligned = sure.exact.align(sure.strategy).alignment
    assert (aligned > 0).sum(axis=1).tolist() == [1, *[4] * (len(sure.tokens) - 1)]
    # Nothing was reindexed, and nothing will be.
    assert judged_library.status().tokens_kept == passages
    assert judged_library.status().waiting == 0
    assert judged_library.teaching.can_undo
    assert judged_library.teaching.undo() == AlignmentStrategy()
    assert [hit.score for hit in judged_library.search("night", mode=Mode.MEANING).hits] == before
    with pytest.raises(UsageError, match="no adapted alignment to undo"):
        judged_library.teaching.undo()


def judged_by_place(library: Library) -> Adaptation:
    """Propose with the passages judged that `better_with_four` prefers."""
    for one in library.teaching.judgements():
        library.teaching.forget(one.id)
    for row, query in enumerate(QUERIES):
        ranker = library._answering.meaning_ranker(library._generations.answering())
        numbers = compare(ranker, library._catalog, query, [FOUR]).passage_ids.tolist()
        library.teaching.judge(query, numbers[row % len(numbers)])
    return library.teaching.propose()


def test_repeated_judgements_change_nothing(
    judged_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MeaningRanker, "compare", better_with_four)
    judged_library.teaching.adopt(judged_by_place(judged_library).best)
    adapted = judged_library.teaching.propose()
    assert (adapted.is_proposed, adapted.current) == (False, FOUR)
    assert adapted.reason == "The current alignment already ranks the marked results best."


def test_judged_passages_that_were_removed_are_left_out(
    judged_library: Library, folder: Path
) -> None:
    (folder / "crow.txt").unlink()
    judged_library.sync()
    assert judged_library.teaching.judgements()[0].passages == ()
    assert len(judged_library.teaching.propose().queries) == len(QUERIES) - 1


def test_a_proposal_can_be_stopped(judged_library: Library) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        judged_library.teaching.propose(job)


def test_a_forgotten_judgement_can_be_restored(judged_library: Library) -> None:
    judged = judged_library.teaching.judgements()
    forgotten = judged_library.teaching.forget(judged[2].id)
    assert judged[2] not in judged_library.teaching.judgements()
    judged_library.teaching.restore(forgotten)
    judged_library.teaching.restore(forgotten)
    assert judged_library.teaching.judgements() == judged, "in its place, and once"
