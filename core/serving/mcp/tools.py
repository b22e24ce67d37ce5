"""The agents' tools: each answers from a library, in a limited number of characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from core.addresses import readable_path
from core.errors import GoneError, Message, UsageError
from core.progress import Job
from core.requests import (
    CORRECTED,
    Answerer,
    CountDocuments,
    Explain,
    GetDocument,
    GetDocumentAt,
    GetModelName,
    ListDescriptions,
    ListFolders,
    ListLibraries,
    LocateLines,
    ReadPage,
    ReadPassage,
    Search,
)
from core.responses import (
    WORDS,
    Alignment,
    DocumentHit,
    Mode,
    Passage,
    PassageHit,
    SearchResults,
)
from core.search.explanation import SCORE_DIGITS, break_down
from core.search.near_misses import near_misses
from core.search.output.export import described, near_miss_fields
from core.search.output.match import significant_pairs
from core.search.query.language import (
    Clause,
    Either,
    Part,
    Query,
    filter_clause,
    parse,
    readings,
)
from core.search.query.operators import filters as operators_by_key
from core.search.ranking import SimilarPassagesScorer
from core.serving.access import checked_path
from core.serving.mcp import answers

# Characters of text on a page; further results are on the next page.
LARGEST_ANSWER: Final = 40_000
# Most documents to page through.
MOST_DOCUMENTS: Final = 200
# Characters of a passage in a list of results.
_LARGEST_PASSAGE: Final = 2_000
_MOST_COPIES: Final = 20
_MOST_MATCHES: Final = 8
_NAMED_SHOWN: Final = 20
NOTHING_LIKELY: Final = (
    "No close matches: these documents are no closer to the query than random ones. Tell the "
    "user, and do not cite them as an answer."
)


class Tools:
    """An agent's tools over a library; thread-safe.

    Each method raises a `WinnowError` if it has no answer.

    Args:
        library: answers the requests.
        job: cancels them.
    """

    def __init__(self, library: Answerer, job: Job | None = None) -> None:
        self._library = library
        self._job = job

    def list_folders(self, offset: int, limit: int) -> answers.Folders:
        """Return up to `limit` added folders, starting at `offset`."""
        folders = self._library.answer(ListFolders(), self._job)
        held = self._library.answer(CountDocuments(), self._job)
        shown = folders[offset : offset + limit]
        return answers.Folders(
            folders=[
                answers.FolderInfo(
                    path=readable_path(folder.path),
                    documents=folder.documents,
                    failed=folder.failed,
                    is_there=folder.is_there,
                    description=folder.description,
                )
                for folder in shown
            ],
            documents=held.documents,
            passages=held.passages,
            waiting=held.passages_waiting,
            model=self._library.answer(GetModelName(), self._job),
            libraries=[
                answers.LibraryInfo(
                    name=state.name,
                    documents=state.documents,
                    is_there=not (state.is_offline or state.is_refused),
                    problem=state.problem,
                )
                for state in self._library.answer(ListLibraries(), self._job)
            ],
            next_offset=offset + limit if offset + limit < len(folders) else None,
        )

    def search(
        self,
        query: str,
        filters: Sequence[Clause],
        *,
        mode: Mode,
        offset: int,
        limit: int,
        passages: int,
    ) -> answers.SearchAnswer:
        """Return up to `limit` documents for a query, starting at `offset`.

        Fewer are returned if their text would be too long for one response.
        """
        wanted = min(offset + limit, MOST_DOCUMENTS)
        # One more shows whether there is a next page.
        request = Search(with_filters(query, filters), mode, wanted + 1, rewrites=CORRECTED)
        results = self._library.answer(request, self._job)
        shown: list[answers.DocumentAnswer] = []
        room = LARGEST_ANSWER
        hits = results.hits[offset:wanted]
        descriptions = self._library.answer(ListDescriptions(), self._job)
        lines = self._lines(passage.passage for hit in hits for passage in hit.passages[:passages])
        for rank, hit in enumerate(hits, offset + 1):
            document = _document_result(rank, hit, passages, results, lines)
            room -= sum(len(passage.text) + len(passage.heading) for passage in document.passages)
            if room < 0 and shown:
                break
            shown.append(document)
        end = offset + len(shown)
        is_nothing = not (results.hits or results.named)
        has_more = len(results.hits) > end and end < MOST_DOCUMENTS
        return answers.SearchAnswer(
            documents=shown,
            folders=[
                answers.DescribedFolder(path=path, description=description)
                for path, description in described(results.hits[offset:end], descriptions)
            ],
            files_matching_by_name=[
                readable_path(document.path) for document in results.named[:_NAMED_SHOWN]
            ],
            # A federated search has already added notices on its own query.
            notice=Message.joined(
                [
                    *([NOTHING_LIKELY] if results.hits and not results.likely else []),
                    *(reading for reading in readings(filters) if reading not in results.notice),
                    *([results.notice] if results.notice else []),
                ]
            ),
            did_you_mean=results.offered,
            searched_for=results.query if results.is_corrected else "",
            near_misses=[
                answers.NearMissInfo(**near_miss_fields(step))
                for step in (
                    near_misses(self._library, request.query, self._job) if is_nothing else ()
                )
            ],
            next_offset=end if has_more else None,
        )

    def filters(
        self,
        *,
        folders: Sequence[str],
        kinds: Sequence[str],
        authors: Sequence[str],
        names: Sequence[str],
        after: str | None,
        before: str | None,
    ) -> tuple[Clause, ...]:
        """Convert an agent's filters to the query language.

        Raises:
            UsageError: a filter is invalid, or names a path outside the library's folders.
        """
        roots = self._roots() if folders else []
        return (
            *(filter_clause("in", str(checked_path(folder, roots))) for folder in folders),
            *(filter_clause("type", kind) for kind in kinds),
            *(filter_clause("author", author) for author in authors),
            *(filter_clause("name", name) for name in names),
            *([filter_clause("after", after)] if after is not None else []),
            *([filter_clause("before", before)] if before is not None else []),
        )

    def read_passage(self, passage_id: int, before: int, after: int) -> answers.PassageText:
        """Return a complete passage, with as many neighbours as fit."""
        reading = self._library.answer(ReadPassage(passage_id, before, after), self._job)
        path = readable_path(reading.document.path)
        near_by = (*reading.before, reading.passage, *reading.after)
        lines = self._lines(near_by)
        has_pages = reading.document.pages > 1

        def passage_info(passage: Passage) -> answers.PassageInfo:
            cited = _citation(path, passage, lines, has_pages=has_pages)
            return _passage(passage, LARGEST_ANSWER, cited)

        room = LARGEST_ANSWER - len(reading.passage.text)
        near = max(len(reading.before), len(reading.after))
        shown_before: list[answers.PassageInfo] = []
        shown_after: list[answers.PassageInfo] = []
        for step in range(near):
            for passages, shown in (
                (reading.before[::-1], shown_before),
                (reading.after, shown_after),
            ):
                # Without gaps: a passage that does not fit also excludes those beyond it.
                if step < len(passages) and len(shown) == step:
                    room -= len(passages[step].text)
                    if room >= 0:
                        shown.append(passage_info(passages[step]))
        return answers.PassageText(
            path=path,
            title=reading.document.title,
            pages=reading.document.pages,
            passage=passage_info(reading.passage),
            before=shown_before[::-1],
            after=shown_after,
        )

    def read_document(
        self, path: str, page: int, offset: int, length: int, page_number: int | None = None
    ) -> answers.DocumentText:
        """Return up to `length` characters of a page, starting at `offset`.

        Raises:
            UsageError: neither a path nor an id is given.
            LibraryError: the document does not exist, or may not be seen.
        """
        if page_number is not None:
            document = self._library.answer(GetDocument(page_number), self._job)
        elif path:
            file_path = checked_path(path, self._roots())
            document = self._library.answer(GetDocumentAt(file_path), self._job)
        else:
            raise UsageError("Give the path or the document_id of the document.")
        if not 1 <= page <= document.pages:
            raise GoneError(
                "{0} has no page {1}; its pages are {2}.", document.path, page, document.pages
            )
        text = self._library.answer(ReadPage(document.id, page), self._job)
        end = offset + length
        next_page, next_offset = page, end
        if end >= len(text):
            next_page, next_offset = page + 1, 0
        is_end = next_page > document.pages
        return answers.DocumentText(
            path=readable_path(document.path),
            title=document.title,
            author=document.author,
            date=document.date,
            pages=document.pages,
            page=page,
            offset=offset,
            text=text[offset:end],
            next_page=None if is_end else next_page,
            next_offset=None if is_end else next_offset,
        )

    def explain(self, query: str, passage_id: int) -> answers.Explained:
        """Return the contributions to the score of a passage, token by token."""
        explanation = self._library.answer(Explain(query, passage_id), self._job)
        path = self._library.answer(ReadPassage(passage_id), self._job).document.path
        breakdown = break_down(explanation, explanation.strategy)
        return answers.Explained(
            path=readable_path(path),
            page=explanation.passage.page,
            passage_id=passage_id,
            tokens=[
                answers.ExplainedToken(
                    token=line.token.text,
                    share=round(line.token.share, 4),
                    aligned_with=[partner for partner in line.partners if partner],
                    similarity=round(line.similarity, 4),
                    adds=line.adds,
                )
                for line in breakdown.lines
            ],
            words=breakdown.term(WORDS),
            similar=breakdown.term(SimilarPassagesScorer.name),
            of_document=sum(map(breakdown.term, ("name", "document", "passage", "folder", "date"))),
            score=breakdown.score,
            alignment=str(breakdown.aligned.strategy),
            is_ranking_score=breakdown.is_ranking_score,
        )

    def _roots(self) -> list[Path]:
        listed = self._library.answer(ListFolders(is_counted=False), self._job)
        return [folder.path for folder in listed]

    def _lines(self, passages: Iterable[Passage]) -> dict[int, tuple[int, int]]:
        request = LocateLines(tuple(passage.id for passage in passages))
        return self._library.answer(request, self._job)


def with_filters(query: str, clauses: Sequence[Clause]) -> str:
    """Return a query with additional filters, which all libraries understand.

    >>> clauses = [filter_clause("type", "word"), filter_clause("type", "text")]
    >>> with_filters("owls type:pdf", clauses)
    'owls type:pdf type:word OR type:text'
    """
    if not clauses:
        return query
    return str(Query((*parse(query).parts, *_parts(clauses))))


def _parts(clauses: Iterable[Clause]) -> Iterator[Part]:
    """Yield filters so that one of each kind must match, or all of a kind without alternatives."""
    alike: dict[str, list[Clause]] = {}
    for clause in clauses:
        if operators_by_key()[clause.key].is_either:
            alike.setdefault(clause.key, []).append(clause)
        else:
            yield clause
    for same in alike.values():
        # A single one is repeated; otherwise it would be an alternative to the query's own filter.
        yield Either(tuple((clause,) for clause in (same if len(same) > 1 else same * 2)))


def _document_result(
    rank: int,
    hit: DocumentHit,
    passages: int,
    results: SearchResults,
    lines: Mapping[int, tuple[int, int]],
) -> answers.DocumentAnswer:
    changed = datetime.fromtimestamp(hit.changed_ns / 1e9, UTC).isoformat(timespec="seconds")
    return answers.DocumentAnswer(
        rank=rank,
        path=readable_path(hit.path),
        document_id=hit.document_id,
        changed=changed if hit.changed_ns else "",
        copies=[
            answers.CopyInfo(
                path=readable_path(copy.path), document_id=copy.document_id, is_exact=copy.is_exact
            )
            for copy in hit.copies[:_MOST_COPIES]
        ],
        passages=[
            _passage_result(
                passage,
                results,
                _citation(
                    readable_path(hit.path), passage.passage, lines, has_pages=hit.has_page_images
                ),
            )
            for passage in hit.passages[:passages]
        ],
        **hit.listed,
    )


def _citation(
    path: str, passage: Passage, lines: Mapping[int, tuple[int, int]], *, has_pages: bool
) -> str:
    """Return the location of a passage, for citation."""
    if passage.id in lines:
        first, last = lines[passage.id]
        return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"
    return f"{path}, p. {passage.page}" if has_pages or passage.page > 1 else path


def _passage_result(hit: PassageHit, results: SearchResults, cite_as: str) -> answers.PassageResult:
    info = _passage(hit.passage, _LARGEST_PASSAGE, cite_as)
    return answers.PassageResult(
        **info.model_dump(),
        score=round(hit.score, SCORE_DIGITS),
        found_by=[str(way) for way in hit.found_by],
        matches=list(_matches(hit.alignments, results)),
    )


def _matches(alignments: Sequence[Alignment], results: SearchResults) -> Iterator[answers.Match]:
    """Yield the significant pairs of tokens of a match, each pair of words once."""
    for pair in significant_pairs(results.tokens, alignments)[:_MOST_MATCHES]:
        yield answers.Match(
            query=pair.query_token, passage=pair.text, similarity=round(pair.similarity, 2)
        )


def _passage(passage: Passage, longest: int, cite_as: str) -> answers.PassageInfo:
    return answers.PassageInfo(
        passage_id=passage.id,
        page=passage.page,
        start=passage.start,
        cite_as=cite_as,
        heading=passage.context,
        text=passage.text[:longest],
        is_cut=len(passage.text) > longest,
    )
