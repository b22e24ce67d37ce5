"""The local library and added ones: real ones, one that hangs, one that fails."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from core.errors import Cancelled, DocumentError, LibraryError, UsageError
from core.federation.federation import Federation
from core.federation.merging import member_and_own_id
from core.federation.source import LibrarySource, SourceUnavailableError
from core.library.library import Library
from core.progress import Job
from core.requests import (
    CORRECTED,
    WHILE_TYPING,
    Align,
    CountFacets,
    DrawPage,
    Explain,
    GetSalientWords,
    GetScoreScale,
    ListInner,
    LocateSpans,
    ReadMarkup,
    ReadPages,
    Request,
    Response,
    Search,
)
from core.responses import MEANING, WORDS, SearchResults
from core.settings import IndexSize, Settings, save_settings
from tests.conftest import write_files
from tests.library_requests import facets, search
from tests.waiting import patience

MORE = {
    "heron.txt": "The heron stands in shallow water without moving and waits for fish.",
    "tea.txt": "Green tea turns bitter in boiling water; let it cool for some minutes.",
}


@pytest.fixture(scope="module", params=["small", "fast"])
def more(
    encoder: object, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Library]:
    """A library without a refinement store, as that of the birds, and one with it."""
    root = tmp_path_factory.mktemp("more")
    write_files(root / "documents", MORE)
    save_settings(Settings(index_size=IndexSize(request.param)), root / "home" / "settings.json")
    with pytest.MonkeyPatch.context() as patch, Library.open(root / "home") as library:
        patch.setattr(
            "core.index.generation.open_runtime",
            lambda *_args, **_options: encoder.runtime,  # type: ignore[attr-defined]
        )
        library.add_folder(root / "documents")
        library.sync()
        library.warm_up()
        yield library


@pytest.fixture
def both(birds: Library, more: Library) -> Federation:
    federation = Federation(LibrarySource("", birds), deadline_s=patience())
    federation.add(LibrarySource("More", more))
    return federation


class Gated(LibrarySource):
    """Hang in a search until its gate is opened."""

    def __init__(self, library: Library) -> None:
        super().__init__("Slow", library)
        self.gate = threading.Event()
        self.queried = 0
        self.returned = threading.Semaphore(0)

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        if not isinstance(request, Search):
            return super().answer(request, job)
        self.queried += 1
        self.gate.wait(patience())
        try:
            return super().answer(request, job)
        finally:
            self.returned.release()


class Broken(LibrarySource):
    error: Exception = SourceUnavailableError("The share {0} is gone.", "x")

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        raise self.error


def test_two_libraries_answer_in_one_list_as_one_library_of_both_would(
    both: Federation, birds: Library, more: Library
) -> None:
    query = "birds that stand in water and wait for fish"
    results = search(both, query, mode="meaning")
    assert results.notice == ""
    assert results.hits[0].path.name == "heron.txt"
    assert {hit.library for hit in results.hits} == {"", "More"}
    scores = [hit.score for hit in results.hits]
    assert scores == sorted(scores, reverse=True)
    alone = {
        hit.path: hit.score
        for library in (birds, more)
        for hit in library.search(query, mode="meaning").hits
    }
    assert {hit.path: hit.score for hit in results.hits} == pytest.approx(alone)


def test_words_count_as_much_as_a_library_has_of_them(both: Federation, more: Library) -> None:
    # "water" and "bitter" occur in both, but the best of the one has more of the query's words.
    results = search(both, "how bitter does green tea turn in water")
    alone = more.search("how bitter does green tea turn in water")
    assert results.hits[0].path.name == "tea.txt"
    shares = {
        hit.path.name: term.value
        for hit in results.hits
        for term in hit.passages[0].terms
        if term.name == WORDS
    }
    assert shares["tea.txt"] == 1
    assert max(share for name, share in shares.items() if name not in MORE) < 0.9
    for hit in results.hits:
        best = hit.passages[0]
        assert best.score == pytest.approx(sum(term.adds for term in best.terms))
    assert results.hits[0].score == pytest.approx(alone.hits[0].score)


def test_every_request_on_a_result_reaches_its_library(both: Federation, more: Library) -> None:
    query = "a bird that waits for fish"
    results = search(both, query)
    (hit,) = [hit for hit in results.hits if hit.path.name == "heron.txt"]
    passage = hit.passages[0].passage
    number, own_id = member_and_own_id(passage.id)
    assert number == 1
    assert both.answer(ReadPages(hit.document_id)) == more.answer(
        ReadPages(own_id_of(more, "heron.txt"))
    )
    explained = both.answer(Explain(query, passage.id))
    assert explained.passage.id == passage.id
    assert explained.passage.document_id == hit.document_id
    ids = [found.passages[0].passage.id for found in results.hits]
    exact = both.answer(Align(query, tuple(ids)))
    assert exact.tokens == results.tokens
    assert set(exact.of) == set(ids)
    assert exact.of[passage.id] == more.answer(Align(query, (own_id,))).of[own_id]
    assert both.answer(GetSalientWords(passage.id)) == more.answer(GetSalientWords(own_id))
    assert both.answer(ListInner(hit.document_id)) == ()
    with pytest.raises(DocumentError):
        both.answer(DrawPage(hit.document_id, 1, 100))
    with pytest.raises(DocumentError):
        both.answer(LocateSpans(hit.document_id, 1, 9, 9, ()))
    assert both.answer(ReadMarkup(hit.document_id))[0].text.startswith("The heron")


def own_id_of(library: Library, name: str) -> int:
    return next(one.id for one in library.documents() if one.path.name == name)


def test_counts_are_of_all_libraries_and_folders_ones_own(
    both: Federation, birds: Library, more: Library
) -> None:
    counted = facets(both, "")
    assert counted.found == birds.status().documents + more.status().documents
    assert counted.kinds["text"] == counted.found
    assert counted.roots == birds.answer(CountFacets("")).roots
    found = [hit.document_id for hit in search(both, "heron", mode="words").hits]
    assert facets(both, "heron", mode="words", document_ids=tuple(found)).found == len(found) == 1


def test_a_removed_library_is_not_searched_and_its_number_never_comes_back(
    both: Federation, more: Library
) -> None:
    document = search(both, "heron").hits[0].document_id
    both.remove("More")
    assert not [hit for hit in search(both, "heron").hits if hit.library]
    both.add(LibrarySource("More", more))
    with pytest.raises(LibraryError, match=r"was removed\. Search again"):
        both.answer(ReadPages(document))
    with pytest.raises(UsageError, match="A library named More already exists"):
        both.add(LibrarySource("More", more))


def test_a_library_that_hangs_costs_its_own_results_and_is_waited_for_once(
    birds: Library, more: Library
) -> None:
    slow = Gated(more)
    federation = Federation(LibrarySource("", birds), deadline_s=0.05)
    federation.add(slow)
    results = search(federation, "heron or owl", mode="words")
    assert "Slow does not respond; its documents are not included" in results.notice
    assert [hit.path.name for hit in results.hits] == ["owl.txt"]
    search(federation, "owl", mode="words")
    assert slow.queried == 1
    with pytest.raises(LibraryError, match="does not respond"):
        federation.answer(ReadPages((1 << 40) + 1))
    slow.gate.set()
    assert slow.returned.acquire(timeout=patience())
    answered = Federation(LibrarySource("", birds), deadline_s=patience())
    answered.add(slow)
    assert search(answered, "heron", mode="words").hits[0].library == "Slow"


def test_once_a_late_answer_has_come_the_library_is_queried_again(
    birds: Library, more: Library
) -> None:
    slow = Gated(more)
    federation = Federation(LibrarySource("", birds), deadline_s=0.05)
    federation.add(slow)
    search(federation, "owl", mode="words")
    slow.gate.set()
    assert slow.returned.acquire(timeout=patience())
    federation = wait_until_queried(federation, slow)
    assert slow.queried > 1


def wait_until_queried(federation: Federation, slow: Gated) -> Federation:
    while slow.queried == 1:
        search(federation, "owl", mode="words")
    return federation


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (SourceUnavailableError("The share {0} is gone.", "x"), "The share x is gone."),
        (OSError("no"), "More cannot be searched because of an unexpected error (OSError)"),
        (Cancelled(), "The library More does not respond"),
    ],
)
def test_a_library_that_fails_costs_nothing_but_its_own_results(
    birds: Library, more: Library, error: Exception, message: str
) -> None:
    broken = Broken("More", more)
    broken.error = error
    federation = Federation(LibrarySource("", birds), deadline_s=patience())
    federation.add(broken)
    results = search(federation, "owl")
    assert results.hits[0].path.name == "owl.txt"
    assert message in results.notice


def test_requests_refused_by_the_local_library_are_refused(both: Federation) -> None:
    with pytest.raises(UsageError):
        search(both, "owl", limit=0)


def test_a_cancelled_search_does_not_wait(birds: Library, more: Library) -> None:
    slow = Gated(more)
    federation = Federation(LibrarySource("", birds), deadline_s=300)
    federation.add(slow)
    job = Job()
    threading.Timer(0.1, job.cancel).start()
    with pytest.raises(Cancelled):
        search(federation, "owl", mode="words", job=job)
    # It is not late: further typing queries it again, though it has not returned.
    threading.Timer(0.1, slow.gate.set).start()
    results = search(federation, "heron", mode="words")
    assert [hit.library for hit in results.hits] == ["Slow"]
    assert slow.queried == 2


def test_ranks_of_another_model_are_merged_with_a_notice(birds: Library, more: Library) -> None:
    class OfAnotherModel(LibrarySource):
        def answer(self, request: Request[Response], job: Job | None = None) -> Any:
            is_scale = isinstance(request, GetScoreScale)
            return None if is_scale else super().answer(request, job)

    federation = Federation(LibrarySource("", birds), deadline_s=patience())
    federation.add(OfAnotherModel("Other", more))
    results = search(federation, "a bird that waits for fish", mode="meaning")
    assert "The library Other ranks with another model" in results.notice
    assert [hit.library for hit in results.hits[:4]] == ["", "Other", "", "Other"]
    own = birds.search("a bird that waits for fish", mode="meaning")
    assert [hit.path for hit in results.hits if not hit.library] == [hit.path for hit in own.hits]
    terms = {term.name for hit in results.hits for term in hit.passages[0].terms}
    assert MEANING in terms
    assert WORDS not in terms
    assert not all(hit.is_likely for hit in own.hits), "one library alone marks chance"
    assert all(hit.is_likely for hit in results.hits), "among those of another model nothing is"
    assert "These results are not sorted into likely and less likely ones." in results.notice


def test_libraries_of_one_model_share_one_line(both: Federation) -> None:
    marks = [hit.is_likely for hit in search(both, "the heron waits for fish").hits]
    assert marks[0]
    assert marks == sorted(marks, reverse=True)
    assert search(both, "who won the football world cup in 2014").likely == 0


def test_documents_that_filters_alone_list_stand_by_their_age(both: Federation) -> None:
    hits = search(both, "type:text", limit=100).hits
    assert {hit.library for hit in hits} == {"", "More"}
    dates = [hit.dated_ns for hit in hits]
    assert dates == sorted(dates, reverse=True)


def test_a_library_that_hangs_on_refresh_answers_with_its_last_state(
    birds: Library, more: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, returned = threading.Event(), threading.Semaphore(0)

    class Hanging(LibrarySource):
        def refresh(self, job: Job | None = None) -> bool:
            gate.wait(patience())
            returned.release()
            return True

    monkeypatch.setattr("core.federation.federation._REFRESH_S", 0.05)
    federation = Federation(LibrarySource("", birds), deadline_s=patience())
    federation.add(Hanging("More", more))
    assert not federation.refresh()
    (state,) = federation.states()
    assert state.is_offline
    assert "More does not respond" in state.problem
    assert not federation.refresh()
    assert search(federation, "heron", mode="words").hits[0].library == "More"
    gate.set()
    assert returned.acquire(timeout=patience())


def test_one_library_alone_answers_as_itself(birds: Library) -> None:
    federation = Federation(LibrarySource("", birds))
    results, alone = search(federation, "owl"), birds.search("owl")
    assert results.hits == alone.hits
    assert federation.states() == ()
    assert not federation.refresh()


def test_states_come_in_the_order_of_adding(both: Federation, birds: Library) -> None:
    both.add(LibrarySource("Third", birds))
    assert [state.name for state in both.states()] == ["More", "Third"]
    assert not both.refresh()
    both.close()
    assert both.states() == ()


def test_a_library_can_be_replaced_in_its_place(
    both: Federation, birds: Library, more: Library
) -> None:
    both.add(LibrarySource("Third", birds))
    document = search(both, "heron").hits[0].document_id
    assert both.replace(LibrarySource("More", more))
    assert [(state.name, state.is_on) for state in both.states()] == [
        ("More", True),
        ("Third", True),
    ]
    with pytest.raises(LibraryError, match=r"was removed\. Search again"):
        both.answer(ReadPages(document))
    assert search(both, "heron").hits[0].document_id != document
    # One that is off stays off.
    both.switch("More", is_on=False)
    assert both.replace(LibrarySource("More", more))
    assert [state.is_on for state in both.states()] == [False, True]
    assert not both.replace(LibrarySource("Fourth", birds))
    assert len(both.states()) == 2


def test_better_spelt_words_are_those_of_ones_own_library(both: Federation) -> None:
    def queried(query: str) -> SearchResults:
        return search(both, query, mode="words", rewrites=CORRECTED)

    corrected = queried("nihgt")
    assert (corrected.query, corrected.original_query) == ("night", "nihgt")
    assert {hit.path.name for hit in corrected.hits} == {
        hit.path.name for hit in search(both, "night", mode="words").hits
    }
    # Only the other library has it, and finds it as it was typed.
    assert queried("heron").query == "heron"
    assert [hit.path.name for hit in queried("heron").hits] == ["heron.txt"]


def test_typed_text_may_be_a_prefix_in_each_library(both: Federation) -> None:
    by_prefix = search(both, "nigh", mode="words", rewrites=WHILE_TYPING)
    assert by_prefix.query == "nigh*"
    assert by_prefix.hits
