"""What can be searched beside one's own library, wherever it lies, and what its scores mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from core.errors import DocumentError, LibraryError
from core.requests import NO_REWRITE, QueryRewrite
from core.responses import Mode

if TYPE_CHECKING:
    from core.catalog.documents import ReadDocument
    from core.documents.document import Box, Page, PageImage, PageSize
    from core.library.library import Library
    from core.progress import Job
    from core.responses import (
        ExactAlignments,
        Facets,
        Inner,
        Reading,
        ScoreScale,
        SearchResults,
    )
    from core.token_comparison import Explanation

_Told = TypeVar("_Told")


class SourceUnavailableError(LibraryError):
    """A library that lies elsewhere does not answer; the message says why and what to do."""


class SourceRefusedError(SourceUnavailableError):
    """A library answers, but not this person: somebody has to do what the message says."""


class DocumentViews(Protocol):
    """What documents look like, and what lies in them; see `core.indexing.views.Views`.

    Each method raises `DocumentError` for what cannot be shown; the reader then shows text.
    """

    def image(
        self,
        document_id: int,
        page: int,
        width: int,
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> PageImage: ...

    def boxes(
        self,
        document_id: int,
        page: int,
        size: tuple[int, int],
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> tuple[tuple[Box, ...], ...]: ...

    def sizes(self, document_id: int, job: Job | None = None) -> tuple[PageSize, ...]: ...

    def pages(self, document_id: int, job: Job | None = None) -> tuple[Page, ...]: ...

    def inside(self, document_id: int) -> tuple[Inner, ...]: ...


class Searchable(Protocol):
    """What searches, explains and shows: a `Library`, and several of them as one.

    Any thread may call it. Errors that a person can act on are `WinnowError`s.
    """

    def search(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 20,
        job: Job | None = None,
        is_refined: bool = True,
        rewrites: frozenset[QueryRewrite] = NO_REWRITE,
    ) -> SearchResults:
        """Return the best documents for a query; see `Library.search`."""
        ...

    def facets(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 20,
        found: Collection[int] | None = None,
        job: Job | None = None,
    ) -> Facets:
        """Return how many of the documents that a query finds are of which kind and day."""
        ...

    def explain(self, query: str, passage_id: int) -> Explanation:
        """Return a query and one passage compared token by token."""
        ...

    def align(
        self, query: str, passage_ids: Sequence[int], job: Job | None = None
    ) -> ExactAlignments:
        """Return the exact alignments of a query with passages."""
        ...

    def salient_words(self, passage_id: int, count: int = 12) -> tuple[str, ...]:
        """Return the words that say most of what a passage is about."""
        ...

    def page_texts(self, document_id: int) -> tuple[Page, ...]:
        """Return the pages of a document as they were read; empty when the document is gone."""
        ...

    def page_image(
        self,
        document_id: int,
        page: int,
        width: int,
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> PageImage:
        """Draw a page `width` pixels wide, with the boxes of spans of its text."""
        ...

    @property
    def views(self) -> DocumentViews:
        """What documents look like."""
        ...


@dataclass(frozen=True, slots=True)
class SourceState:
    """A library beside one's own at this moment.

    Attributes:
        name: as the person calls it.
        address: where it lies, without credentials.
        is_offline: whether it cannot be reached; what was fetched before still answers.
        problem: a sentence on why it does not answer, or not as it should; "" while it does.
        published_at: when what answers was published, ISO 8601 in UTC; "" where that is not known,
            or it is always as it is now.
        documents: how many it holds.
        passages: how many it holds.
        is_refused: whether it can be reached, but does not answer this person.
        is_here: whether it is another library of one's own, whose files lie on this machine.
        is_on: whether it is searched; one that was switched off is asked nothing.
    """

    name: str
    address: str
    is_offline: bool = False
    problem: str = ""
    published_at: str = ""
    documents: int = 0
    passages: int = 0
    is_refused: bool = False
    is_here: bool = False
    is_on: bool = True


class SearchSource(Searchable, Protocol):
    """A library that is searched beside one's own: a snapshot, a server, another folder.

    Its numbers of passages and documents are its own, below 2**40; `Federation` tells them apart.
    Every method may raise `SourceUnavailableError` where it does not answer; those without a job
    may take as long as they like, for nobody waits longer than the `Federation` does.
    """

    @property
    def name(self) -> str:
        """What a person calls it; results bear it."""
        ...

    @property
    def is_here(self) -> bool:
        """Whether the files of its documents lie on this machine, as one's own do."""
        ...

    def lines(self, passage_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
        """Return the file's lines that passages are, by their numbers, where that is known."""
        ...

    def passage(self, passage_id: int, before: int = 0, behind: int = 0) -> Reading:
        """Return a passage with so many of its neighbours; raise `GoneError` where it is gone."""
        ...

    def document(self, document_id: int) -> ReadDocument:
        """Return a document that was read; raise `GoneError` where it is gone."""
        ...

    def page_text(self, document_id: int, page: int) -> str:
        """Return the text of one page; raise `GoneError` where there is none such."""
        ...

    def scale(self) -> ScoreScale | None:
        """Return what its scores by meaning are made of; None where no model answers."""
        ...

    def state(self) -> SourceState:
        """Return how it is; asks nobody far away, so that a list of libraries is shown at once."""
        ...

    def refresh(self, job: Job | None = None) -> bool:
        """Take up what is new there; whether anything is. What is under way goes on in the old."""
        ...

    def close(self) -> None:
        """Let go of what it holds; calls under way may fail."""
        ...


class LibraryBacked(ABC):
    """What is asked of a `Library` in the same way, whichever is open at the moment.

    Nothing that belongs to the library leaves `_ask`, which sees to it that none is closed while it
    is asked: SQLite, and files that are mapped, end the program where that happens.
    """

    @abstractmethod
    def _ask(self, work: Callable[[Library], _Told], job: Job | None = None) -> _Told:
        """Return what the library answers that is open, which stays open until it has.

        Questions that are under way may be ended when the job is cancelled.
        """

    def search(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 20,
        job: Job | None = None,
        is_refined: bool = True,
        rewrites: frozenset[QueryRewrite] = NO_REWRITE,
    ) -> SearchResults:
        return self._ask(
            lambda library: library.search(
                query,
                mode=mode,
                limit=limit,
                job=job,
                is_refined=is_refined,
                rewrites=rewrites,
                is_alone=False,
            ),
            job,
        )

    def facets(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 20,
        found: Collection[int] | None = None,
        job: Job | None = None,
    ) -> Facets:
        return self._ask(
            lambda library: library.facets(query, mode=mode, limit=limit, found=found, job=job),
            job,
        )

    def explain(self, query: str, passage_id: int) -> Explanation:
        return self._ask(lambda library: library.explain(query, passage_id))

    def align(
        self, query: str, passage_ids: Sequence[int], job: Job | None = None
    ) -> ExactAlignments:
        return self._ask(lambda library: library.align(query, passage_ids, job), job)

    def salient_words(self, passage_id: int, count: int = 12) -> tuple[str, ...]:
        return self._ask(lambda library: library.salient_words(passage_id, count))

    def passage(self, passage_id: int, before: int = 0, behind: int = 0) -> Reading:
        return self._ask(lambda library: library.texts.passage(passage_id, before, behind))

    def lines(self, passage_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
        return self._ask(lambda library: library.texts.lines(passage_ids))

    def document(self, document_id: int) -> ReadDocument:
        return self._ask(lambda library: library.texts.numbered(document_id))

    def page_text(self, document_id: int, page: int) -> str:
        return self._ask(
            lambda library: library.texts.page(library.texts.numbered(document_id), page)
        )

    def page_texts(self, document_id: int) -> tuple[Page, ...]:
        return self._ask(lambda library: library.page_texts(document_id))

    def page_image(
        self,
        document_id: int,
        page: int,
        width: int,
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> PageImage:
        return self._ask(
            lambda library: library.page_image(document_id, page, width, spans, job), job
        )

    @property
    def views(self) -> DocumentViews:
        """What its documents look like, as long as this machine has their files."""
        return _BackedViews(self._ask)

    def scale(self) -> ScoreScale | None:
        return self._ask(lambda library: library.score_scale())


class _Ask(Protocol):
    def __call__(self, work: Callable[[Library], _Told], job: Job | None = None) -> _Told: ...


class _BackedViews:
    """Asks for each view anew, so that no library is drawn from that is closed meanwhile."""

    def __init__(self, ask: _Ask) -> None:
        self._ask = ask

    def image(
        self,
        document_id: int,
        page: int,
        width: int,
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> PageImage:
        return self._ask(
            lambda library: library.views.image(document_id, page, width, spans, job), job
        )

    def boxes(
        self,
        document_id: int,
        page: int,
        size: tuple[int, int],
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> tuple[tuple[Box, ...], ...]:
        return self._ask(
            lambda library: library.views.boxes(document_id, page, size, spans, job), job
        )

    def sizes(self, document_id: int, job: Job | None = None) -> tuple[PageSize, ...]:
        return self._ask(lambda library: library.views.sizes(document_id, job), job)

    def pages(self, document_id: int, job: Job | None = None) -> tuple[Page, ...]:
        return self._ask(lambda library: library.views.pages(document_id, job), job)

    def inside(self, document_id: int) -> tuple[Inner, ...]:
        return self._ask(lambda library: library.views.inside(document_id))


class LibrarySource(LibraryBacked):
    """A library of this machine's as a source; whoever gives it closes it."""

    def __init__(self, name: str, library: Library) -> None:
        self._name = name
        self._library = library

    def _ask(self, work: Callable[[Library], _Told], job: Job | None = None) -> _Told:  # noqa: ARG002
        return work(self._library)

    @property
    def name(self) -> str:
        return self._name

    @property
    def is_here(self) -> bool:
        return True

    def state(self) -> SourceState:
        status = self._library.status()
        return SourceState(
            self._name,
            str(status.home),
            documents=status.documents,
            passages=status.passages,
            is_here=True,
        )

    def refresh(self, job: Job | None = None) -> bool:  # noqa: ARG002 - as the protocol has it
        """Return False: a library on this machine is always as it is now."""
        return False

    def close(self) -> None:
        """Do nothing: whoever gave the library closes it."""


class NoViews:
    """For a source that tells text alone: nothing of its documents can be drawn."""

    def image(self, *_: Any, **__: Any) -> PageImage:
        raise self._error()

    def boxes(self, *_: Any, **__: Any) -> tuple[tuple[Box, ...], ...]:
        raise self._error()

    def sizes(self, *_: Any, **__: Any) -> tuple[PageSize, ...]:
        raise self._error()

    def pages(self, *_: Any, **__: Any) -> tuple[Page, ...]:
        raise self._error()

    def inside(self, *_: Any, **__: Any) -> tuple[Inner, ...]:
        return ()

    @staticmethod
    def _error() -> DocumentError:
        return DocumentError("is in a library of which only the text can be shown")
