"""Tests of the validation of server responses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.alignment.pairwise import AlignmentKind, AlignmentStrategy
from core.catalog.documents import ReadDocument
from core.documents.document import Box, PageImage, PageSize
from core.requests import (
    Align,
    CountFacets,
    Explain,
    GetDocument,
    GetSalientWords,
    LocateSpans,
    MeasurePages,
    ReadPassage,
    Request,
    Search,
)
from core.responses import (
    MEANING,
    Alignment,
    DocumentHit,
    ExactAlignments,
    Facets,
    Mode,
    Passage,
    PassageHit,
    QueryToken,
    Reading,
    ScoreScale,
    ScoreTerm,
    SearchResults,
)
from core.token_comparison import Comparison, Explanation, PassageToken
from core.wire import endpoints
from core.wire.codec import FormError, parsed, read, written
from core.wire.endpoints import ENDPOINTS, OF_REQUEST
from core.wire.response_validation import refusal, validate

TEXT = "Owls hunt mice."
TOKENS = (QueryToken(0, "owls", 0, 4, 0, 0.6), QueryToken(1, "mice", 5, 9, 1, 0.4))
PASSAGE = Passage(3, 7, 1, 10, 10 + len(TEXT), TEXT, "Owls")
ALIGNMENT = Alignment(0, "owls", 0, 4, 0.9, "Owls")
HIT = PassageHit(
    PASSAGE, 0.8, (Mode.WORDS,), (ALIGNMENT,), ((0, 4),), (ScoreTerm(MEANING, "", 1.0, 0.8),)
)
FOUND = DocumentHit(
    7, Path("/birds/owl.txt"), False, (HIT,), title="Owls", author="Ada", date="2024-06-30"
)
RESULTS = SearchResults("owls mice", Mode.HYBRID, TOKENS, (FOUND,), 1.5)
DOCUMENT = ReadDocument(7, Path("/birds/owl.txt"), "Owls", 2)
COMPARISON = Comparison(
    (PassageToken("Owls", 0, 4, False),),
    np.array([[0.9], [0.1]], dtype=np.float32),
    np.ones(2, dtype=np.float32),
    None,
    4,
)
EXPLANATION = Explanation(
    PASSAGE, TOKENS, None, COMPARISON, AlignmentStrategy(AlignmentKind.TOP_K, 1.0), pruned=(0,)
)
STATUS = endpoints.ServerStatus(1, "1", "m", (), 2, 5, 0, ScoreScale("m", 0.15, "topk:1"))
SEARCH, FACETS, EXPLAIN = Search("owls mice"), CountFacets("owls"), Explain("owls", 3)
ALIGN, WORDS, READING = Align("owls", (3,)), GetSalientWords(3), ReadPassage(3, 0, 1)
GET, SIZES, BOXES = GetDocument(7), MeasurePages(7), LocateSpans(7, 1, 9, 9, ((0, 4),))
TEXT_PIECE, PIECES = endpoints.ReadPageText(7, 1), endpoints.ReadPieces(7)
GET_STATUS = endpoints.GetServerStatus()
VALID: list[tuple[Request[Any], Any]] = [
    (SEARCH, RESULTS),
    (FACETS, Facets(1, (), {Path("/b"): 1}, {"text": 1}, {}, {"Ada": 1})),
    (EXPLAIN, EXPLANATION),
    (ALIGN, ExactAlignments(TOKENS, {3: (ALIGNMENT,)})),
    (READING, Reading(DOCUMENT, PASSAGE, (), (PASSAGE,))),
    (GET, DOCUMENT),
    (TEXT_PIECE, endpoints.PageTextPart(7, 1, 2, 0, TEXT, None)),
    (PIECES, endpoints.DocumentPieces(7, 2, (endpoints.Piece(1, 0, TEXT),), 2, 0)),
    (WORDS, ("owls",)),
    (SIZES, (PageSize(595.0, 842.0),)),
    (BOXES, ((Box(1.0, 2.0, 3.0, 4.0),),)),
    (GET_STATUS, STATUS),
]


def test_every_endpoint_has_a_valid_response() -> None:
    with_form = {one.request for one in ENDPOINTS if one.response is not PageImage}
    assert {type(request) for request, _ in VALID} == with_form


@pytest.mark.parametrize(("request_", "response"), VALID, ids=lambda value: type(value).__name__)
def test_valid_responses_are_unchanged(request_: Request[Any], response: Any) -> None:
    value = parsed(written(response), 10**6, 10**4)
    decoded = read(OF_REQUEST[type(request_)].response, value)
    assert written(validate(decoded, request_)) == written(response)


def with_hit(**changes: Any) -> SearchResults:
    hit = replace(FOUND, passages=(replace(HIT, **changes),))
    return replace(RESULTS, hits=(hit,))


def with_passage(**changes: Any) -> SearchResults:
    return with_hit(passage=replace(PASSAGE, **changes))


def with_alignment(**changes: Any) -> SearchResults:
    return with_hit(alignments=(replace(ALIGNMENT, **changes),))


def explained(**changes: Any) -> Explanation:
    return replace(EXPLANATION, exact=replace(COMPARISON, **changes))


@pytest.mark.parametrize(
    ("request_", "response"),
    [
        # Ids from 2**40 on would refer to another library.
        (SEARCH, replace(RESULTS, hits=(replace(FOUND, document_id=1 << 40),))),
        (SEARCH, replace(RESULTS, hits=(replace(FOUND, document_id=-1),))),
        (SEARCH, with_passage(id=1 << 41)),
        (SEARCH, replace(RESULTS, hits=(FOUND, FOUND))),
        (SEARCH, replace(RESULTS, hits=(replace(FOUND, passages=()),))),
        (SEARCH, replace(RESULTS, tokens=(*TOKENS, TOKENS[0]))),
        (SEARCH, replace(RESULTS, tokens=(replace(TOKENS[0], start=9, end=3),))),
        (SEARCH, with_passage(end=9_999)),
        (SEARCH, with_passage(page=-1)),
        (SEARCH, with_hit(words=((3, 999),))),
        (SEARCH, with_hit(words=((-1, 2),))),
        (SEARCH, with_hit(score=1e300)),
        (SEARCH, with_hit(terms=(ScoreTerm(MEANING, "", 1e200, 1e200),))),
        (SEARCH, with_hit(found_by=(Mode.WORDS, Mode.WORDS))),
        (SEARCH, with_alignment(query_index=5)),
        (SEARCH, with_alignment(end=999)),
        (SEARCH, with_alignment(start=4)),
        (SEARCH, with_alignment(in_context=True, end=5)),
        (SEARCH, with_alignment(similarity=7.0)),
        (EXPLAIN, explained(similarity=np.zeros((2, 3), dtype=np.float32))),
        (EXPLAIN, explained(similarity=np.zeros(2, dtype=np.float32))),
        (EXPLAIN, explained(weights=np.full(2, -1, dtype=np.float32))),
        (EXPLAIN, explained(saliences=np.zeros(9, dtype=np.float32))),
        (EXPLAIN, explained(tokens=(PassageToken("Owls", 0, 999, False),))),
        (EXPLAIN, replace(EXPLANATION, tokens=TOKENS[1:])),
        (EXPLAIN, replace(EXPLANATION, strategy=AlignmentStrategy(AlignmentKind.TOP_K, 1e300))),
        (ALIGN, ExactAlignments(TOKENS, {4: ()})),
        (READING, Reading(DOCUMENT, PASSAGE, (PASSAGE,), ())),
        (GET, replace(DOCUMENT, pages=-1)),
        (TEXT_PIECE, endpoints.PageTextPart(7, 1, 2, 0, "x" * 40_001, None)),
        (PIECES, endpoints.DocumentPieces(7, 2, (endpoints.Piece(-1, 0, TEXT),), 2, 0)),
        (PIECES, endpoints.DocumentPieces(7, 2, (), -2, 0)),
        (WORDS, ("owls",) * 13),
        (SIZES, (PageSize(-1, 842),)),
        (SIZES, (PageSize(1, 1e300),)),
        (BOXES, ((), ())),
        (BOXES, ((Box(0, 0, 1e300, 1),),)),
        (GET_STATUS, replace(STATUS, documents=-1)),
        (GET_STATUS, replace(STATUS, scale=ScoreScale("m", 9.0, "topk:1"))),
        (FACETS, Facets(-1, (), {}, {}, {}, {})),
        (FACETS, Facets(1, (), {}, {"text": 1 << 50}, {}, {})),
    ],
    ids=lambda value: type(value).__name__,
)
def test_invalid_values_are_refused(request_: Request[Any], response: Any) -> None:
    with pytest.raises(FormError, match="is invalid or out of range"):
        validate(response, request_)


CONTROLS = "\x1b]52;c;ZXZpbA==\x07\u202e\n"


@pytest.mark.parametrize(
    "name",
    [
        lambda text: validate(replace(RESULTS, notice=text), SEARCH).notice,
        lambda text: (
            validate(replace(RESULTS, hits=(replace(FOUND, title=text),)), SEARCH).hits[0].title
        ),
        lambda text: (
            validate(replace(RESULTS, hits=(replace(FOUND, author=text),)), SEARCH).hits[0].author
        ),
        lambda text: str(
            validate(replace(RESULTS, hits=(replace(FOUND, path=Path(text)),)), SEARCH).hits[0].path
        ),
        lambda text: (
            validate(with_hit(terms=(ScoreTerm(MEANING, text, 1, 1),)), SEARCH)
            .hits[0]
            .passages[0]
            .terms[0]
            .label
        ),
        lambda text: validate(replace(STATUS, model=text), GET_STATUS).model,
        lambda text: validate(replace(DOCUMENT, title=text), GET).title,
        lambda text: refusal(endpoints.Refusal(text)).sentence,
        lambda text: next(iter(validate(Facets(1, (), {}, {}, {}, {text: 1}), FACETS).authors)),
        lambda text: validate((text,), WORDS)[0],
    ],
)
def test_names_and_sentences_are_escaped_and_shortened(name: Callable[[str], str]) -> None:
    escaped = name(f"a{CONTROLS}b")
    assert escaped.isprintable()
    assert escaped.startswith("a\\x1b")
    assert escaped.endswith("b")
    assert len(name("a" * 900_000)) <= 4_096
