"""Judging results of a real library, and what is proposed, adopted and undone."""

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
def taught(library: Library, folder: Path) -> Library:
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


def test_judgements_are_kept_with_the_library(taught: Library, open_library: object) -> None:
    judged = taught.teaching.judgements()
    assert [one.query for one in judged] == list(QUERIES)
    assert [one.path.name for one in judged] == list(QUERIES.values())
    assert all(len(one.passages) == 1 for one in judged)
    with Library.open(taught.home) as again:
        assert again.teaching.judgements() == judged
        again.teaching.forget(judged[0].id)
    assert taught.teaching.judgements() == judged[1:]
    assert taught.teaching.judgements("  sleeping in\tthe air ") == judged[2:3]
    with pytest.raises(UsageError, match=r"There is no judgement 1; .*\.$"):
        taught.teaching.forget(judged[0].id)


def test_what_cannot_be_judged_is_said(taught: Library) -> None:
    with pytest.raises(LibraryError, match="no longer in the library"):
        taught.teaching.judge("crows", 999)
    for query in ("", "ext:txt", '-"two words"'):
        with pytest.raises(UsageError):
            taught.teaching.judge(query, 1)


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


def test_too_few_judgements_propose_nothing(taught: Library) -> None:
    judged = taught.teaching.judgements()
    for one in judged[adaptation.FEWEST - 2 :]:
        taught.teaching.forget(one.id)
    adapted = taught.teaching.propose()
    assert not adapted.is_proposed
    assert adapted.reason.startswith("Mark the right result of 2 more queries")
    assert (adapted.missing, adapted.best) == (2, AlignmentStrategy())
    # Where they stand now is told all the same.
    assert [one.before for one in adapted.queries] == [(1,)] * (adaptation.FEWEST - 2)
    number = passage_of(taught, judged[-1].query, QUERIES[judged[-1].query])
    # Two right passages of one query are still one query.
    taught.teaching.judge(judged[0].query, number)
    assert taught.teaching.propose().reason == adapted.reason
    taught.teaching.judge(judged[-1].query, number)
    assert taught.teaching.propose().reason.startswith("Mark the right result of one more query")


def test_nothing_is_proposed_where_all_is_right_already(taught: Library) -> None:
    adapted = taught.teaching.propose()
    assert not adapted.is_proposed
    assert adapted.reason == "The alignment in use ranks what was judged best already."
    assert adapted.best == adapted.current == AlignmentStrategy()
    assert adapted.before == adapted.after == 1
    assert [(one.query, one.before, one.right) for one in adapted.queries] == [
        (query, (1,), 1) for query in QUERIES
    ]


def test_what_is_better_is_proposed_adopted_and_undone(
    taught: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(MeaningRanker, "compare", better_with_four)
        adapted = judged_by_place(taught)
    assert (adapted.is_proposed, adapted.best, adapted.reason) == (True, FOUR, "")
    assert (adapted.before, adapted.after) == (0.5, 1)
    assert adapted.gain == 0.5
    assert {(one.before, one.after) for one in adapted.queries} == {((3,), (1,))}
    passages = taught.status().tokens_kept
    before = [hit.score for hit in taught.search("night", mode=Mode.MEANING).hits]
    assert not taught.teaching.can_undo
    taught.teaching.adopt(adapted.best)
    with Library.open(taught.home) as again:
        assert again.teaching.alignment() == FOUR
    after = [hit.score for hit in taught.search("night", mode=Mode.MEANING).hits]
    assert sorted(after) != sorted(before)
    sure = taught.explain("night", taught.teaching.judgements()[1].passages[0])
    aligned = sure.exact.align(sure.strategy).alignment
    assert (aligned > 0).sum(axis=1).tolist() == [1, *[4] * (len(sure.tokens) - 1)]
    # Nothing was, or is to be, indexed anew.
    assert taught.status().tokens_kept == passages
    assert taught.status().waiting == 0
    assert taught.teaching.can_undo
    assert taught.teaching.undo() == AlignmentStrategy()
    assert [hit.score for hit in taught.search("night", mode=Mode.MEANING).hits] == before
    with pytest.raises(UsageError, match="nothing to undo"):
        taught.teaching.undo()


def judged_by_place(library: Library) -> Adaptation:
    """Propose with the passages judged that `better_with_four` prefers."""
    for one in library.teaching.judgements():
        library.teaching.forget(one.id)
    for row, query in enumerate(QUERIES):
        ranker = library._answering.meaning_ranker(library._generations.answering())
        numbers = compare(ranker, library._catalog, query, [FOUR]).passage_ids.tolist()
        library.teaching.judge(query, numbers[row % len(numbers)])
    return library.teaching.propose()


def test_the_same_judgements_teach_nothing_twice(
    taught: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MeaningRanker, "compare", better_with_four)
    taught.teaching.adopt(judged_by_place(taught).best)
    adapted = taught.teaching.propose()
    assert (adapted.is_proposed, adapted.current) == (False, FOUR)
    assert adapted.reason == "The alignment in use ranks what was judged best already."


def test_judged_passages_that_are_gone_are_left_out(taught: Library, folder: Path) -> None:
    (folder / "crow.txt").unlink()
    taught.sync()
    assert taught.teaching.judgements()[0].passages == ()
    assert len(taught.teaching.propose().queries) == len(QUERIES) - 1


def test_a_proposal_can_be_stopped(taught: Library) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        taught.teaching.propose(job)


def test_what_was_forgotten_can_be_brought_back(taught: Library) -> None:
    judged = taught.teaching.judgements()
    forgotten = taught.teaching.forget(judged[2].id)
    assert judged[2] not in taught.teaching.judgements()
    taught.teaching.restore(forgotten)
    taught.teaching.restore(forgotten)
    assert taught.teaching.judgements() == judged, "in its place, and once"
