from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import METADATA, Box, Document, Heading, Page, PageImage
from core.documents.sandbox import protocol

_GOOD: dict[str, Any] = {
    "title": "t",
    **dict.fromkeys(METADATA, ""),
    "pages": [[1, "Crows", [[0, 1, "Crows"]], "", [[0, 5, 1, 1]], [[0, 5]]]],
}


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.lists(st.text("ab \n罪🐦")))
def test_documents_pass_unchanged(title: str, texts: list[str]) -> None:
    pages = tuple(
        Page(number, text, (Heading(len(text) // 2, 2, text[len(text) // 2 :]),), text[:9])
        for number, text in enumerate(texts, 1)
    )
    document = Document(title, pages, "An Author", "2024-06-30")
    assert (
        protocol.document_from(protocol.unpack(protocol.pack(protocol.document_fields(document))))
        == document
    )


def test_text_that_is_no_unicode_keeps_its_offsets() -> None:
    document = Document("", (Page(1, "a\ud800b"),))
    passed = protocol.document_from(
        protocol.unpack(protocol.pack(protocol.document_fields(document)))
    )
    assert passed.pages[0].text == "a?b"


def test_pictures_pass_unchanged() -> None:
    image = PageImage(2, 1, b"abcdef", ((Box(0, 0.5, 1, 1),), ()))
    fields = protocol.unpack(protocol.pack(protocol.image_fields(image)))
    assert protocol.image_from(fields, image.rgb) == image
    assert protocol.boxes_from(fields, 2) == image.boxes


@pytest.mark.parametrize("boxes", [None, [], [[]] * 3, [[], [[1, 2, 3]]], [[], [["a", 2, 3, 4]]]])
def test_invalid_boxes_are_refused(boxes: object) -> None:
    with pytest.raises(protocol.ProtocolError):
        protocol.boxes_from({"boxes": boxes}, 2)


@pytest.mark.parametrize("message", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b"1", b"null"])
def test_an_invalid_object_is_refused(message: bytes) -> None:
    with pytest.raises(protocol.ProtocolError):
        protocol.unpack(message)


@pytest.mark.parametrize(
    "change",
    [
        {"title": 1},
        {"title": None},
        {"author": 1},
        {"date": None},
        {"pages": None},
        {"pages": 5},
        {"pages": [[1, "x"]]},
        {"pages": [[1, "x", [], None, [], []]]},
        {"pages": [["1", "x", [], "", [], []]]},
        {"pages": [[True, "x", [], "", [], []]]},
        {"pages": [[-1, "x", [], "", [], []]]},
        {"pages": [[1, ["x"], [], "", [], []]]},
        {"pages": [[1, "x", [[1, 1, "x"]], "", [], []]]},
        {"pages": [[1, "x", [[0, 1]], "", [], []]]},
        {"pages": [[1, "x", [[0, 1.5, "x"]], "", [], []]]},
        {"pages": [[1, "x", [], ""]]},
        {"pages": [[1, "x", [], "", 1, []]]},
        {"pages": [[1, "x", [], "", [[0, 1, 1]], []]]},
        {"pages": [[1, "x", [], "", [[0, 2, 1, 1]], []]]},
        {"pages": [[1, "x", [], "", [[1, 1, 1, 1]], []]]},
        {"pages": [[1, "x", [], "", [[0, 1, 0, 1]], []]]},
        {"pages": [[1, "x", [], "", [[0, 1, 2, 1]], []]]},
        {"pages": [[1, "x", [], "", [[0, 1, 1, 2**31]], []]]},
        {"pages": [[1, "x", [], "", [], [[0]]]]},
        {"pages": [[1, "x", [], "", [], [[1, 0]]]]},
        {"pages": [[1, "x", [], "", [], [[0, 2]]]]},
    ],
)
def test_an_invalid_document_is_refused(change: dict[str, Any]) -> None:
    protocol.document_from(_GOOD)
    with pytest.raises(protocol.ProtocolError):
        protocol.document_from(_GOOD | change)


@pytest.mark.parametrize(
    "change",
    [
        {"width": 0},
        {"width": 3},
        {"height": 1.0},
        {"width": -2, "height": -1},
        {"boxes": [[[1, 2, 3]]]},
        {"boxes": [[["a", 2, 3, 4]]]},
        {"boxes": 3},
    ],
)
def test_an_invalid_picture_is_refused(change: dict[str, Any]) -> None:
    good = {"width": 2, "height": 1, "boxes": []}
    protocol.image_from(good, b"abcdef")
    with pytest.raises(protocol.ProtocolError):
        protocol.image_from(good | change, b"abcdef")


def test_a_message_of_more_values_than_a_document_has_is_refused_before_it_is_parsed() -> None:
    message = b'{"pages": [' + b"[]," * 2_600_000 + b"[]]}"
    tracemalloc.start()
    with pytest.raises(protocol.ProtocolError, match="too many values"):
        protocol.unpack(message)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 * len(message)
