"""A second model compares the best of what is found; it counts beside the first, and is told."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from core.alignment.pairwise import AlignmentStrategy
from core.catalog.passages import StoredPassage
from core.documents.document import Document, Page
from core.encoders.encoder import Encoder
from core.errors import Cancelled, ModelError
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.responses import SECOND_LOOK, Mode, ScoreTerm, SearchResults
from core.search import second_look
from core.search.encodings import EncodedQuery
from core.search.ranking import SECOND_SHARE
from core.search.second_look import SecondLook
from core.settings import Settings

QUERY = "which bird raises its own chicks"
TEXTS = {
    "stork": "Storks come back in spring and raise their own chicks on roofs of barns.",
    "cuckoo": "Cuckoos lay eggs in the nests of others, who raise the chicks in spring.",
    "train": "The train leaves the station at noon and comes back from the sea at night.",
    "bread": "Bread rises in a warm place for an hour before it is baked in the oven.",
}
Opener = Callable[[LibraryOptions], Library]


@pytest.fixture
def opened(tmp_path: Path, open_library: Callable[..., Library]) -> Opener:
    """Opens a library of four texts, each time another one."""

    def opener(options: LibraryOptions) -> Library:
        library = open_library(Path(tempfile.mkdtemp(dir=tmp_path)), options)
        documents = [(name, Document("", (Page(1, text),))) for name, text in TEXTS.items()]
        library.add_collection("made", documents)
        library.sync()
        return library

    return opener


def order(results: SearchResults) -> list[int]:
    return [hit.document_id for hit in results.hits]


def passages_of(results: SearchResults) -> list[StoredPassage]:
    """The best passage of each document, as the catalog has it."""
    best = [hit.passages[0].passage for hit in results.hits]
    return [
        StoredPassage(
            one.id, one.document_id, Path("made"), "", one.page, one.start, one.end, one.text, ""
        )
        for one in best
    ]


def terms(results: SearchResults) -> list[tuple[ScoreTerm, ...]]:
    return [hit.passages[0].terms for hit in results.hits]


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.MEANING])
def test_its_say_is_a_term_of_the_score(mode: Mode, opened: Opener) -> None:
    library = opened(LibraryOptions(second_model="winnow-mini"))
    results = library.search(QUERY, mode=mode)
    assert results.notice == ""
    for hit in results.hits:
        (passage,) = hit.passages
        *first, second = passage.terms
        assert (second.name, second.label) == (SECOND_LOOK, "Second look")
        assert second.weight == SECOND_SHARE
        assert sum(term.weight for term in first) == pytest.approx(1 - SECOND_SHARE)
        assert sum(term.adds for term in passage.terms) == pytest.approx(passage.score, abs=1e-5)
    scores = [hit.score for hit in results.hits]
    assert scores == sorted(scores, reverse=True)
    assert order(results) == [number for number, _ in library.rank(QUERY, mode=mode)]


def test_what_it_says_is_how_alike_query_and_passage_are(opened: Opener, encoder: Encoder) -> None:
    shown = passages_of(opened(LibraryOptions()).search(QUERY))
    said = SecondLook("winnow-mini").similarities(QUERY, shown)
    asked = EncodedQuery.of(QUERY, encoder)
    seen = encoder.encode_passages(encoder.passage_tokens([("", one.text) for one in shown]))
    expected = [asked.scores(one.vectors, [AlignmentStrategy()])[0] for one in seen]
    assert said == pytest.approx(expected, abs=2e-3)


def test_the_order_is_by_both(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    library = opened(LibraryOptions(second_model="winnow-mini"))
    before = order(library.search(QUERY, is_refined=False))
    last = library.search(QUERY, is_refined=False).hits[-1].passages[0].passage.id

    def prefer(
        _self: SecondLook, _query: str, passages: list[StoredPassage], _job: Job | None
    ) -> list[float]:
        return [float(passage.id == last) for passage in passages]

    monkeypatch.setattr(SecondLook, "similarities", prefer)
    results = library.search(QUERY)
    assert order(results)[0] == before[-1]
    assert sorted(order(results)) == sorted(before)


def test_only_the_first_are_looked_at(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.search.searcher.LOOKED_AT", 2)
    plain = order(opened(LibraryOptions(second_model="")).search(QUERY))
    library = opened(LibraryOptions(second_model="winnow-mini"))
    results = library.search(QUERY)
    looked = [any(term.name == SECOND_LOOK for term in one) for one in terms(results)]
    assert looked == [True, True, False, False]
    assert set(order(results)[:2]) == set(plain[:2])
    assert order(results)[2:] == plain[2:]


def test_in_the_indexs_order_and_by_words_nothing_is_looked_at(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = opened(LibraryOptions(second_model="winnow-mini"))

    def refuse(*_: object) -> None:
        pytest.fail("there is a second look")

    monkeypatch.setattr(SecondLook, "similarities", refuse)
    assert library.search(QUERY, is_refined=False).hits
    assert library.search(QUERY, mode=Mode.WORDS).hits


def test_a_model_that_is_not_there_is_said_and_the_first_one_answers(
    opened: Opener, tmp_path: Path
) -> None:
    plain = opened(LibraryOptions(second_model=""))
    expected = plain.search(QUERY)
    library = opened(LibraryOptions(second_model=str(tmp_path / "nowhere")))
    results = library.search(QUERY)
    assert order(results) == order(expected)
    assert terms(results) == terms(expected)
    assert results.notice.startswith("There is no second look. There is no model ")
    assert library.search(QUERY, is_refined=False).notice == ""
    assert library.search(QUERY, mode=Mode.WORDS).notice == ""


def test_it_is_chosen_in_the_settings_and_holds_at_once(
    opened: Opener, tmp_path: Path, encoder: Encoder
) -> None:
    library = opened(LibraryOptions())
    assert len(terms(library.search(QUERY))[0]) == 2
    library.choosing.choose(second_model="winnow-mini")
    assert len(terms(library.search(QUERY))[0]) == 3
    with pytest.raises(ModelError, match="There is no model"):
        library.choosing.choose(second_model=str(tmp_path / "nowhere"))
    assert library.choosing.choices().settings.second_model == "winnow-mini"
    assert len(terms(library.search(QUERY))[0]) == 3
    library.choosing.choose(second_model="")
    assert len(terms(library.search(QUERY))[0]) == 2


def test_the_explanation_adds_up_with_it(opened: Opener) -> None:
    from core.search.explanation import break_down

    library = opened(LibraryOptions(second_model="winnow-mini"))
    hit = library.search(QUERY).hits[0].passages[0]
    explained = library.explain(QUERY, hit.passage.id)
    found = break_down(explained, hit.terms, explained.strategy)
    assert found.is_ranking_score
    assert [line.name for line in found.terms] == ["words", SECOND_LOOK]
    assert found.score == pytest.approx(hit.score, abs=2e-3)


def test_who_cancels_has_no_more_passages_encoded(opened: Opener) -> None:
    shown = passages_of(opened(LibraryOptions()).search(QUERY))
    look = SecondLook("winnow-mini")
    look.warm_up()
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        look.similarities(QUERY, shown, job)


def test_nobody_waits_while_it_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, goes_on = threading.Event(), threading.Event()
    load = second_look.load_checkpoint

    def slowly(source: str) -> object:
        begun.set()
        assert goes_on.wait(60)
        return load(source)

    monkeypatch.setattr(second_look, "load_checkpoint", slowly)
    look = SecondLook()
    look.take(Settings(second_model="winnow-mini"))
    loading = threading.Thread(target=look.warm_up)
    loading.start()
    assert begun.wait(60)
    assert look.similarities(QUERY, []) is None
    # Another is chosen in the middle: what was loaded for nothing does not look.
    look.take(Settings())
    goes_on.set()
    loading.join()
    assert look.similarities(QUERY, []) is None
    assert not look.is_chosen


def test_a_model_chosen_while_another_is_loaded_is_the_one_that_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    look = SecondLook()
    look.take(Settings(second_model="nowhere at all"))
    load = second_look.load_checkpoint
    asked: list[str] = []

    def change_mind(source: str) -> object:
        asked.append(source)
        look.take(Settings(second_model="winnow-mini"))
        return load(source)

    monkeypatch.setattr(second_look, "load_checkpoint", change_mind)
    look.warm_up()
    assert asked == ["nowhere at all", "winnow-mini"]
    assert look.notice == ""
    assert look.similarities(QUERY, []) == []
