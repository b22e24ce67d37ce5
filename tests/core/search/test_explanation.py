"""The breakdown of a score adds up to it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.alignment.pairwise import AlignmentStrategy, score
from core.library.library import Library, LibraryOptions
from core.requests import Explain
from core.responses import MEANING, Mode
from core.responses import WORDS as WORDS_TERM
from core.search.evidence_terms import EVIDENCE
from core.search.explanation import adding_up
from core.token_comparison import Comparison, PassageToken

Floats = npt.NDArray[np.float32]

STRATEGIES = ["topk:1", "topk:2", "topk:8", "topp:0.02", "topp:0.5", "topp:1"]
WORDS = PassageToken("owl", 0, 3, False)


@st.composite
def comparisons(draw: st.DrawFn) -> Comparison:
    n, m = draw(st.integers(1, 6)), draw(st.integers(0, 9))
    pairs = draw(arrays.arrays(np.float32, (n, m), elements=st.floats(-1, 1, width=32)))
    # They are 1 on average: with nothing but weights next to nothing, float32 would lose them.
    some = st.just(0.0) | st.floats(2**-10, 4, width=32)
    weights = draw(arrays.arrays(np.float32, n, elements=some))
    return Comparison((WORDS,) * m, pairs, weights, None, m)


@given(comparisons(), st.sampled_from(STRATEGIES))
def test_contributions_add_up_to_the_score(compared: Comparison, strategy: str) -> None:
    aligned = compared.align(AlignmentStrategy.parse(strategy))
    assert aligned.score == pytest.approx(score(compared.similarity, aligned.alignment), abs=1e-5)
    assert aligned.by_token.sum() == pytest.approx(aligned.score, abs=1e-12)
    assert not aligned.contributions[aligned.alignment == 0].any()


@given(comparisons())
def test_aligning_all_is_the_mean_of_all_pairs(compared: Comparison) -> None:
    if compared.similarity.size and compared.weights.any():
        means = compared.similarity.mean(axis=1)
        expected = np.average(means, weights=compared.weights)
        everything = compared.align(AlignmentStrategy.parse("topp:1"))
        assert everything.score == pytest.approx(expected, abs=1e-5)


@given(st.lists(st.floats(-1, 1), max_size=30), st.integers(1, 5))
def test_the_shown_terms_add_up_to_the_last_digit(parts: list[float], digits: int) -> None:
    shown = adding_up(parts, digits)
    unit = 10**-digits
    assert round(sum(shown), digits) == pytest.approx(sum(parts), abs=unit / 2 + 1e-9)
    for part, rounded in zip(parts, shown, strict=True):
        assert abs(part - rounded) < unit + 1e-9


# Terms of the names and the whole document, whose weights come on top of the shares of the others.
OF_DOCUMENT = {"name", "document", "passage", "folder", "date", "quoted"}


@pytest.mark.parametrize("alignment", ["topk:1", "topk:4", "topp:0.2"])
@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.MEANING])
@pytest.mark.parametrize("is_refined", [True, False])
@pytest.mark.parametrize("size", ["birds", "small_birds"])
def test_the_vectors_that_rank_add_up_to_the_number_in_the_list(
    size: str,
    is_refined: bool,
    alignment: str,
    mode: Mode,
    request: pytest.FixtureRequest,
    open_library: Callable[..., Library],
) -> None:
    strategy = AlignmentStrategy.parse(alignment)
    is_exact = is_refined and size == "small_birds"
    library = open_library(request.getfixturevalue(size).home, LibraryOptions(alignment=strategy))
    query = "which birds sleep in the air"
    found = library.search(query, mode=mode, is_refined=is_refined).hits
    hits = [one for hit in found for one in hit.passages]
    assert len(hits) > 2
    for hit in hits:
        whole = library.answer(Explain(query, hit.passage.id))
        assert whole.stored is not None
        assert hit.is_exact == is_exact
        compared = whole.exact if is_exact else whole.stored
        added = compared.align(whole.strategy).by_token.sum()
        meaning, *remaining = hit.terms
        assert meaning.name == MEANING
        assert meaning.value == pytest.approx(added, abs=1e-5)
        rest = sum(term.adds for term in remaining)
        assert meaning.weight * added + rest == pytest.approx(hit.score, abs=1e-5)
        shares = [term.weight for term in remaining if term.name not in OF_DOCUMENT]
        assert meaning.weight + sum(shares) == pytest.approx(1)
        by_words = [term for term in remaining if term.name == WORDS_TERM]
        assert any(term.value > 0 for term in by_words) == (Mode.WORDS in hit.found_by)


def test_stored_vectors_stand_for_tokens_in_the_order_of_the_text(birds: Library) -> None:
    hit = birds.search("birds sleep").hits[0].passages[0]
    whole = birds.answer(Explain("birds sleep", hit.passage.id))
    assert whole.stored is not None
    assert 0 < len(whole.stored.tokens) < len(whole.exact.tokens)
    assert whole.stored.similarity.shape == (len(whole.tokens), len(whole.stored.tokens))
    places = [whole.exact.tokens.index(token) for token in whole.stored.tokens]
    assert places == sorted(places)
    assert whole.exact.saliences is not None
    assert whole.stored.saliences is not None
    np.testing.assert_array_equal(whole.stored.saliences, whole.exact.saliences[places])


def test_an_answer_by_words_is_scored_by_them_and_by_the_documents(birds: Library) -> None:
    hits = birds.search("birds", mode=Mode.WORDS).hits
    assert hits
    for hit in hits:
        terms = hit.passages[0].terms
        assert [term.name for term in terms] == [WORDS_TERM, *(term.name for term in EVIDENCE)]
        assert sum(term.adds for term in terms) == pytest.approx(hit.score, rel=1e-6)
        assert not hit.passages[0].is_compared
