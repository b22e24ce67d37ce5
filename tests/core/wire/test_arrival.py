"""Tests of the validation of server responses."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.alignment.pairwise import AlignmentKind, AlignmentStrategy
from core.catalog.documents import ReadDocument
from core.documents.document import Box, PageSize
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
from core.wire.arrival import validate
from core.wire.codec import FormError, read, written
from core.wire.endpoints import ENDPOINTS, Picture

TEXT = "Owls hunt mice."
TOKENS = (QueryToken(0, "owls", 0, 4, 0, 0.6), QueryToken(1, "mice", 5, 9, 1, 0.4))
PASSAGE = Passage(3, 7, 1, 10, 10 + len(TEXT), TEXT, "Owls")
ALIGNMENT = Alignment(0, "owls", 0, 4, 0.9, "Owls")
HIT = PassageHit(
    PASSAGE, 0.8, (Mode.WORDS,), (ALIGNMENT,), ((0, 4),), (ScoreTerm(MEANING, "", 1.0, 0.8),)
)
FOUND = DocumentHit(7, Path("/birds/owl.txt"), "Owls", False, (HIT,), "Ada", "2024-06-30")
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
    PASSAGE, TOKENS, None, COMPARISON, AlignmentStrategy(AlignmentKind.TOP_K, 1.0)
)
STATUS = endpoints.ServerStatus(1, "1", "m", (), 2, 5, 0, ScoreScale("m", 0.15, "topk:1"))
VALID: dict[type, tuple[Any, Any]] = {
    SearchResults: (RESULTS, None),
    Facets: (Facets(1, (), {Path("/b"): 1}, {"text": 1}, {}, {"Ada": 1}), None),
    Explanation: (EXPLANATION, None),
    ExactAlignments: (
        ExactAlignments(TOKENS, {3: (ALIGNMENT,)}),
        endpoints.AlignRequest("owls", (3,)),
    ),
    Reading: (Reading(DOCUMENT, PASSAGE, (), (PASSAGE,)), endpoints.PassageRequest(3, 0, 1)),
    ReadDocument: (DOCUMENT, None),
    endpoints.PageText: (endpoints.PageText(7, 1, 2, 0, TEXT, None), None),
    endpoints.DocumentPieces: (
        endpoints.DocumentPieces(7, 2, (endpoints.Piece(1, 0, TEXT),), 2, 0),
        None,
    ),
    endpoints.SalientWords: (endpoints.SalientWords(("owls",)), endpoints.WordsRequest(3)),
    endpoints.PageSizes: (endpoints.PageSizes((PageSize(595.0, 842.0),)), None),
    endpoints.PageBoxes: (
        endpoints.PageBoxes(((Box(1.0, 2.0, 3.0, 4.0),),)),
        endpoints.BoxesRequest(7, 1, 9, 9, ((0, 4),)),
    ),
    endpoints.ServerStatus: (STATUS, None),
}


@pytest.mark.parametrize(
    "kind", [each.answer for each in ENDPOINTS if each.answer is not Picture], ids=str
)
def test_valid_responses_are_unchanged(kind: type) -> None:
    answer, request = VALID[kind]
    decoded = read(kind, json.loads(written(answer)), is_strict=False)
    assert written(validate(decoded, request)) == written(answer)


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
    "response",
    [
        # Ids from 2**40 on would refer to another library.
        replace(RESULTS, hits=(replace(FOUND, document_id=1 << 40),)),
        replace(RESULTS, hits=(replace(FOUND, document_id=-1),)),
        with_passage(id=1 << 41),
        replace(RESULTS, hits=(FOUND, FOUND)),
        replace(RESULTS, hits=(replace(FOUND, passages=()),)),
        replace(RESULTS, tokens=(*TOKENS, TOKENS[0])),
        replace(RESULTS, tokens=(replace(TOKENS[0], start=9, end=3),)),
        with_passage(end=9_999),
        with_passage(page=-1),
        with_hit(words=((3, 999),)),
        with_hit(words=((-1, 2),)),
        with_hit(score=1e300),
        with_hit(terms=(ScoreTerm(MEANING, "", 1e200, 1e200),)),
        with_hit(found_by=(Mode.WORDS, Mode.WORDS)),
        with_alignment(query_index=5),
        with_alignment(end=999),
        with_alignment(start=4),
        with_alignment(in_context=True, end=5),
        with_alignment(similarity=7.0),
        explained(similarity=np.zeros((2, 3), dtype=np.float32)),
        explained(similarity=np.zeros(2, dtype=np.float32)),
        explained(weights=np.full(2, -1, dtype=np.float32)),
        explained(saliences=np.zeros(9, dtype=np.float32)),
        explained(tokens=(PassageToken("Owls", 0, 999, False),)),
        replace(EXPLANATION, tokens=TOKENS[1:]),
        replace(EXPLANATION, strategy=AlignmentStrategy(AlignmentKind.TOP_K, 1e300)),
        ExactAlignments(TOKENS, {4: ()}),
        Reading(DOCUMENT, PASSAGE, (PASSAGE,), ()),
        replace(DOCUMENT, pages=-1),
        endpoints.PageText(7, 1, 2, 0, "x" * 40_001, None),
        endpoints.DocumentPieces(7, 2, (endpoints.Piece(-1, 0, TEXT),), 2, 0),
        endpoints.DocumentPieces(7, 2, (), -2, 0),
        endpoints.SalientWords(("owls",) * 13),
        endpoints.PageSizes((PageSize(-1, 842),)),
        endpoints.PageSizes((PageSize(1, 1e300),)),
        endpoints.PageBoxes(((), ())),
        endpoints.PageBoxes(((Box(0, 0, 1e300, 1),),)),
        replace(STATUS, documents=-1),
        replace(STATUS, scale=ScoreScale("m", 9.0, "topk:1")),
        Facets(-1, (), {}, {}, {}, {}),
        Facets(1, (), {}, {"text": 1 << 50}, {}, {}),
    ],
    ids=lambda response: type(response).__name__,
)
def test_invalid_values_are_refused(response: Any) -> None:
    with pytest.raises(FormError, match="is invalid or out of range"):
        validate(response, VALID[type(response)][1])


CONTROLS = "\x1b]52;c;ZXZpbA==\x07\u202e\n"


@pytest.mark.parametrize(
    "name",
    [
        lambda text: validate(replace(RESULTS, notice=text)).notice,
        lambda text: validate(replace(RESULTS, hits=(replace(FOUND, title=text),))).hits[0].title,
        lambda text: validate(replace(RESULTS, hits=(replace(FOUND, author=text),))).hits[0].author,
        lambda text: str(
            validate(replace(RESULTS, hits=(replace(FOUND, path=Path(text)),))).hits[0].path
        ),
        lambda text: (
            validate(with_hit(terms=(ScoreTerm(MEANING, text, 1, 1),)))
            .hits[0]
            .passages[0]
            .terms[0]
            .label
        ),
        lambda text: validate(replace(STATUS, model=text)).model,
        lambda text: validate(replace(DOCUMENT, title=text)).title,
        lambda text: validate(endpoints.Refusal(text)).sentence,
        lambda text: next(iter(validate(Facets(1, (), {}, {}, {}, {text: 1})).authors)),
        lambda text: validate(endpoints.SalientWords((text,)), endpoints.WordsRequest(3)).words[0],
    ],
)
def test_names_and_sentences_are_escaped_and_shortened(name: Callable[[str], str]) -> None:
    escaped = name(f"a{CONTROLS}b")
    assert escaped.isprintable()
    assert escaped.startswith("a\\x1b")
    assert escaped.endswith("b")
    assert len(name("a" * 900_000)) <= 4_096
