"""Searching a small library by words, by meaning and by both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.alignment.pairwise import AlignmentStrategy, similarity
from core.documents.document import Document, Heading, Page
from core.encoders.encoder import Encoder
from core.errors import Cancelled, UsageError
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.requests import WHILE_TYPING, Align, CountFacets, Explain
from core.responses import MEANING, WORDS, Mode, SearchResults
from core.search.query import language
from core.search.ranking import RankingConfig
from core.settings import IndexSize, Settings, save_settings
from tests.examples import examples

every_mode = pytest.mark.parametrize("mode", list(Mode))


def names(results: SearchResults) -> list[str]:
    return [hit.path.stem for hit in results.hits]


def fill(library: Library, **texts: str | tuple[str, ...]) -> dict[str, int]:
    """Add documents of one page a text, not encoded yet; return their numbers."""
    inputs = [
        (
            name,
            Document(
                name,
                tuple(
                    Page(number, page)
                    for number, page in enumerate((text,) if isinstance(text, str) else text, 1)
                ),
            ),
        )
        for name, text in texts.items()
    ]
    keys = library.add_collection(f"made {len(texts)}", inputs)
    return {key: number for number, key in keys.items()}


def test_words_need_no_model(open_library: Callable[..., Library]) -> None:
    library = open_library()
    fill(library, crow="Crows hide food.", owl="Owls hunt mice.")
    results = library.search("mouse owl", mode=Mode.WORDS)
    assert names(results) == ["owl"]
    (hit,) = results.hits[0].passages
    assert hit.found_by == (Mode.WORDS,)
    assert hit.alignments == ()
    assert [hit.passage.text[start:end] for start, end in hit.words] == ["Owls"]
    assert results.tokens == ()
    assert library._generations.answering().loaded_encoder is None


def test_meaning_finds_what_shares_no_word(birds: Library) -> None:
    question = "nocturnal predators"
    assert names(birds.search(question, mode=Mode.WORDS)) == []
    results = birds.search(question, mode=Mode.MEANING)
    assert names(results)[0] == "owl"
    assert results.hits[0].passages[0].found_by == (Mode.MEANING,)


def test_words_count_as_much_as_the_model_has_them_count(
    small_birds: Library, encoder: Encoder
) -> None:
    question, weight = (
        "birds that hunt mice at night",
        RankingConfig.of_model(encoder.checkpoint.resources).words,
    )
    assert weight > 0.05
    scores = {
        mode: {
            hit.path.stem: sum(
                term.adds for term in hit.passages[0].terms if term.name in {MEANING, WORDS}
            )
            for hit in small_birds.search(question, mode=mode).hits
        }
        for mode in Mode
    }
    best = max(scores[Mode.WORDS].values())
    for name, meaning in scores[Mode.MEANING].items():
        words = scores[Mode.WORDS].get(name, 0.0) / best
        expected = (1 - weight) * meaning + weight * words
        assert scores[Mode.HYBRID][name] == pytest.approx(expected, abs=1e-5)
    assert 0 < len(scores[Mode.WORDS]) < len(scores[Mode.MEANING])


def test_a_common_word_finds_nothing_next_to_a_rare_one_and_everything_alone(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.search.words.fts._FEWEST_COMMON", 1)
    kinds = ("owl", "crow", "swift", "wren")
    fill(library, **{kind: f"The {kind} was seen." for kind in kinds})
    assert names(library.search("the owl", mode=Mode.WORDS)) == ["owl"]
    for question in ("the", "the zebra"):
        found = library.search(question, mode=Mode.WORDS)
        assert sorted(names(found)) == sorted(kinds)


def test_a_query_is_parsed_once_by_all_that_read_it(
    birds: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    lexemes = language.lexemes

    def noted(typed: str, notices: list[str], today: date) -> Iterator[language.Lexeme]:
        parsed.append(typed)
        return lexemes(typed, notices, today)

    monkeypatch.setattr(language, "lexemes", noted)
    query = "who hunts at night type:text -library:elsewhere"
    hits = birds.search(query, rewrites=WHILE_TYPING).hits
    birds.answer(CountFacets(query, document_ids=tuple([hit.document_id for hit in hits])))
    birds.answer(Explain(query, hits[0].passages[0].passage.id))
    birds.answer(Align(query, (hits[0].passages[0].passage.id,)))
    assert parsed == [query]


def test_both_ways_together_say_which_found_what(birds: Library) -> None:
    results = birds.search("tax receipt", mode=Mode.HYBRID)
    assert names(results)[0] == "tax"
    assert results.hits[0].passages[0].found_by == (Mode.WORDS, Mode.MEANING)
    assert results.hits[-1].passages[0].found_by == (Mode.MEANING,)
    scores = [hit.score for hit in results.hits]
    assert scores == sorted(scores, reverse=True)


@every_mode
def test_quoted_words_must_occur(mode: Mode, birds: Library) -> None:
    for query, expected in (
        ('"Boundary  LAYER"', ["engine"]),
        ('"resume of the method"', ["coffee"]),
        ('"the eggs"', []),
        ('"nest"', []),  # the stem of "nests" alone
        ('birds "nests"', ["cuckoo"]),
        ('"eggs" "chicks"', ["cuckoo"]),
        ('"eggs" "mice"', []),
    ):
        assert names(birds.search(query, mode=mode)) == expected, query


@every_mode
def test_filters_apply_before_candidates_are_cut(
    mode: Mode, open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However far down the one passage stands that holds the phrase."""
    monkeypatch.setattr("core.search.word_ranker._FEWEST_CANDIDATES", 5)
    library = open_library()
    texts = {f"d{number:02}": "crow food crow food crow food" for number in range(30)}
    fill(library, **texts, last="All that a crow wants to eat is some food that was laid by.")
    library.sync()
    assert names(library.search('crow food "laid by"', mode=mode, limit=1)) == ["last"]


def test_a_document_is_returned_once_with_its_best_passages(
    open_library: Callable[..., Library],
) -> None:
    library = open_library()
    pages = tuple(f"Crows of page {number} hide food." for number in range(6))
    numbers = fill(library, many=pages, one="Owls do not hide food.")
    library.sync()
    for mode in Mode:
        results = library.search("crows hide food", mode=mode)
        assert sorted(names(results)) == ["many", "one"]
        hit = next(hit for hit in results.hits if hit.document_id == numbers["many"])
        assert len(hit.passages) == 4
        scores = [passage.score for passage in hit.passages]
        assert scores == sorted(scores, reverse=True)
        assert hit.score == scores[0]


@every_mode
def test_the_requested_number_of_documents_is_found_even_where_one_has_most_passages(
    mode: Mode, open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.search.word_ranker._FEWEST_CANDIDATES", 2)
    library = open_library()
    fill(library, many=("crow crow crow",) * 120, a="crow owl", b="owl crow", c="crow and swift")
    library.sync()
    assert len(library.search("crow", mode=mode, limit=3).hits) == 3
    ranked = library.rank("crow", mode=mode, limit=3)
    assert [number for number, _ in ranked] == [
        hit.document_id for hit in library.search("crow", mode=mode, limit=3).hits
    ]


@every_mode
def test_equals_stay_in_the_order_in_which_they_came(
    mode: Mode, open_library: Callable[..., Library]
) -> None:
    library = open_library()
    for name in ("c", "a", "b"):
        library.add_collection(f"from {name}", [(name, Document("", (Page(1, "A crow."),)))])
    library.sync()
    for limit in (1, 2, 3):
        assert names(library.search("crow", mode=mode, limit=limit)) == ["c", "a", "b"][:limit]


@every_mode
@pytest.mark.parametrize("alignment", ["topk:1", "topk:3", "topp:0.2"])
def test_alignments_point_at_what_they_name(
    mode: Mode, alignment: str, birds: Library, open_library: Callable[..., Library]
) -> None:
    options = LibraryOptions(alignment=AlignmentStrategy.parse(alignment))
    library = open_library(birds.home, options)
    results = library.search("Which bird has RÉSUMÉ eggs", mode=mode)
    assert results.hits
    for token in results.tokens:
        assert "Which bird has RÉSUMÉ eggs"[token.start : token.end] == token.text != ""
    of_query = {token.index: token.text for token in results.tokens}
    for passage in (passage for hit in results.hits for passage in hit.passages):
        text, context = passage.passage.text, passage.passage.context
        assert bool(passage.alignments) is (mode is not Mode.WORDS)
        for pair in passage.alignments:
            assert (context if pair.in_context else text)[pair.start : pair.end] == pair.text != ""
            assert -1.001 <= pair.similarity <= 1.001
            assert of_query[pair.query_index] == pair.query_token
        aligned = {pair.query_index for pair in passage.alignments}
        # A word whose only partner is the passage as a whole lights nothing in it.
        assert aligned <= of_query.keys() if alignment == "topk:1" else aligned == of_query.keys()
        for start, end in passage.words:
            assert 0 <= start < end <= len(text)


def test_a_score_by_meaning_is_what_its_alignments_sum_up_to(
    birds: Library, encoder: Encoder
) -> None:
    """The parts of the words and of the whole query and passage, each with its weight."""
    query = "who raises its own chicks"
    (of_query,) = encoder.encode_queries([encoder.query_tokens(query)])
    index = birds._generations.answering().searcher
    for hit in birds.search(query, mode=Mode.MEANING, is_refined=False).hits:
        best = hit.passages[0]
        stored = index.vectors([best.passage.id])[best.passage.id]
        pairs = similarity(of_query.vectors, stored.vectors)
        greatest = pairs.max(axis=1)
        weights = birds.answer(Explain(query, best.passage.id)).exact.weights
        assert best.terms[0].value == pytest.approx(np.average(greatest, weights=weights), abs=1e-3)
        highlighted = {pair.query_index: pair.similarity for pair in best.alignments}
        tokens = stored.positions[pairs.argmax(axis=1)]
        of_words = {number for number in range(1, len(pairs)) if tokens[number] > 0}
        assert highlighted == pytest.approx({one: greatest[one] for one in of_words}, abs=1e-3)


def test_words_of_the_title_and_the_headings_count(open_library: Callable[..., Library]) -> None:
    library = open_library()
    page = Page(1, "Owls\n\nThey hunt.", (Heading(0, 1, "Owls"),))
    library.add_collection("made", [("a", Document("Birds of the Alps", (page,)))])
    fill(library, other="Crows hide food.", more="Swifts sleep.", third="Rooks.", fourth="Jays.")
    library.sync()
    for mode in Mode:
        assert names(library.search("alps", mode=mode))[0] == "a"
    (hit,) = library.search("alps", mode=Mode.WORDS).hits[0].passages
    assert hit.words == ()


def test_unencoded_passages_are_found_by_their_words(
    open_library: Callable[..., Library], home: Path
) -> None:
    home.mkdir(exist_ok=True)
    save_settings(Settings(index_size=IndexSize.SMALL), home / "settings.json")
    library = open_library()
    fill(library, crow="Crows hide food.", owl="Owls hunt mice.")
    library.sync()
    library.add_collection("new", [("rook", Document("", (Page(1, "Rooks breed."),)))])
    results = library.search("rooks hunting", mode=Mode.HYBRID)
    assert set(names(results)) == {"crow", "owl", "rook"}
    rook = next(hit for hit in results.hits if hit.path.stem == "rook").passages[0]
    assert rook.found_by == (Mode.WORDS,)
    term = rook.terms[0]
    assert (term.is_exact, term.is_imputed) == (True, False)
    fast = library.search("rooks hunting", mode=Mode.HYBRID, is_refined=False)
    unseen = next(hit for hit in fast.hits if hit.path.stem == "rook").passages[0]
    assert unseen.alignments == ()
    term = unseen.terms[0]
    assert (term.is_exact, term.is_imputed) == (False, True)
    assert "rook" not in names(library.search("rooks", mode=Mode.MEANING))
    whole = library.answer(Explain("rooks", rook.passage.id))
    assert whole.stored is None
    assert whole.exact.align(whole.strategy).score > 0.3


@every_mode
def test_an_empty_library_finds_nothing(mode: Mode, open_library: Callable[..., Library]) -> None:
    assert open_library().search("crow", mode=mode).hits == ()


@pytest.mark.parametrize(
    ("query", "found"),
    [("crows banana", {"a", "b", "c"}), ("owls banana", {"d"}), ("banana", set())],
)
def test_a_word_that_nothing_holds_hides_nothing(
    query: str, found: set[str], open_library: Callable[..., Library]
) -> None:
    library = open_library()
    fill(library, a="Crows hide.", b="Crows sing.", c="The crows.", d="Owls hunt.", e="Swifts.")
    assert set(names(library.search(query, mode=Mode.WORDS))) == found


def test_a_damaged_index_is_reported_and_the_words_still_found(
    open_library: Callable[..., Library], home: Path
) -> None:
    library = open_library()
    fill(library, crow="Crows hide food.", owl="Owls hunt mice.")
    library.sync()
    (segment,) = (home / "index").iterdir()
    segment.write_bytes(b"")
    library.close()
    damaged = open_library()
    results = damaged.search("mice", mode=Mode.HYBRID)
    assert names(results) == ["owl"]
    assert results.notice.startswith("1 of 1 index files are damaged")
    assert damaged.search("mice", mode=Mode.WORDS).notice == ""
    damaged.sync()
    assert damaged.search("mice", mode=Mode.HYBRID).notice == ""
    assert names(damaged.search("rodents", mode=Mode.MEANING))[0] == "owl"


def test_a_long_query_is_truncated_with_a_notice(birds: Library) -> None:
    results = birds.search("owl " * 2000, mode=Mode.HYBRID)
    assert names(results)[0] == "owl"
    assert "only its beginning" in results.notice
    with pytest.raises(UsageError, match="the limit is"):
        birds.search("owl " * 3000)
    with pytest.raises(UsageError, match="at least 1"):
        birds.search("owl", limit=0)


_OPERATORS = (
    """AND OR NOT NEAR NEAR(a b) " "crow" * ^ : text: ( ) - + {a} ' ; -- % _ « 🦉 crow owl*"""
)
_odd = st.one_of(
    st.text(st.characters(), max_size=30),
    st.lists(st.sampled_from([*_OPERATORS.split(), "\x00", "\ud83e"]), max_size=8).map(" ".join),
)


@settings(max_examples=examples(50))
@example(typed=": AND : NOT -", mode=Mode.HYBRID)
@given(typed=_odd, mode=st.sampled_from(list(Mode)))
def test_no_query_is_an_error_but_an_empty_one(typed: str, mode: Mode, birds: Library) -> None:
    if any(map(str.isalnum, typed)):
        birds.search(typed, mode=mode)
    else:
        with pytest.raises(UsageError, match="Type some words"):
            birds.search(typed, mode=mode)


def test_searches_on_many_threads_return_the_same_as_on_one(birds: Library) -> None:
    questions = [f"{bird} food" for bird in ("crow", "owl", "swift", "dipper", "cuckoo")] * 4

    def ask(question: str) -> list[tuple[str, float]]:
        hits = birds.search(question, mode=Mode.HYBRID).hits
        return [(hit.path.stem, round(hit.score, 4)) for hit in hits]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(ask, questions))
    assert together == [ask(question) for question in questions]


def test_a_cancelled_search_stops(birds: Library) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        birds.search("nocturnal predators", job=job)
    assert birds.search("nocturnal predators").hits


def test_a_hit_contains_authors_and_date_of_the_document(
    open_library: Callable[..., Library], folder: Path
) -> None:
    (folder / "crow.md").write_text(
        "---\nauthor: Ann Rook\ndate: 2024-06-30\n---\nCrows hide food."
    )
    (folder / "long.md").write_text(f"---\nauthor: {'Ann ' * 500}\n---\nCrows sleep.")
    library = open_library()
    library.add_folder(folder)
    library.sync()
    hits = {hit.path.stem: hit for hit in library.search("crows", mode=Mode.WORDS).hits}
    assert (hits["crow"].author, hits["crow"].date) == ("Ann Rook", "2024-06-30")
    assert len(hits["long"].author) <= 300
    assert hits["long"].date == ""
    (folder / "crow.md").write_text("Crows hide food, still.")
    library.sync()
    (hit,) = library.search('"still"', mode=Mode.WORDS).hits
    assert (hit.author, hit.date) == ("", "")


def test_words_are_found_as_they_are_typed_in_every_script(
    open_library: Callable[..., Library],
) -> None:
    library = open_library()
    fill(
        library,
        jp="私は東京に住んでいます。",
        cn="北京大学图书馆。",
        ko="서울에서 만나요.",
        fr="Un résumé.",
        uk="The colour of plumage.",
    )

    def found(query: str) -> list[str]:
        return names(library.search(query, mode=Mode.WORDS))

    assert found("東京") == found("京に") == found("住") == found('"東京"') == ["jp"]
    assert found("東京に住む") == ["jp"]
    assert found("図書館 大学") == ["cn"]
    assert found("서울") == ["ko"]
    assert found("京 -大学") == ["jp"]
    assert found("resume") == found('"RESUME"') == ["fr"]
    assert found("colour") == ["uk"]
    assert found("color") == []
    (hit,) = library.search("大学", mode=Mode.WORDS).hits[0].passages
    assert [hit.passage.text[start:end] for start, end in hit.words] == ["大学"]


def test_only_a_small_index_can_be_refined(birds: Library, small_birds: Library) -> None:
    for library, mode, is_refined, can_be_refined in (
        (birds, Mode.HYBRID, False, False),
        (small_birds, Mode.HYBRID, False, True),
        (small_birds, Mode.HYBRID, True, False),
        (small_birds, Mode.WORDS, False, False),
    ):
        found = library.search("swifts sleep on the wing", mode=mode, is_refined=is_refined)
        assert found.can_be_refined is can_be_refined
    first = birds.search("swifts sleep on the wing", is_refined=False).hits
    assert birds.search("swifts sleep on the wing").hits == first
