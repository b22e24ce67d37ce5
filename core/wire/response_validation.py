"""Validation of server responses, which may be hostile.

The decoder has already checked the types. These checks cover numeric ranges, spans within their
texts, and tokens that belong to the query. Names and sentences are escaped and shortened. Texts of
passages and pages stay unchanged because offsets refer to their characters; the code that displays
them escapes them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from core import requests, responses
from core.catalog.copies import Copy
from core.catalog.document_fields import result_fields
from core.catalog.documents import NamedDocument, ReadDocument
from core.documents.document import Box, PageSize
from core.printable import label, labelled
from core.token_comparison import Comparison, Explanation
from core.wire import endpoints
from core.wire.codec import FormError

# Longest texts, in characters.
_NAME_CHARS: Final = 500
_PATH_CHARS: Final = 4_096
_SENTENCE_CHARS: Final = 1_000
_QUERY_CHARS: Final = 10_000
_PASSAGE_CHARS: Final = 100_000
_MOST_POSITION: Final = 1_000_000_000
# Document and passage ids are smaller. A federated search stores the library in the higher bits.
_ID_END: Final = 1 << 40
_MOST_PASSAGES: Final = 100
_MOST_TOKENS: Final = 10_000
_MOST_SCORE: Final = 1e6
# A cosine plus a rounding error.
_MOST_COSINE: Final = 1.001


def validate(
    response: requests.Response, request: requests.Request[requests.Response]
) -> requests.Response:
    """Validate a server's response to a request; return it with names and sentences escaped.

    Raises:
        FormError: A value is invalid or out of range.
    """
    return cast("requests.Response", _CHECKS[type(request)](response, request))


def refusal(refused: endpoints.Refusal) -> endpoints.Refusal:
    """Return a refusal with its sentence escaped and shortened."""
    return endpoints.Refusal(label(refused.sentence, _SENTENCE_CHARS))


def _require(is_valid: bool, field: str) -> None:
    if not is_valid:
        raise FormError("{0} is invalid or out of range.", field)


# Parts of several responses


def _path(path: Path) -> Path:
    text = str(path)
    clean = label(text, _PATH_CHARS)
    return path if clean == text else Path(clean)


def _check_id(value: int, field: str) -> None:
    _require(0 <= value < _ID_END, field)


def _check_score(value: float, field: str) -> None:
    _require(abs(value) <= _MOST_SCORE, field)


def _tokens(tokens: tuple[responses.QueryToken, ...]) -> tuple[responses.QueryToken, ...]:
    _require(len({token.index for token in tokens}) == len(tokens), "tokens")
    for token in tokens:
        _require(0 <= token.index < _MOST_TOKENS, "token.index")
        _require(0 <= token.start <= token.end <= _QUERY_CHARS, "token.start")
        _require(-1 <= token.word < _MOST_TOKENS, "token.word")
        _require(0 <= token.share <= 1.001, "token.share")
    return tuple(labelled(token, _NAME_CHARS) for token in tokens)


def _alignments(
    alignments: Iterable[responses.Alignment], tokens: tuple[responses.QueryToken, ...]
) -> tuple[responses.Alignment, ...]:
    known = {token.index for token in tokens}
    checked = []
    for alignment in alignments:
        _require(alignment.query_index in known, "alignment.query_index")
        _require(0 <= alignment.start < alignment.end <= _PASSAGE_CHARS, "alignment.start")
        _require(abs(alignment.similarity) <= _MOST_COSINE, "alignment.similarity")
        checked.append(labelled(alignment, _NAME_CHARS))
    return tuple(checked)


def _check_passage(passage: responses.Passage) -> responses.Passage:
    # The id is negative if there is no passage.
    _require(-1 <= passage.id < _ID_END, "passage.id")
    _check_id(passage.document_id, "passage.document_id")
    _require(0 <= passage.page <= _MOST_POSITION, "passage.page")
    _require(max(len(passage.text), len(passage.context)) <= _PASSAGE_CHARS, "passage.text")
    _require(0 <= passage.start <= _MOST_POSITION, "passage.start")
    _require(passage.end - passage.start == len(passage.text), "passage.end")
    return passage


def _terms(terms: tuple[responses.ScoreTerm, ...]) -> tuple[responses.ScoreTerm, ...]:
    _require(len(terms) <= 10, "terms")
    for term in terms:
        _check_score(term.weight, "term.weight")
        _check_score(term.value, "term.value")
    return tuple(labelled(term, _NAME_CHARS) for term in terms)


def _check_hit(
    hit: responses.PassageHit, tokens: tuple[responses.QueryToken, ...]
) -> responses.PassageHit:
    passage = _check_passage(hit.passage)
    _check_score(hit.score, "score")
    _require(len(set(hit.found_by)) == len(hit.found_by), "found_by")
    for start, end in hit.words:
        _require(0 <= start <= end <= len(passage.text), "words")
    alignments = _alignments(hit.alignments, tokens)
    for alignment in alignments:
        text = passage.context if alignment.in_context else passage.text
        _require(alignment.end <= len(text), "alignment.end")
    return replace(hit, alignments=alignments, terms=_terms(hit.terms))


def _check_document_hit(
    hit: responses.DocumentHit, tokens: tuple[responses.QueryToken, ...]
) -> responses.DocumentHit:
    _check_id(hit.document_id, "document_id")
    _require(0 < len(hit.passages) <= _MOST_PASSAGES, "passages")
    for name, declared in result_fields(responses.DocumentHit).items():
        value, (least, most) = getattr(hit, name), declared.bounds
        _require(not isinstance(value, int) or least <= value <= most, name)
    return replace(
        labelled(hit, _NAME_CHARS),
        path=_path(hit.path),
        passages=tuple(_check_hit(passage, tokens) for passage in hit.passages),
        file=None if hit.file is None else _path(hit.file),
        library="",  # set by the source that sent the request
        copies=tuple(map(_check_copy, hit.copies)),
    )


def _check_copy(copy: Copy) -> Copy:
    _check_id(copy.document_id, "copy.document_id")
    return replace(labelled(copy, _NAME_CHARS), path=_path(copy.path))


def _check_named(named: NamedDocument) -> NamedDocument:
    _check_id(named.id, "named.id")
    reason = label(named.reason, _SENTENCE_CHARS)
    return replace(labelled(named, _NAME_CHARS), path=_path(named.path), reason=reason)


def _check_read(document: ReadDocument) -> ReadDocument:
    _check_id(document.id, "document.id")
    _require(0 <= document.pages <= _MOST_POSITION, "document.pages")
    return replace(labelled(document, _NAME_CHARS), path=_path(document.path))


# Responses


def _results(results: responses.SearchResults, _: object) -> responses.SearchResults:
    _require(len(results.hits) <= requests.MOST_DOCUMENTS, "hits")
    document_ids = {hit.document_id for hit in results.hits}
    _require(len(document_ids) == len(results.hits), "document_id")
    _require(0 <= results.took_ms <= 1e9, "took_ms")
    suggestion = results.suggestion
    if suggestion is not None:
        _require(suggestion.documents >= 0, "documents")
        suggestion = replace(suggestion, query=label(suggestion.query, _QUERY_CHARS))
    return replace(
        results,
        query=label(results.query, _QUERY_CHARS),
        tokens=_tokens(results.tokens),
        hits=tuple(_check_document_hit(hit, results.tokens) for hit in results.hits),
        notice=label(results.notice, _SENTENCE_CHARS),
        named=tuple(map(_check_named, results.named)),
        typed=label(results.typed, _QUERY_CHARS),
        suggestion=suggestion,
    )


def _facets(facets: responses.Facets, _: object) -> responses.Facets:
    _check_id(facets.found, "found")
    if facets.attachments is not None:
        _check_id(facets.attachments, "attachments")
    named = (facets.kinds, facets.authors, facets.libraries, facets.tags)
    for counts in (facets.folders, facets.days, *named):
        # The keys have several types, and `Mapping` is invariant in its key type.
        for count in cast("Mapping[object, int]", counts).values():
            _check_id(count, "counts")
    return replace(
        facets,
        roots=tuple(map(_path, facets.roots)),
        folders={_path(path): count for path, count in facets.folders.items()},
        kinds=_named_counts(facets.kinds),
        authors=_named_counts(facets.authors),
        libraries=_named_counts(facets.libraries),
        tags=_named_counts(facets.tags),
    )


def _named_counts(counts: Mapping[str, int]) -> dict[str, int]:
    return {label(name, _NAME_CHARS): count for name, count in counts.items()}


def _explanation(explanation: Explanation, request: requests.Explain) -> Explanation:
    tokens = _tokens(explanation.tokens)
    _require([token.index for token in tokens] == [*range(len(tokens))] != [], "tokens")
    passage = _check_passage(explanation.passage)
    _require(explanation.strategy.value <= _MOST_TOKENS, "strategy.value")
    for comparison in filter(None, (explanation.stored, explanation.exact)):
        _check_comparison(comparison, len(tokens), passage)
    # Merged results may have rescaled them.
    terms = _terms(explanation.terms) if request.terms is None else request.terms
    vectors = len(explanation.exact.tokens)
    _require(len(explanation.pruned) <= vectors, "pruned")
    _require(all(0 <= index < vectors for index in explanation.pruned), "pruned")
    return replace(explanation, tokens=tokens, terms=terms)


def _check_comparison(comparison: Comparison, tokens: int, passage: responses.Passage) -> None:
    size = (tokens, len(comparison.tokens))
    saliences = comparison.saliences
    _require(0 < size[1] <= _MOST_TOKENS, "tokens")
    _require(comparison.similarity.shape == size, "similarity")
    _require(comparison.weights.shape == size[:1], "weights")
    _require(saliences is None or saliences.shape == size[1:], "saliences")
    _require(0 <= comparison.length <= _MOST_TOKENS, "length")
    # Stored vectors have approximately unit length.
    _require(bool((abs(comparison.similarity) <= 2).all()), "similarity")
    _require(bool((comparison.weights >= 0).all() and comparison.weights.max() < 1e4), "weights")
    for token in comparison.tokens:
        text = passage.context if token.in_context else passage.text
        _require(0 <= token.start <= token.end <= len(text), "token.start")
        _require(token.text == text[token.start : token.end], "token.text")


def _exact(exact: responses.ExactAlignments, request: requests.Align) -> responses.ExactAlignments:
    _require(exact.of.keys() <= {*request.passage_ids}, "of")
    of = {
        passage_id: _alignments(alignments, exact.tokens)
        for passage_id, alignments in exact.of.items()
    }
    return responses.ExactAlignments(_tokens(exact.tokens), of)


def _reading(reading: responses.Reading, request: requests.ReadPassage) -> responses.Reading:
    _require(len(reading.before) <= request.before, "before")
    _require(len(reading.after) <= request.after, "after")
    for passage in (reading.passage, *reading.before, *reading.after):
        _check_passage(passage)
    return replace(reading, document=_check_read(reading.document))


def _read(document: ReadDocument, _: object) -> ReadDocument:
    return _check_read(document)


def _page_text(page: endpoints.PageTextPart, _: object) -> endpoints.PageTextPart:
    _require(len(page.text) <= endpoints.LONGEST_TEXT, "text")
    return page


def _pieces(document: endpoints.DocumentPieces, _: object) -> endpoints.DocumentPieces:
    _require(sum(len(piece.text) for piece in document.pieces) <= endpoints.LONGEST_TEXT, "pieces")
    _require(all(0 < piece.page <= _MOST_POSITION for piece in document.pieces), "page")
    _require(0 <= document.next_offset <= 2**31, "next_offset")
    _require(document.next_page is None or 0 < document.next_page <= _MOST_POSITION, "next_page")
    return document


def _words(words: tuple[str, ...], request: requests.GetSalientWords) -> tuple[str, ...]:
    _require(len(words) <= request.count, "words")
    return tuple(label(word, _NAME_CHARS) for word in words)


def _sizes(sizes: tuple[PageSize, ...], _: object) -> tuple[PageSize, ...]:
    for size in sizes:
        _require(min(size.width, size.height) >= 0, "sizes")
        _require(max(size.width, size.height) <= 1e6, "sizes")
    return sizes


def _boxes(
    boxes: tuple[tuple[Box, ...], ...], request: requests.LocateSpans
) -> tuple[tuple[Box, ...], ...]:
    _require(len(boxes) <= len(request.spans), "boxes")
    for box in (box for of_span in boxes for box in of_span):
        _require(max(map(abs, (box.left, box.top, box.right, box.bottom))) <= 1e6, "boxes")
    return boxes


def _status(status: endpoints.ServerStatus, _: object) -> endpoints.ServerStatus:
    for count in (status.documents, status.passages, status.waiting):
        _check_id(count, "counts")
    folders = tuple(
        replace(folder, path=label(folder.path, _PATH_CHARS)) for folder in status.folders
    )
    scale = status.scale
    if scale is not None:
        _require(0 <= scale.words <= 1, "scale.words")
        scale = labelled(scale, _NAME_CHARS)
    return replace(labelled(status, _NAME_CHARS), folders=folders, scale=scale)


_CHECKS: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    requests.Search: _results,
    requests.CountFacets: _facets,
    requests.Explain: _explanation,
    requests.Align: _exact,
    requests.ReadPassage: _reading,
    requests.GetDocument: _read,
    endpoints.ReadPageText: _page_text,
    endpoints.ReadPieces: _pieces,
    requests.GetSalientWords: _words,
    requests.MeasurePages: _sizes,
    requests.LocateSpans: _boxes,
    endpoints.GetServerStatus: _status,
}
