"""The agents' tools: each answers from a library, in a limited number of characters."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from core import requests, responses
from core.addresses import readable_path
from core.errors import GoneError, Message
from core.progress import Job
from core.search.evidence_terms import EVIDENCE
from core.search.explanation import SCORE_DIGITS, break_down
from core.search.near_misses import near_misses
from core.search.output import match
from core.search.output.export import described, near_miss_fields
from core.search.query.language import Clause, Either, Part, Query, filter_clause, parse, readings
from core.search.query.operators import filters as operators_by_key
from core.search.ranking import SimilarPassagesScorer
from core.serving.access import checked_path
from core.serving.mcp import answers

# Characters of a detailed answer; further results are on the next page.
LARGEST_ANSWER: Final = 40_000
# Characters of a short one, as the tools give by default.
SHORT_ANSWER: Final = 4_000
# Characters of a passage in it, around what matches.
_SNIPPET: Final = 200
# Documents in it if none is likely, as a way on.
_NEAREST: Final = 3
# Most documents to page through.
MOST_DOCUMENTS: Final = 200
# Characters of a passage in a list of results.
_LARGEST_PASSAGE: Final = 2_000
_MOST_COPIES: Final = 20
_MOST_MATCHES: Final = 8
_NAMED_SHOWN: Final = 20
_NAMED_IN_SHORT: Final = 5
NOTHING_LIKELY: Final = (
    "No close matches: these documents are no closer to the query than random ones. Tell the "
    "user, and do not cite them as an answer."
)


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of the results an agent gets.

    Attributes:
        offset: number of documents to skip.
        limit: the most documents.
        passages: the most passages of a document.
        min_score: the least score of a document; None for any.
        is_detailed: whether passages are whole, with headings, dates, copies and aligned words.
    """

    offset: int = 0
    limit: int = 5
    passages: int = 1
    min_score: float | None = None
    is_detailed: bool = False


class Tools:
    """An agent's tools over a library; thread-safe.

    Each method raises a `WinnowError` if it has no answer.

    Args:
        library: answers the requests.
        job: cancels them.
    """

    def __init__(self, library: requests.Answerer, job: Job | None = None) -> None:
        self._library = library
        self._job = job

    def list_folders(self, offset: int, limit: int) -> answers.Folders:
        """Return up to `limit` added folders, starting at `offset`."""
        folders = self._library.answer(requests.ListFolders(), self._job)
        held = self._library.answer(requests.CountDocuments(), self._job)
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
            model=self._library.answer(requests.GetModelName(), self._job),
            libraries=[
                answers.LibraryInfo(
                    name=state.name,
                    documents=state.documents,
                    is_there=not (state.is_offline or state.is_refused),
                    problem=state.problem,
                )
                for state in self._library.answer(requests.ListLibraries(), self._job)
            ],
            next_offset=offset + limit if offset + limit < len(folders) else None,
        )

    def search(
        self, query: str, filters: Sequence[Clause], mode: responses.Mode, extent: Extent
    ) -> answers.SearchAnswer:
        """Return a query's documents, fewer if they would be too long for one response."""
        offset = extent.offset
        wanted = min(offset + extent.limit, MOST_DOCUMENTS)
        # One more shows whether there is a next page. Likely documents of a low score come before
        # unlikely ones of a higher, so that a least score is compared with all.
        most = wanted + 1 if extent.min_score is None else MOST_DOCUMENTS
        request = requests.Search(
            with_filters(query, filters), mode, most, rewrites=requests.CORRECTED
        )
        results = self._library.answer(request, self._job)
        hits = results.hits
        if extent.min_score is not None:
            # As answers show scores, so that a shown one may be given.
            least = extent.min_score
            hits = tuple(hit for hit in hits if round(hit.score, SCORE_DIGITS) >= least)
        is_short = not extent.is_detailed
        is_unlikely = bool(results.hits) and not results.likely
        if is_short and is_unlikely:
            hits = hits[: _NEAREST if extent.min_score is None else wanted]
        page = hits[offset:wanted]
        answer = self._described(results, request.query, page, filters)
        named = _NAMED_IN_SHORT if is_short else _NAMED_SHOWN
        del answer.files_matching_by_name[named:]
        room = (SHORT_ANSWER if is_short else LARGEST_ANSWER) - len(answer.compact)
        lines = self._lines(
            passage.passage for hit in page for passage in hit.passages[: extent.passages]
        )
        for rank, hit in enumerate(page, offset + 1):
            document = _document_result(rank, hit, extent, results, lines)
            room -= len(document.compact)
            if room < 0 and answer.documents:
                break
            answer.documents.append(document)
        end = offset + len(answer.documents)
        if len(hits) > end and end < MOST_DOCUMENTS:
            answer.next_offset = end
        return answer

    def _described(
        self,
        results: responses.SearchResults,
        query: str,
        page: Sequence[responses.DocumentHit],
        filters: Sequence[Clause],
    ) -> answers.SearchAnswer:
        """Return what is said of the results of a query, without the documents."""
        is_nothing = not (results.hits or results.named)
        steps = near_misses(self._library, query, self._job) if is_nothing else ()
        descriptions = self._library.answer(requests.ListDescriptions(), self._job)
        return answers.SearchAnswer(
            answer=results.answer if page and page[0] is results.hits[0] else "",
            documents=[],
            folders=[
                answers.DescribedFolder(path=path, description=description)
                for path, description in described(page, descriptions)
            ],
            files_matching_by_name=[readable_path(document.path) for document in results.named],
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
            near_misses=[answers.NearMissInfo(**near_miss_fields(step)) for step in steps],
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
        reading = self._library.answer(requests.ReadPassage(passage_id, before, after), self._job)
        path = readable_path(reading.document.path)
        near_by = (*reading.before, reading.passage, *reading.after)
        lines = self._lines(near_by)
        has_pages = reading.document.pages > 1

        def passage_info(passage: responses.Passage) -> answers.PassageInfo:
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

    def read(
        self, documents: Sequence[int | str], page: int, offset: int, length: int
    ) -> answers.DocumentTexts:
        """Return up to `length` characters of a page of documents, starting at `offset`.

        Documents are given by id or path, and share the characters evenly.

        Raises:
            LibraryError: a document does not exist, or may not be seen.
        """
        each = max(length // max(len(documents), 1), 1)
        return answers.DocumentTexts(
            documents=[self._read(document, page, offset, each) for document in documents]
        )

    def _read(self, named: int | str, page: int, offset: int, length: int) -> answers.DocumentText:
        if isinstance(named, int):
            document = self._library.answer(requests.GetDocument(named), self._job)
        else:
            file_path = checked_path(named, self._roots())
            document = self._library.answer(requests.GetDocumentAt(file_path), self._job)
        if not 1 <= page <= document.pages:
            raise GoneError(
                "{0} has no page {1}; its pages are {2}.", document.path, page, document.pages
            )
        text = self._library.answer(requests.ReadPage(document.id, page), self._job)
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
        explanation = self._library.answer(requests.Explain(query, passage_id), self._job)
        path = self._library.answer(requests.ReadPassage(passage_id), self._job).document.path
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
            words=breakdown.term(responses.WORDS),
            similar=breakdown.term(SimilarPassagesScorer.name),
            of_document=sum(breakdown.term(term.name) for term in EVIDENCE),
            score=breakdown.score,
            alignment=str(breakdown.aligned.strategy),
            is_ranking_score=breakdown.is_ranking_score,
        )

    def _roots(self) -> list[Path]:
        listed = self._library.answer(requests.ListFolders(is_counted=False), self._job)
        return [folder.path for folder in listed]

    def _lines(self, passages: Iterable[responses.Passage]) -> dict[int, tuple[int, int]]:
        request = requests.LocateLines(tuple(passage.id for passage in passages))
        return self._library.answer(request, self._job)


def with_filters(query: str, clauses: Sequence[Clause]) -> str:
    """Return a query with additional filters, which all libraries understand.

    >>> clauses = [filter_clause("type", "word"), filter_clause("type", "text")]
    >>> with_filters("owls type:pdf", clauses)
    'owls type:pdf type:word OR type:text'
    """
    return query if not clauses else str(Query((*parse(query).parts, *_parts(clauses))))


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
    hit: responses.DocumentHit,
    extent: Extent,
    results: responses.SearchResults,
    lines: Mapping[int, tuple[int, int]],
) -> answers.DocumentAnswer:
    path = readable_path(hit.path)
    passages = [
        _passage_result(
            passage,
            results,
            _citation(path, passage.passage, lines, has_pages=hit.has_page_images),
            is_detailed=extent.is_detailed,
        )
        for passage in hit.passages[: extent.passages]
    ]
    common: dict[str, Any] = {
        "rank": rank,
        "path": path,
        "document_id": hit.document_id,
        "passages": passages,
    }
    if not extent.is_detailed:
        if not hit.is_likely:
            passages.clear()
        short = ("title", "library", "is_likely", "is_incomplete")
        of_short = {name: hit.listed[name] for name in short}
        return answers.DocumentAnswer(**common, **of_short)
    changed = datetime.fromtimestamp(hit.changed_ns / 1e9, UTC).isoformat(timespec="seconds")
    return answers.DocumentAnswer(
        **common,
        changed=changed if hit.changed_ns else "",
        copies=[
            answers.CopyInfo(
                path=readable_path(copy.path),
                document_id=copy.document_id,
                is_exact=copy.is_exact,
                is_quoting=copy.is_quoting,
            )
            for copy in hit.copies[:_MOST_COPIES]
        ],
        **hit.listed,
    )


def _citation(
    path: str, passage: responses.Passage, lines: Mapping[int, tuple[int, int]], *, has_pages: bool
) -> str:
    """Return the location of a passage, for citation."""
    if passage.id in lines:
        first, last = lines[passage.id]
        return f"{path}:{first}" if first == last else f"{path}:{first}-{last}"
    return f"{path}, p. {passage.page}" if has_pages or passage.page > 1 else path


def _passage_result(
    hit: responses.PassageHit, results: responses.SearchResults, cite_as: str, *, is_detailed: bool
) -> answers.PassageResult:
    score = round(hit.score, SCORE_DIGITS)
    if is_detailed:
        return answers.PassageResult(
            **_passage(hit.passage, _LARGEST_PASSAGE, cite_as).model_dump(),
            score=score,
            found_by=[str(way) for way in hit.found_by],
            matches=list(_matches(hit.alignments, results)),
        )
    highlights = match.highlights_in_text(hit, results.tokens, match.query_words(results.tokens))
    snippet = match.snippet_of(hit.passage.text, highlights, _SNIPPET)
    return answers.PassageResult(
        passage_id=hit.passage.id,
        page=hit.passage.page,
        cite_as=cite_as,
        text=snippet.text,
        is_cut=snippet.end - snippet.start < len(hit.passage.text),
        score=score,
    )


def _matches(
    alignments: Sequence[responses.Alignment], results: responses.SearchResults
) -> Iterator[answers.Match]:
    """Yield the significant pairs of tokens of a match, each pair of words once."""
    for pair in match.significant_pairs(results.tokens, alignments)[:_MOST_MATCHES]:
        yield answers.Match(
            query=pair.query_token, passage=pair.text, similarity=round(pair.similarity, 2)
        )


def _passage(passage: responses.Passage, longest: int, cite_as: str) -> answers.PassageInfo:
    return answers.PassageInfo(
        passage_id=passage.id,
        page=passage.page,
        start=passage.start,
        cite_as=cite_as,
        heading=passage.context,
        text=passage.text[:longest],
        is_cut=len(passage.text) > longest,
    )
