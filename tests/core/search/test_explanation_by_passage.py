"""Why a passage was found: tokens aligned with the query's, as stored and re-encoded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.alignment.pairwise import AlignmentStrategy, align_top_k
from core.alignment.reduction import TokenReduction
from core.documents.document import Document, Page
from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint
from core.errors import Cancelled, LibraryError, UsageError
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.requests import Align, Explain
from core.responses import Alignment, Mode
from core.settings import IndexSize, Settings, save_settings
from core.token_comparison import Explanation
from tests.core.tiny_models import save_tiny_colbert

QUERY = "Which bird has RÉSUMÉ eggs"


def numbers_of(library: Library, query: str) -> list[int]:
    hits = library.search(query, is_refined=False).hits
    return [passage.passage.id for hit in hits for passage in hit.passages]


Pair = tuple[int, int, int, bool]


def similarities(explanation: Explanation) -> dict[Pair, float]:
    """The pairs that can be highlighted: query token, span, whether in the context."""
    exact = explanation.exact
    found = {}
    for i, j in np.argwhere(exact.align(explanation.strategy).alignment).tolist():
        token = exact.tokens[j]
        if explanation.tokens[i].text and token.text:
            pair = (i, token.start, token.end, token.in_context)
            found[pair] = float(exact.similarity[i, j])
    return found


def places(alignments: tuple[Alignment, ...]) -> set[Pair]:
    return {(one.query_index, one.start, one.end, one.in_context) for one in alignments}


def test_the_whole_alignment_of_a_passage(birds: Library, encoder: Encoder) -> None:
    query = "where do swifts sleep"
    results = birds.search(query, mode=Mode.MEANING)
    hit = results.hits[0].passages[0]
    whole = birds.answer(Explain(query, hit.passage.id))
    assert whole.passage == hit.passage
    summary, *tokens = whole.tokens
    assert tuple(tokens) == results.tokens
    exact = whole.exact
    assert (summary.text, summary.word, exact.tokens[0].text) == ("", -1, "")
    assert exact.similarity.shape == (len(whole.tokens), len(exact.tokens))
    (encoded_query,) = encoder.encode_queries([encoder.query_tokens(query)])
    stored = (hit.passage.context, hit.passage.text)
    (found,) = encoder.encode_passages(encoder.passage_tokens([stored]))
    assert whole.has_summaries
    assert exact.similarity[0, 0] == pytest.approx(
        encoded_query.vectors[0] @ found.vectors[0], abs=1e-3
    )
    assert encoded_query.weights is not None
    assert found.saliences is not None
    assert exact.saliences is not None
    # The rarity of words in so small a library changes them a little.
    np.testing.assert_allclose(exact.weights, encoded_query.weights, rtol=0.05)
    np.testing.assert_allclose(exact.saliences, found.saliences, rtol=1e-5)
    aligned = exact.align(whole.strategy)
    expected = np.average(exact.similarity.max(axis=1), weights=exact.weights)
    assert aligned.score == pytest.approx(expected, abs=1e-5)
    weighted = align_top_k(exact.similarity) * exact.weights[:, None]
    np.testing.assert_allclose(aligned.alignment, weighted, rtol=1e-5)
    # The stored vectors are compressed; these are not.
    assert aligned.score == pytest.approx(hit.terms[0].value, abs=0.05)
    texts = "".join(token.text for token in exact.tokens)
    assert texts == (hit.passage.context + hit.passage.text).replace(" ", "")


@pytest.mark.parametrize("query", [QUERY, "the swift sleeps", "crow", "wer schläft wo"])
@pytest.mark.parametrize("index", ["birds", "small_birds"])
def test_the_terms_of_a_passage_are_those_of_its_score(
    query: str, index: str, request: pytest.FixtureRequest
) -> None:
    library: Library = request.getfixturevalue(index)
    hits = library.search(query, limit=50).hits
    is_reranked = any(hit.passages[0].is_exact for hit in hits)
    assert is_reranked is (index == "small_birds")
    for passage in [passage for hit in hits for passage in hit.passages]:
        terms = library.answer(Explain(query, passage.passage.id)).terms
        assert [(one.name, one.is_exact, one.is_imputed) for one in terms] == [
            (one.name, one.is_exact, one.is_imputed) for one in passage.terms
        ]
        for one, other in zip(terms, passage.terms, strict=True):
            assert one.adds == pytest.approx(other.adds, abs=1e-3)


def test_terms_that_are_known_are_not_computed_again(
    birds: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    (hit, *_) = birds.search(QUERY).hits[0].passages
    monkeypatch.setattr("core.search.meaning_ranker.rank", None)
    explanation = birds.answer(Explain(QUERY, hit.passage.id, hit.terms))
    assert explanation.terms == hit.terms


def test_a_removed_passage_cannot_be_explained(birds: Library) -> None:
    with pytest.raises(LibraryError, match=r"no longer in the library\. Search again"):
        birds.answer(Explain("crow", 10_000))


@pytest.mark.parametrize("alignment", ["topk:1", "topk:3", "topp:0.2"])
def test_exact_alignments_are_those_of_the_explanation(
    alignment: str, small_birds: Library, open_library: Callable[..., Library]
) -> None:
    options = LibraryOptions(alignment=AlignmentStrategy.parse(alignment))
    library = open_library(small_birds.home, options)
    results = library.search(QUERY)
    numbers = numbers_of(library, QUERY)
    exact = library.answer(Align(QUERY, tuple(numbers)))
    assert exact.tokens == results.tokens
    assert list(exact.of) == sorted(numbers)
    for number, found in exact.of.items():
        whole = library.answer(Explain(QUERY, number))
        expected = similarities(whole)
        assert places(found) == expected.keys() != set()
        for one in found:
            text = whole.passage.context if one.in_context else whole.passage.text
            assert text[one.start : one.end] == one.text
            place = (one.query_index, one.start, one.end, one.in_context)
            assert one.similarity == pytest.approx(expected[place], abs=2e-3)


def test_every_token_highlights_itself_however_many_vectors_are_stored(
    open_library: Callable[..., Library],
) -> None:
    library = open_library(options=LibraryOptions(keeping=TokenReduction.parse("pooling:0.1")))
    text = "Owls hunt mice at night, fish sleep in water, and birds build houses of clay."
    library.add_collection("made", [("a", Document("", (Page(1, text),)))])
    library.sync()
    query = "mice night fish water birds houses clay"
    (number,) = numbers_of(library, query)
    highlighted = {one.text.lower() for one in library.answer(Align(query, (number,))).of[number]}
    assert highlighted == set(query.split())
    # One vector may stand for several of these words.
    stored = library.search(query, is_refined=False).hits[0].passages[0]
    by_store = {one.text.lower() for one in stored.alignments} & highlighted
    vectors = library.answer(Explain(query, number)).stored
    assert vectors is not None
    assert len(vectors.tokens) < len(by_store)


def test_a_token_without_a_vector_is_highlighted_if_the_query_has_it(
    open_library: Callable[..., Library],
) -> None:
    """Literal matches are highlighted from the text, not from the vectors."""
    library = open_library()
    text = (
        "The swifts of the north and the swifts of the south sleep in the air, for they fly by day "
        "and by night, and they rest in the nests of the cliffs only for the time of the eggs."
    )
    library.add_collection("made", [("a", Document("", (Page(1, text),)))])
    library.sync()
    (number,) = numbers_of(library, "swifts")
    known = library.answer(Explain("swifts", number))
    exact, stored = known.exact, known.stored
    assert stored is not None
    assert exact.saliences is not None
    own = len(exact.tokens) - 1
    assert len(known.pruned) == own - int(np.ceil(0.8 * own - 1e-9)) > 0
    retained = [index for index in range(1, own + 1) if index not in known.pruned]
    assert max(exact.saliences[[*known.pruned]]) <= min(exact.saliences[retained])
    spans = {(exact.tokens[index].start, exact.tokens[index].end) for index in known.pruned}
    assert not spans & {(one.start, one.end) for one in stored.tokens}
    dropped = [index for index in known.pruned if exact.tokens[index].text.isalpha()]
    word = exact.tokens[dropped[0]].text
    for hit in library.search(word, mode=Mode.MEANING).hits:
        (passage,) = hit.passages
        assert {one.text.lower() for one in passage.alignments} == {word.lower()}


def test_query_tokens_without_weight_are_not_aligned(
    birds: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def weights(checkpoint: Checkpoint, saliences: object, n: int) -> np.ndarray:
        return np.arange(n, dtype=np.float32) % 2

    monkeypatch.setattr("core.encoders.encoder.query_weights", weights)
    hit = birds.search("swifts sleep in the air").hits[0].passages[0]
    exact = birds.answer(Align("swifts sleep in the air", (hit.passage.id,))).of[hit.passage.id]
    for alignments in (hit.alignments, exact):
        assert alignments
        assert all(one.query_index % 2 for one in alignments)


def test_tokens_without_characters_are_never_highlighted(tmp_path: Path, home: Path) -> None:
    options = LibraryOptions(32, model=str(save_tiny_colbert(tmp_path / "colbert")))
    with Library.open(home, options) as library:
        document = Document("Owls", (Page(1, "The owl hunts, at night."),))
        library.add_collection("made", [("owl", document)])
        library.sync()
        (number,) = numbers_of(library, "the owl hunts")
        exact = library.answer(Align("the owl hunts", (number,)))
        assert [token.text for token in exact.tokens] == ["the", "owl", "hunts"]
        explained = similarities(library.answer(Explain("the owl hunts", number)))
        assert places(exact.of[number]) == explained.keys()


def test_a_removed_passage_is_left_out(birds: Library) -> None:
    number = numbers_of(birds, "crow")[0]
    assert list(birds.answer(Align("crow", (10_000, number))).of) == [number]
    assert birds.answer(Align("crow", (10_000,))).of == {}
    assert birds.answer(Align("crow", ())).of == {}
    with pytest.raises(UsageError, match="empty"):
        birds.answer(Align("", (number,)))


def test_a_passage_that_waits_for_its_vectors_is_aligned_too(
    open_library: Callable[..., Library],
) -> None:
    library = open_library()
    library.add_collection("made", [("rook", Document("", (Page(1, "Rooks breed."),)))])
    (hit,) = library.search("rooks", is_refined=False).hits[0].passages
    assert hit.alignments == ()
    exact = library.answer(Align("rooks", (hit.passage.id,))).of[hit.passage.id]
    assert "Rook" in {one.text for one in exact}
    save_settings(Settings(index_size=IndexSize.SMALL), library.home / "settings.json")
    small = open_library()
    assert small.search("rooks").hits[0].passages[0].alignments == exact


def test_cancelled_aligning_stops_between_two_batches(
    small_birds: Library,
    open_library: Callable[..., Library],
    encoder: Encoder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = open_library(small_birds.home)
    numbers = numbers_of(library, "bird food")
    assert len(numbers) > 4
    job = Job()
    encoded: list[int] = []
    project = encoder.runtime.project

    def count(ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        encoded.append(len(ids))
        if len(encoded) == 3:  # the query, and two batches
            job.cancel()
        return project(ids, mask)

    monkeypatch.setattr(encoder.runtime, "project", count)
    with pytest.raises(Cancelled):
        library.answer(Align("bird food", tuple(numbers)), job)
    assert len(encoded) == 3
    assert sum(encoded[1:]) < len(numbers)
