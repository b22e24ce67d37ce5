"""The best candidates of the index are reranked with all tokens of their passages."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from core.alignment.pairwise import similarity
from core.alignment.reduction import TokenReduction
from core.documents.document import Document, Page
from core.encoders.encoder import Encoder
from core.errors import Cancelled
from core.index import probing
from core.index.probing import ProbeParams
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.requests import Align, Explain
from core.responses import Mode, SearchResults
from core.search import encodings, meaning_ranker
from core.search.encodings import Recent, RecentPassages
from core.search.explanation import break_down
from core.search.rarity import weighted_query

QUERY = "which bird raises its own chicks"


def order(results: SearchResults) -> list[int]:
    return [hit.document_id for hit in results.hits]


@pytest.fixture
def coarse(tmp_path: Path, open_library: Callable[..., Library]) -> Library:
    """A library that keeps next to nothing of a passage's vectors."""
    library = open_library(
        tmp_path / "coarse",
        LibraryOptions(1, keeping=TokenReduction.parse("pooling:0.1")),
    )
    texts = {
        "stork": "Storks come back in spring and raise their own chicks on roofs of barns.",
        "cuckoo": "Cuckoos lay eggs in the nests of others, who raise the chicks in spring.",
        "train": "The train leaves the station at noon and comes back from the sea at night.",
        "bread": "Bread rises in a warm place for an hour before it is baked in the oven.",
    }
    documents = [(name, Document("", (Page(1, text),))) for name, text in texts.items()]
    library.add_collection("made", documents)
    library.sync()
    return library


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.MEANING])
def test_the_best_are_scored_by_all_their_tokens(
    mode: Mode, coarse: Library, encoder: Encoder
) -> None:
    results = coarse.search(QUERY, mode=mode)
    fast = coarse.search(QUERY, mode=mode, is_refined=False)
    assert set(order(results)) == set(order(fast))
    (requested,) = encoder.encode_queries([encoder.query_tokens(QUERY)])
    for hit in results.hits:
        best = hit.passages[0]
        stored = (best.passage.context, best.passage.text)
        (found,) = encoder.encode_passages(encoder.passage_tokens([stored]))
        greatest = similarity(requested.vectors, found.vectors).max(axis=1)
        meaning = best.terms[0]
        assert meaning.is_exact
        assert meaning.value == pytest.approx(
            np.average(
                greatest, weights=coarse.answer(Explain(QUERY, best.passage.id)).exact.weights
            ),
            abs=1e-3,
        )
        assert best.score == pytest.approx(sum(term.adds for term in best.terms), abs=1e-5)
    scores = [hit.score for hit in results.hits]
    assert scores == sorted(scores, reverse=True)
    assert any(
        abs(hit.score - other.score) > 1e-3
        for hit in results.hits
        for other in fast.hits
        if hit.document_id == other.document_id
    )
    assert order(results) == [number for number, _ in coarse.rank(QUERY, mode=mode)]


def test_unrefined_passages_follow_in_index_order(
    coarse: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = order(coarse.search(QUERY, is_refined=False))
    monkeypatch.setattr(meaning_ranker, "RERANKED", 2)
    results = coarse.search(QUERY)
    assert set(order(results)[:2]) == set(fast[:2])
    assert order(results)[2:] == fast[2:]
    assert [hit.passages[0].is_exact for hit in results.hits] == [True, True, False, False]


@pytest.mark.parametrize(
    ("mode", "rising", "refined"),
    [(Mode.MEANING, 1, 4), (Mode.MEANING, 3, 2), (Mode.HYBRID, 1, 2)],
)
def test_by_meaning_alone_more_are_refined_while_they_rise(
    mode: Mode, rising: int, refined: int, coarse: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning_ranker, "RERANKED", 2)
    monkeypatch.setattr(meaning_ranker, "_RERANKED_STEP", 2)
    monkeypatch.setattr(meaning_ranker, "_LEAST_RISING", rising)
    hits = coarse.search(QUERY, mode=mode).hits
    assert [hit.passages[0].is_exact for hit in hits] == [place < refined for place in range(4)]


def test_fewer_documents_than_are_refined_are_the_best_of_these(coarse: Library) -> None:
    assert order(coarse.search(QUERY, limit=1)) == order(coarse.search(QUERY))[:1]


def test_by_words_alone_nothing_is_encoded(coarse: Library, refuse: None) -> None:
    hits = coarse.search(QUERY, mode=Mode.WORDS).hits
    assert hits
    assert not any(passage.is_exact for hit in hits for passage in hit.passages)


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def encode(*_: object) -> None:
        pytest.fail("passages are encoded")

    monkeypatch.setattr(Encoder, "encode_passages", encode)


def test_further_typing_encodes_no_passage_twice(
    coarse: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    encode = Encoder.encode_passages

    def count(self: Encoder, tokens, on_batch=None):
        seen.append(len(tokens))
        return encode(self, tokens, on_batch)

    monkeypatch.setattr(Encoder, "encode_passages", count)
    hits = coarse.search(QUERY).hits
    assert sum(seen) == len(hits)
    seen.clear()
    coarse.search(f"{QUERY} on roofs")
    coarse.answer(Explain(QUERY, hits[0].passages[0].passage.id))
    coarse.answer(Align(QUERY, tuple([hit.passages[0].passage.id for hit in hits])))
    assert seen == []


def test_a_cancelled_query_does_not_block(coarse: Library) -> None:
    job = Job()
    project = Encoder.encode_passages
    with pytest.MonkeyPatch.context() as patch:

        def give_up(self: Encoder, tokens, on_batch=None):
            job.cancel()
            return project(self, tokens, on_batch)

        patch.setattr(Encoder, "encode_passages", give_up)
        # One after the other: with two threads, either may be the first.
        with ThreadPoolExecutor(1) as thread:
            patch.setattr(encodings, "_threads", lambda: thread)
            with pytest.raises(Cancelled):
                coarse.search(QUERY, job=job)
    # The first batch was done, and is remembered.
    assert len(coarse._caches.passages) == 2


def test_only_so_many_bytes_of_passages_are_remembered(coarse: Library) -> None:
    generation = coarse._generations.answering()
    hits = coarse.search(QUERY, is_refined=False).hits
    with coarse._catalog.reading() as db:
        from core.catalog import passages

        numbers = [hit.passages[0].passage.id for hit in hits]
        stored = list(passages.fetch(db, numbers).values())
    large = RecentPassages()
    encoded = large.of(stored, generation)
    assert len(large) == len(stored) == 4
    small = RecentPassages(sum(one.size_bytes for one in encoded[-2:]))
    again = small.of(stored, generation)
    assert len(small) == 2
    for one, other in zip(encoded, again, strict=True):
        np.testing.assert_allclose(one.vectors.vectors, other.vectors.vectors, atol=1e-5)


def test_a_value_that_is_put_in_place_of_another_is_paid_for_once() -> None:
    recent = Recent[str, int](10, cost=lambda value: value)
    recent.remember({"a": 4, "b": 4})
    recent.remember({"a": 6})
    assert recent.known("ab") == {"a": 6, "b": 4}
    recent.remember({"c": 5})
    assert recent.known("abc") == {"c": 5}
    recent.remember({"d": 11})
    assert len(recent) == 0


def test_the_configured_share_of_a_query_finds_candidates(
    tmp_path: Path, open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: list[float] = []
    plan = probing.plan

    def noted(query, codec, sizes, params):
        requested.append(params.beta_q)
        return plan(query, codec, sizes, params)

    monkeypatch.setattr(probing, "plan", noted)
    monkeypatch.setattr("core.index.index_searcher._FULL_SCAN_PASSAGES", 0)
    library = open_library(tmp_path)
    library.add_collection("made", [("a", Document("", (Page(1, "Owls hunt mice."),)))])
    library.sync()
    assert library.search("owls that hunt").hits
    with_small_share = open_library(tmp_path, LibraryOptions(probe_params=ProbeParams(beta_q=0.25)))
    assert with_small_share.search("owls that hunt").hits
    assert requested == [1.0, 0.25]


@pytest.fixture
def stored(tmp_path: Path, open_library: Callable[..., Library], coarse: Library) -> Library:
    """The same texts in a library with a refinement store."""
    library = open_library(
        tmp_path / "stored",
        LibraryOptions(1, keeping=TokenReduction.parse("pooling:0.1+0.5")),
    )
    texts = [(hit.path.stem, hit.passages[0].passage.text) for hit in coarse.search(QUERY).hits]
    library.add_collection("made", [(name, Document("", (Page(1, text),))) for name, text in texts])
    library.sync()
    return library


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.MEANING])
def test_with_a_store_passages_are_scored_by_it_and_not_encoded(
    mode: Mode, stored: Library, refuse: None
) -> None:
    query = "bird that raises its own chicks"  # no question, whose answer would be encoded
    results = stored.search(query, mode=mode)
    assert len(results.hits) == 4
    fast = stored.search(query, mode=mode, is_refined=False)
    assert [(hit.document_id, hit.score) for hit in fast.hits] == [
        (hit.document_id, hit.score) for hit in results.hits
    ]
    index = stored._generations.answering()
    assert index.searcher.has_store
    encoded = index.query_encoder()
    (requested,) = encoded.encode_queries([encoded.query_tokens(query)])
    weights = weighted_query(
        stored._catalog.connection(), query, index, stored._caches.queries
    ).weights
    for hit in results.hits:
        best = hit.passages[0]
        vectors = index.searcher.vectors([best.passage.id])[best.passage.id].vectors
        greatest = similarity(requested.vectors, vectors).max(axis=1)
        assert best.terms[0].value == pytest.approx(np.average(greatest, weights=weights), abs=1e-3)
        assert not best.is_exact
        assert best.alignments


def test_a_store_finds_almost_what_all_tokens_find(coarse: Library, stored: Library) -> None:
    exact = {hit.path.stem: hit.score for hit in coarse.search(QUERY, mode=Mode.MEANING).hits}
    found = {hit.path.stem: hit.score for hit in stored.search(QUERY, mode=Mode.MEANING).hits}
    rough = coarse.search(QUERY, mode=Mode.MEANING, is_refined=False).hits

    def error(scores: dict[str, float]) -> float:
        return max(abs(scores[name] - exact[name]) for name in exact)

    assert error(found) < error({hit.path.stem: hit.score for hit in rough})


def test_with_a_store_an_explanation_adds_up(stored: Library) -> None:
    hit = stored.search(QUERY).hits[0].passages[0]
    explanation = stored.answer(Explain(QUERY, hit.passage.id))
    assert explanation.stored is not None
    assert explanation.terms == hit.terms
    found = break_down(explanation, explanation.strategy)
    assert found.compared is explanation.stored
    assert found.score == pytest.approx(hit.score, abs=1e-3)
