"""Answers of servers, checked on arrival: what a hostile one may say that our own never does.

The decoder has checked types already. Here numbers are within the bounds that all who use them
rely on, spans lie inside their texts, tokens are those of the query, and names and sentences are
bounded and fit to be shown. The texts of passages and pages stay as they are, since positions
count their characters; whoever shows them cleans them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from core.printable import label
from core.search.explanation import Comparison, Explanation
from core.search.filters import Facets
from core.search.results import (
    Alignment,
    DocumentHit,
    ExactAlignments,
    Passage,
    PassageHit,
    QueryToken,
    SearchResults,
)
from core.search.stored_texts import Reading
from core.wire import endpoints
from core.wire.json_types import FormError

if TYPE_CHECKING:
    from core.catalog.copies import Copy
    from core.catalog.documents import NamedDocument, ReadDocument

Made = TypeVar("Made")

# Characters of a name, a title or a label.
_NAME: Final = 500
_PATH: Final = 4_096
_SENTENCE: Final = 1_000
_QUERY: Final = 10_000
_PASSAGE: Final = 100_000
_PAGE: Final = 1_000_000_000
# Numbers of documents and passages, above which they tell libraries apart.
_NUMBERS: Final = 1 << 40
_MOST_PASSAGES: Final = 100
_MOST_TOKENS: Final = 10_000
_GREATEST_SCORE: Final = 1e6
# A cosine, with what rounding may add.
_GREATEST_COSINE: Final = 1.001


def arrived(answer: Made, request: object = None) -> Made:
    """Return an answer of a server with names and sentences cleaned.

    Args:
        answer: as the decoder made it.
        request: what was asked; None where the answer does not depend on it.

    Raises:
        FormError: something in it cannot be so.
    """
    return cast("Made", _CHECKS[type(answer)](answer, request))


def _require(is_so: bool, what: str) -> None:
    if not is_so:
        raise FormError("{0} is not as it must be.", what)


# What several answers consist of


def _path(path: Path) -> Path:
    text = str(path)
    clean = label(text, _PATH)
    return path if clean == text else Path(clean)


def _check_number(number: int, what: str) -> None:
    _require(0 <= number < _NUMBERS, what)


def _check_score(value: float, what: str) -> None:
    _require(abs(value) <= _GREATEST_SCORE, what)


def _tokens(tokens: tuple[QueryToken, ...]) -> tuple[QueryToken, ...]:
    _require(len({token.index for token in tokens}) == len(tokens), "tokens")
    for token in tokens:
        _require(0 <= token.index < _MOST_TOKENS, "token.index")
        _require(0 <= token.start <= token.end <= _QUERY, "token.start")
        _require(-1 <= token.word < _MOST_TOKENS, "token.word")
        _require(0 <= token.share <= 1.001, "token.share")
    return tuple(replace(token, text=label(token.text, _NAME)) for token in tokens)


def _alignments(
    alignments: Iterable[Alignment], tokens: tuple[QueryToken, ...]
) -> tuple[Alignment, ...]:
    known = {token.index for token in tokens}
    made = []
    for one in alignments:
        _require(one.query_index in known, "alignment.query_index")
        _require(0 <= one.start < one.end <= _PASSAGE, "alignment.start")
        _require(abs(one.similarity) <= _GREATEST_COSINE, "alignment.similarity")
        made.append(
            replace(one, query_token=label(one.query_token, _NAME), text=label(one.text, _NAME))
        )
    return tuple(made)


def _check_passage(passage: Passage) -> Passage:
    # A number below 0 stands for no passage.
    _require(-1 <= passage.id < _NUMBERS, "passage.id")
    _check_number(passage.document_id, "passage.document_id")
    _require(0 <= passage.page <= _PAGE, "passage.page")
    _require(max(len(passage.text), len(passage.context)) <= _PASSAGE, "passage.text")
    _require(0 <= passage.start <= _PAGE, "passage.start")
    _require(passage.end - passage.start == len(passage.text), "passage.end")
    return passage


def _check_hit(hit: PassageHit, tokens: tuple[QueryToken, ...]) -> PassageHit:
    passage = _check_passage(hit.passage)
    _check_score(hit.score, "score")
    _require(len(set(hit.found_by)) == len(hit.found_by), "found_by")
    _require(len(hit.terms) <= 10, "terms")
    for term in hit.terms:
        _check_score(term.weight, "term.weight")
        _check_score(term.value, "term.value")
    for start, end in hit.words:
        _require(0 <= start <= end <= len(passage.text), "words")
    alignments = _alignments(hit.alignments, tokens)
    for one in alignments:
        text = passage.context if one.in_context else passage.text
        _require(one.end <= len(text), "alignment.end")
    terms = tuple(
        replace(term, name=label(term.name, _NAME), label=label(term.label, _NAME))
        for term in hit.terms
    )
    return replace(hit, alignments=alignments, terms=terms)


def _check_document_hit(hit: DocumentHit, tokens: tuple[QueryToken, ...]) -> DocumentHit:
    _check_number(hit.document_id, "document_id")
    _require(0 < len(hit.passages) <= _MOST_PASSAGES, "passages")
    return replace(
        hit,
        path=_path(hit.path),
        title=label(hit.title, _NAME),
        passages=tuple(_check_hit(one, tokens) for one in hit.passages),
        author=label(hit.author, _NAME),
        date=label(hit.date, _NAME),
        file=None if hit.file is None else _path(hit.file),
        library="",  # whose it is, the one who asked it knows
        copies=tuple(map(_check_copy, hit.copies)),
    )


def _check_copy(copy: Copy) -> Copy:
    _check_number(copy.document_id, "copy.document_id")
    return replace(copy, path=_path(copy.path), title=label(copy.title, _NAME))


def _check_named(named: NamedDocument) -> NamedDocument:
    _check_number(named.id, "named.id")
    return replace(
        named,
        path=_path(named.path),
        title=label(named.title, _NAME),
        reason=label(named.reason, _SENTENCE),
    )


def _check_read(document: ReadDocument) -> ReadDocument:
    _check_number(document.id, "document.id")
    _require(0 <= document.pages <= _PAGE, "document.pages")
    return replace(
        document,
        path=_path(document.path),
        title=label(document.title, _NAME),
        author=label(document.author, _NAME),
        date=label(document.date, _NAME),
    )


# The answers


def _results(found: SearchResults, _: object) -> SearchResults:
    _require(len(found.hits) <= endpoints.MOST_DOCUMENTS, "hits")
    numbers = {hit.document_id for hit in found.hits}
    _require(len(numbers) == len(found.hits), "document_id")
    _require(0 <= found.took_ms <= 1e9, "took_ms")
    mending = found.mending
    if mending is not None:
        mending = replace(mending, query=label(mending.query, _QUERY))
    return replace(
        found,
        query=label(found.query, _QUERY),
        tokens=_tokens(found.tokens),
        hits=tuple(_check_document_hit(hit, found.tokens) for hit in found.hits),
        notice=label(found.notice, _SENTENCE),
        named=tuple(map(_check_named, found.named)),
        typed=label(found.typed, _QUERY),
        mending=mending,
    )


def _facets(facets: Facets, _: object) -> Facets:
    _check_number(facets.found, "found")
    for counts in (facets.folders, facets.kinds, facets.days, facets.authors, facets.libraries):
        # Their keys are of several types, of which a mapping for all does not know.
        for count in cast("Mapping[object, int]", counts).values():
            _check_number(count, "counts")
    return replace(
        facets,
        roots=tuple(map(_path, facets.roots)),
        folders={_path(path): count for path, count in facets.folders.items()},
        kinds=_named_counts(facets.kinds),
        authors=_named_counts(facets.authors),
        libraries=_named_counts(facets.libraries),
    )


def _named_counts(counts: Mapping[str, int]) -> dict[str, int]:
    return {label(name, _NAME): count for name, count in counts.items()}


def _explanation(explanation: Explanation, _: object) -> Explanation:
    tokens = _tokens(explanation.tokens)
    _require([token.index for token in tokens] == [*range(len(tokens))] != [], "tokens")
    passage = _check_passage(explanation.passage)
    _require(explanation.strategy.value <= _MOST_TOKENS, "strategy.value")
    for comparison in filter(None, (explanation.stored, explanation.exact)):
        _check_comparison(comparison, len(tokens), passage)
    return replace(explanation, tokens=tokens)


def _check_comparison(comparison: Comparison, tokens: int, passage: Passage) -> None:
    size = (tokens, len(comparison.tokens))
    saliences = comparison.saliences
    _require(0 < size[1] <= _MOST_TOKENS, "tokens")
    _require(comparison.similarity.shape == size, "similarity")
    _require(comparison.weights.shape == size[:1], "weights")
    _require(saliences is None or saliences.shape == size[1:], "saliences")
    _require(0 <= comparison.length <= _MOST_TOKENS, "length")
    # Stored vectors are near unit length only.
    _require(bool((abs(comparison.similarity) <= 2).all()), "similarity")
    _require(bool((comparison.weights >= 0).all() and comparison.weights.max() < 1e4), "weights")
    for token in comparison.tokens:
        text = passage.context if token.in_context else passage.text
        _require(0 <= token.start <= token.end <= len(text), "token.start")
        _require(token.text == text[token.start : token.end], "token.text")


def _exact(exact: ExactAlignments, request: object) -> ExactAlignments:
    assert isinstance(request, endpoints.AlignRequest)
    _require(exact.of.keys() <= {*request.passages}, "of")
    of = {number: _alignments(found, exact.tokens) for number, found in exact.of.items()}
    return ExactAlignments(_tokens(exact.tokens), of)


def _reading(reading: Reading, request: object) -> Reading:
    assert isinstance(request, endpoints.PassageRequest)
    _require(len(reading.before) <= request.before, "before")
    _require(len(reading.behind) <= request.behind, "behind")
    for passage in (reading.passage, *reading.before, *reading.behind):
        _check_passage(passage)
    return replace(reading, document=_check_read(reading.document))


def _read(document: ReadDocument, _: object) -> ReadDocument:
    return _check_read(document)


def _page_text(page: endpoints.PageText, _: object) -> endpoints.PageText:
    _require(len(page.text) <= endpoints.LONGEST_TEXT, "text")
    return page


def _pieces(document: endpoints.DocumentPieces, _: object) -> endpoints.DocumentPieces:
    _require(sum(len(piece.text) for piece in document.pieces) <= endpoints.LONGEST_TEXT, "pieces")
    _require(all(0 < piece.page <= _PAGE for piece in document.pieces), "page")
    _require(0 <= document.next_offset <= 2**31, "next_offset")
    _require(document.next_page is None or 0 < document.next_page <= _PAGE, "next_page")
    return document


def _words(words: endpoints.SalientWords, request: object) -> endpoints.SalientWords:
    assert isinstance(request, endpoints.WordsRequest)
    _require(len(words.words) <= request.count, "words")
    return endpoints.SalientWords(tuple(label(word, _NAME) for word in words.words))


def _sizes(sizes: endpoints.PageSizes, _: object) -> endpoints.PageSizes:
    for size in sizes.sizes:
        _require(min(size.width, size.height) >= 0, "sizes")
        _require(max(size.width, size.height) <= 1e6, "sizes")
    return sizes


def _boxes(boxes: endpoints.PageBoxes, request: object) -> endpoints.PageBoxes:
    assert isinstance(request, endpoints.BoxesRequest)
    _require(len(boxes.boxes) <= len(request.spans), "boxes")
    for box in (box for of_span in boxes.boxes for box in of_span):
        _require(max(map(abs, (box.left, box.top, box.right, box.bottom))) <= 1e6, "boxes")
    return boxes


def _status(status: endpoints.ServerStatus, _: object) -> endpoints.ServerStatus:
    for count in (status.documents, status.passages, status.waiting):
        _check_number(count, "counts")
    folders = tuple(replace(one, path=label(one.path, _PATH)) for one in status.folders)
    scale = status.scale
    if scale is not None:
        _require(0 <= scale.words <= 1, "scale.words")
        scale = replace(
            scale, model=label(scale.model, _NAME), alignment=label(scale.alignment, _NAME)
        )
    return replace(
        status,
        version=label(status.version, _NAME),
        model=label(status.model, _NAME),
        folders=folders,
        scale=scale,
    )


def _refusal(refusal: endpoints.Refusal, _: object) -> endpoints.Refusal:
    return endpoints.Refusal(label(refusal.sentence, _SENTENCE))


_CHECKS: Final[Mapping[type, Callable[[Any, object], Any]]] = {
    endpoints.SEARCH.answer: _results,
    endpoints.FACETS.answer: _facets,
    endpoints.EXPLAIN.answer: _explanation,
    endpoints.ALIGN.answer: _exact,
    endpoints.PASSAGE.answer: _reading,
    endpoints.DOCUMENT.answer: _read,
    endpoints.TEXT.answer: _page_text,
    endpoints.PAGES.answer: _pieces,
    endpoints.WORDS.answer: _words,
    endpoints.SIZES.answer: _sizes,
    endpoints.BOXES.answer: _boxes,
    endpoints.STATUS.answer: _status,
    endpoints.Refusal: _refusal,
}
