"""A library in memory, whose response times and errors the tests control."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, cast

from core.alignment.pairwise import AlignmentStrategy
from core.catalog.copies import Copy
from core.catalog.documents import NamedDocument
from core.catalog.files.file_lists import FileCounts
from core.catalog.files.folders import NO_RULES, Folder, FolderRules
from core.catalog.reports import Preview, SampleText, Status, SyncReport
from core.catalog.scope import Scope
from core.documents.document import Box, Page, PageImage, PageSize
from core.errors import DocumentError, FolderError
from core.progress import Job, Progress, Stage
from core.requests import (
    Align,
    CountFacets,
    DrawPage,
    Explain,
    GetSalientWords,
    ListInner,
    LocateLines,
    LocateSpans,
    MeasurePages,
    QueryRewrite,
    ReadMarkup,
    ReadPages,
    Request,
    Response,
    Search,
)
from core.responses import (
    MEANING,
    WORDS,
    DocumentHit,
    ExactAlignments,
    Facets,
    Inner,
    Mode,
    Passage,
    PassageHit,
    QueryToken,
    ScoreTerm,
    SearchResults,
    SpellingSuggestion,
)
from core.search.facets.filters import split
from core.search.query.addressing import EVERYTHING
from core.search.query.language import parse
from core.token_comparison import Explanation
from tests.app.comparing_double import WORD, alignments, compared, tokens_of
from tests.app.maintenance_double import MaintenanceDouble
from tests.app.teaching_double import TeachingDouble
from tests.reference_counts import Described, count
from tests.waiting import patience


def free() -> threading.Event:
    """A gate that is open at first."""
    gate = threading.Event()
    gate.set()
    return gate


@dataclass
class Book:
    """A document: each page is a list of passages."""

    path: Path
    title: str
    pages: list[list[str]]
    has_page_images: bool = False
    author: str = ""
    changed: date = date(2024, 5, 1)
    dressed: tuple[Page, ...] = ()
    inside: tuple[Inner, ...] = ()

    @property
    def mtime_ns(self) -> int:
        return int(datetime.combine(self.changed, time(12)).timestamp()) * 1_000_000_000

    def is_in(self, scope: Scope) -> bool:
        """Return whether the document matches the filters of the side bar."""
        folders = [str(place) for place in scope.paths]
        return (
            all(map(self.is_in, scope.every))
            and not any(map(self.is_in, scope.neither))
            and (not scope.either or any(map(self.is_in, scope.either)))
            and (not scope.suffixes or self.path.suffix in scope.suffixes)
            and (not folders or any(self.path.is_relative_to(place) for place in folders))
            and (not scope.folders or not set(scope.folders).isdisjoint(self.path.parts))
            and (not scope.authors or all(name in self.author for name in scope.authors))
            and (scope.since is None or self.changed >= scope.since)
            and (scope.until is None or self.changed <= scope.until)
        )


@dataclass
class LibraryDouble(MaintenanceDouble):
    """Finds passages that share the start of a word with the query.

    A closed gate (`clear()`) blocks its calls on their threads.
    """

    books: list[Book] = field(default_factory=list)
    list_of_folders: list[Folder] = field(default_factory=list)
    alike: dict[tuple[str, str], float] = field(default_factory=dict)
    alike_exactly: dict[tuple[str, str], float] = field(default_factory=dict)
    unsalient: set[str] = field(default_factory=set)
    """Words with a quarter of the salience of the others."""
    unlikely: set[str] = field(default_factory=set)
    """Titles of results that are marked unlikely in searches by meaning."""
    notice: str = ""
    # In other languages than English.
    share_of_files: float = 0.0
    share_of_texts: float = 0.0
    scale_of_text: float = 1.0
    foreign_queries: set[str] = field(default_factory=set)
    """Queries for which the multilingual model is offered."""
    search_gate: threading.Event = field(default_factory=free)
    refining_gate: threading.Event = field(default_factory=free)
    refined: list[str] = field(default_factory=list)
    line_numbers: dict[int, tuple[int, int]] = field(default_factory=dict)
    _to_refine: str = ""
    words_gate: threading.Event = field(default_factory=free)
    align_gate: threading.Event = field(default_factory=free)
    warm_gate: threading.Event = field(default_factory=free)
    read_gate: threading.Event = field(default_factory=free)
    sync_gate: threading.Event = field(default_factory=free)
    in_sync: threading.Event = field(default_factory=threading.Event)
    progress: list[Progress] = field(default_factory=list)
    removed_texts: set[str] = field(default_factory=set)
    search_error: Exception | None = None
    align_error: Exception | None = None
    warm_error: Exception | None = None
    sync_error: Exception | None = None
    sync_problem: str = ""
    searches: list[tuple[str, str]] = field(default_factory=list)
    counted: list[tuple[str, tuple[int, ...] | None]] = field(default_factory=list)
    aligned: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    explained: list[tuple[str, int]] = field(default_factory=list)
    cancelled_alignments: int = 0
    images: list[tuple[int, int, int]] = field(default_factory=list)
    placed: list[tuple[int, int]] = field(default_factory=list)
    syncs: int = 0
    preview_of: Callable[[Path, FolderRules], Preview] = field(
        default=lambda folder, _rules: Preview(folder, 0, 0, (), {}, (), 0, 0, 0.0, 0.0)
    )
    previewed_models: list[str] = field(default_factory=list)
    previewed: list[FolderRules] = field(default_factory=list)
    named: tuple[NamedDocument, ...] = ()
    meant: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """The corrected spelling per query, and whether it replaces the query."""
    family: frozenset[Path] = frozenset()
    """Books that are copies and versions of each other."""
    synced: list[Iterable[Path] | None] = field(default_factory=list)
    happened: list[frozenset[Path] | None] = field(default_factory=list)
    cancelled_syncs: int = 0
    is_closed: bool = False
    teaching: TeachingDouble = field(default_factory=TeachingDouble)

    def folders(self) -> tuple[Folder, ...]:
        return tuple(self.list_of_folders)

    def preview(
        self,
        folder: Path,
        rules: FolderRules | None = None,
        job: Job | None = None,
        model: str = "",
    ) -> Preview:
        self.previewed_models.append(model)
        assert rules is not None
        assert job is not None
        if not folder.is_dir():
            raise FolderError(f"{folder} is not a folder.")
        self.previewed.append(rules)
        job.report(Progress(Stage.SCANNING, 7, 0, str(folder)))
        return self.preview_of(folder, rules)

    def read_sample(self, preview: Preview, job: Job | None = None) -> SampleText:
        assert job is not None
        return SampleText(self.scale_of_text, ())

    def offered_share(self, texts: Sequence[str] | None = None) -> float:
        return self.share_of_files if texts is not None else self.share_of_texts

    def is_offered_for(self, query: str) -> bool:
        return query in self.foreign_queries

    def add_folder(self, path: Path, rules: FolderRules | None = None) -> Folder:
        if not path.is_dir():
            raise FolderError(f"{path} is not a folder.")
        self.list_of_folders = [one for one in self.list_of_folders if one.path != path]
        number = max((one.id for one in self.list_of_folders), default=0) + 1
        folder = Folder(number, path, len(self.books), 0, True, rules or NO_RULES)
        self.list_of_folders.append(folder)
        return folder

    def describe_folder(self, path: Path, description: str) -> None:
        self.list_of_folders = [
            replace(one, description=description) if one.path == path else one
            for one in self.list_of_folders
        ]

    def remove_folder(self, path: Path, job: Job | None = None) -> None:
        assert job is not None
        self.list_of_folders = [folder for folder in self.list_of_folders if folder.path != path]

    def watcher(self) -> LibraryDouble:
        return self

    def changes(self, stop: threading.Event) -> Iterator[frozenset[Path] | None]:
        while not stop.wait(0.01):
            if self.happened:
                yield self.happened.pop(0)

    def sync(
        self,
        job: Job | None = None,
        changed: Iterable[Path] | None = None,
        *,
        background: bool = False,
    ) -> SyncReport:
        assert job is not None
        assert background, "no search is waiting"
        self.synced.append(changed)
        self.syncs += 1
        self.in_sync.set()
        for progress in self.progress:
            job.report(progress)
        try:
            while not self.sync_gate.wait(0.01):
                job.checkpoint()
        except BaseException:
            self.cancelled_syncs += 1
            raise
        finally:
            self.in_sync.clear()
        if self.sync_error is not None:
            raise self.sync_error
        counts = (len(self.books), 0, 0, 0, (), (), (), 0, 0, 0.0, 0)
        return SyncReport(
            *counts,
            excluded=self.left_out,
            problem=self.sync_problem,
        )

    def __post_init__(self) -> None:
        self.answers: dict[type[Request[Any]], Callable[[Any, Job | None], Any]] = {
            Search: self._search,
            CountFacets: self._facets,
            Align: self._align,
            Explain: self._explain,
            GetSalientWords: self._salient_words,
            LocateLines: self._lines,
            ReadPages: self._pages,
            DrawPage: self._draw,
            LocateSpans: self._boxes,
            MeasurePages: self._sizes,
            ReadMarkup: self._markup,
            ListInner: lambda request, _job: self.books[request.document_id].inside,
        }

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        return cast("Response", self.answers[type(request)](request, job))

    def _search(self, request: Search, _job: Job | None) -> SearchResults:
        query, mode, limit = request.query, request.mode, request.limit
        if query == EVERYTHING:
            # The newest documents, which the window lists while the box is empty.
            newest = sorted(self.books, key=lambda book: -book.mtime_ns)[:limit]
            listed = tuple(self._any_hit(book.path) for book in newest if book.pages)
            return SearchResults(query, mode, (), listed, 1.0)
        is_refined, rewrites = request.is_refined, request.rewrites
        is_refining = is_refined and self._to_refine == query
        if is_refining:
            # Reranks the results of the previous search.
            self.refined.append(query)
            assert self.refining_gate.wait(patience())
        else:
            self.searches.append((query, mode.value))
        self._to_refine = "" if is_refined or mode is Mode.WORDS else query
        original, suggestion = query, None
        if query in self.meant:
            better, is_needed = self.meant[query]
            suggestion = SpellingSuggestion(better, is_needed)
            query = better if is_needed and QueryRewrite.SPELLING in rewrites else query
        gate = self.words_gate if mode is Mode.WORDS else self.search_gate
        assert is_refining or gate.wait(patience())
        if self.search_error is not None:
            raise self.search_error
        tokens = tokens_of(parse(query).text, self.unsalient)
        scope = parse(query).scope
        hits = [
            hit
            for number, book in enumerate(self.books)
            if book.is_in(scope) and (hit := self._hit(number, tokens, mode)) is not None
        ]
        hits.sort(key=lambda hit: (not hit.is_likely, -hit.score))
        if scope.includes_copies:
            hits = [self._any_hit(path) for path in sorted(self.family)] if not tokens else hits
            hits = [hit for hit in hits if hit.path in self.family]
        else:
            hits = list(self._folded(hits))
        shown = () if mode is Mode.WORDS else tokens
        found = tuple(hits[:limit])
        typed = "" if original == query else original
        can_be_refined = bool(shown) and not is_refined
        texts = (self.notice, self.named, typed, suggestion)
        return SearchResults(query, mode, shown, found, 12.4, *texts, can_be_refined)

    def _folded(self, hits: Sequence[DocumentHit]) -> Iterator[DocumentHit]:
        has_copies = False
        for hit in hits:
            if hit.path not in self.family:
                yield hit
            elif not has_copies:
                has_copies = True
                copies_of_it = sorted(self.family - {hit.path})
                yield replace(hit, copies=tuple(map(self._copy, copies_of_it)))

    def _copy(self, path: Path) -> Copy:
        number = [book.path for book in self.books].index(path)
        book = self.books[number]
        return Copy(number, path, book.title, False, 1000, book.mtime_ns)

    def _any_hit(self, path: Path) -> DocumentHit:
        number = [book.path for book in self.books].index(path)
        first = self.books[number].pages[0][0].split()[0]
        hit = self._hit(number, tokens_of(first, self.unsalient), Mode.WORDS)
        assert hit is not None
        return hit

    def _facets(self, request: CountFacets, _job: Job | None) -> Facets:
        query, mode = request.query, request.mode
        self.counted.append((query, request.document_ids))
        rest, scopes = split(parse(query))
        tokens = tokens_of(rest.text, self.unsalient)
        numbers = range(len(self.books))
        there = {
            number
            for number in numbers
            if self.books[number].is_in(rest.scope)
            and (not tokens or self._hit(number, tokens, mode))
        }
        documents = [
            Described(
                number,
                str(book.path),
                book.mtime_ns,
                book.author,
                "",
                tuple(map(book.is_in, scopes)),
            )
            for number, book in enumerate(self.books)
        ]
        return count(documents, there, [folder.path for folder in self.list_of_folders])

    def _align(self, request: Align, job: Job | None) -> ExactAlignments:
        assert job is not None
        query, passage_ids = request.query, request.passage_ids
        self.aligned.append((query, passage_ids))
        try:
            while not self.align_gate.wait(0.01):
                job.checkpoint()
        except BaseException:
            self.cancelled_alignments += 1
            raise
        if self.align_error is not None:
            raise self.align_error
        tokens = tokens_of(parse(query).text, self.unsalient)
        alike = {**self.alike, **self.alike_exactly}
        return ExactAlignments(
            tokens,
            {
                passage.id: alignments(passage, tokens, alike)
                for number in range(len(self.books))
                for passage in self._passages(number)
                if passage.id in passage_ids and passage.text not in self.removed_texts
            },
        )

    def _passage(self, passage_id: int) -> Passage:
        return next(
            passage
            for number in range(len(self.books))
            for passage in self._passages(number)
            if passage.id == passage_id
        )

    def _lines(self, request: LocateLines, _job: Job | None) -> dict[int, tuple[int, int]]:
        known = self.line_numbers
        return {number: known[number] for number in request.passage_ids if number in known}

    def _salient_words(self, request: GetSalientWords, _job: Job | None) -> tuple[str, ...]:
        passage_id, count = request.passage_id, request.count
        if self.align_error is not None:
            raise self.align_error
        words = sorted(
            WORD.findall(self._passage(passage_id).text.lower()), key=lambda word: -len(word)
        )
        return tuple(words[: min(count, 3)])

    def _explain(self, request: Explain, _job: Job | None) -> Explanation:
        """Compare exactly, and with the stored tokens: those of more than three letters."""
        query, passage_id = request.query, request.passage_id
        self.explained.append((query, passage_id))
        assert self.align_gate.wait(patience())
        if self.align_error is not None:
            raise self.align_error
        tokens = tokens_of(query, self.unsalient)
        passage = self._passage(passage_id)
        exact = compared(passage, tokens, self.alike, least_letters=1)
        return Explanation(
            passage,
            tokens,
            compared(passage, tokens, self.alike, least_letters=4),
            exact,
            AlignmentStrategy(),
            request.terms or (),
            tuple(index for index, token in enumerate(exact.tokens) if len(token.text) < 4),
        )

    def warm_up(self) -> None:
        assert self.warm_gate.wait(patience())
        if self.warm_error is not None:
            raise self.warm_error

    def background_vocabulary(self) -> Callable[[Job], None]:
        return lambda _job: None

    def _pages(self, request: ReadPages, _job: Job | None) -> tuple[Page, ...]:
        assert self.read_gate.wait(patience())
        return tuple(
            Page(number, "\n\n".join(passages))
            for number, passages in enumerate(self.books[request.document_id].pages, 1)
        )

    def _draw(self, request: DrawPage, _job: Job | None) -> PageImage:
        document_id, width = request.document_id, request.width
        assert self.read_gate.wait(patience())
        self.images.append((document_id, request.page, width))
        book = self.books[document_id]
        if not book.path.exists():
            raise DocumentError("No longer exists")
        height = round(width * 1.4)
        return PageImage(
            width, height, b"\xff" * (3 * width * height), _boxes_of(request.spans, width)
        )

    def _boxes(self, request: LocateSpans, _job: Job | None) -> tuple[tuple[Box, ...], ...]:
        self.placed.append((request.document_id, request.page))
        return _boxes_of(request.spans, request.width)

    def _sizes(self, request: MeasurePages, _job: Job | None) -> tuple[PageSize, ...]:
        book = self.books[request.document_id]
        return tuple(PageSize(500.0, 700.0) for _ in book.pages if book.has_page_images)

    def _markup(self, request: ReadMarkup, _job: Job | None) -> tuple[Page, ...]:
        """Return the images of the pages; a book without any reports that it has changed."""
        dressed = self.books[request.document_id].dressed
        if not dressed:
            raise DocumentError("Changed since it was indexed")
        return dressed

    def status(self) -> Status:
        passages = sum(len(page) for book in self.books for page in book.pages)
        failed = len(self.list_of_failures)
        return Status(
            self.home,
            self.folders(),
            FileCounts(
                documents=len(self.books),
                without_text=self.without_text,
                unreadable=failed,
                excluded=sum(self.left_out.values()),
            ),
            passages,
            0,
            0,
            0,
            0,
            0,
            "double",
            is_rebuilding=self.is_rebuilding,
            has_news=self.has_news,
        )

    def close(self) -> None:
        self.is_closed = True

    def _hit(
        self, document_id: int, tokens: tuple[QueryToken, ...], mode: Mode
    ) -> DocumentHit | None:
        book = self.books[document_id]
        found = (self._passage_hit(one, tokens, mode) for one in self._passages(document_id))
        hits = [hit for hit in found if hit is not None]
        if not hits:
            return None
        hits.sort(key=lambda hit: -hit.score)
        return DocumentHit(
            document_id,
            book.path,
            book.has_page_images,
            tuple(hits),
            title=book.title,
            changed_ns=book.mtime_ns,
            file=book.path,
            is_likely=mode is Mode.WORDS or book.title not in self.unlikely,
        )

    def _passages(self, document_id: int) -> Iterator[Passage]:
        book = self.books[document_id]
        for page_number, passages in enumerate(book.pages, 1):
            start = 0
            for place, text in enumerate(passages):
                number = 1000 * document_id + 50 * page_number + place
                yield Passage(
                    number, document_id, page_number, start, start + len(text), text, book.title
                )
                start += len(text) + 2

    def _passage_hit(
        self, passage: Passage, tokens: tuple[QueryToken, ...], mode: Mode
    ) -> PassageHit | None:
        pairs = () if mode is Mode.WORDS else alignments(passage, tokens, self.alike)
        words = tuple(
            found.span()
            for found in WORD.finditer(passage.text)
            if any(token.text.lower() == found.group().lower() for token in tokens)
        )
        if tokens and not pairs and not words:
            return None
        if mode is Mode.WORDS or not tokens:
            ways = (mode,) if tokens else ()
            return PassageHit(passage, float(len(words)), ways, pairs, words)
        stored = compared(passage, tokens, self.alike, least_letters=4)
        by_words = len(words) / max(len(tokens), 1)
        meaning = stored.align(AlignmentStrategy()).score
        terms = (
            ScoreTerm(MEANING, "Meaning", 0.85, meaning),
            ScoreTerm(WORDS, "Matching words (BM25)", 0.15, by_words),
        )
        score = sum(term.adds for term in terms)
        return PassageHit(passage, score, (mode,), pairs, words, terms)


def _boxes_of(spans: Sequence[tuple[int, int]], width: int) -> tuple[tuple[Box, ...], ...]:
    return tuple(
        (Box(width * 0.1, 40.0 + 6 * start, width * 0.3, 60.0 + 6 * start),) for start, _ in spans
    )
