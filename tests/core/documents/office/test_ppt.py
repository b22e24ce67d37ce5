from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.office import ppt
from core.errors import DocumentError
from tests.core.documents.office.compound_files import compound_bytes
from tests.core.documents.office.slide_files import BODY, TITLE, Shape, Slide, slides_bytes


def read(tmp_path: Path, data: bytes) -> Document:
    path = tmp_path / "a.ppt"
    path.write_bytes(data)
    return ppt.read(path)


BIRDS = [
    Slide([Shape("Food: worms", BODY), Shape("Crows", TITLE)], notes="Speak slowly."),
    Slide([Shape("Owls: Eulen — 罪", TITLE, is_in_outline=True), Shape("Mice\rand more", BODY)]),
]


def test_each_slide_is_a_page_with_its_title_first_and_its_notes_last(tmp_path: Path) -> None:
    document = read(tmp_path, slides_bytes(BIRDS, title="On Birds", author="Anna Rook"))
    assert [(page.number, page.text) for page in document.pages] == [
        (1, "Crows\n\nFood: worms\n\nSpeak slowly."),
        (2, "Owls: Eulen — 罪\n\nMice\nand more"),
    ]
    assert [page.headings[0].text for page in document.pages] == ["Crows", "Owls: Eulen — 罪"]
    assert (document.title, document.author) == ("On Birds", "Anna Rook")


def test_a_presentation_without_a_title_of_its_own_has_the_first_slide_s(tmp_path: Path) -> None:
    assert read(tmp_path, slides_bytes(BIRDS)).title == "Crows"
    assert read(tmp_path, slides_bytes(BIRDS, title="Folie 1")).title == "Crows"


def test_only_the_newest_form_of_a_slide_is_read(tmp_path: Path) -> None:
    document = read(tmp_path, slides_bytes(BIRDS, has_older_edit=True))
    assert document.pages[0].text.startswith("Crows")
    assert "older" not in document.pages[0].text


def test_shapes_in_groups_are_read(tmp_path: Path) -> None:
    slide = Slide([Shape("In a group")], is_grouped=True)
    assert read(tmp_path, slides_bytes([slide])).pages[0].text == "In a group"


def test_text_on_all_slides_is_read_once(tmp_path: Path) -> None:
    slides = [
        Slide([Shape(name, TITLE), Shape("Rook Ltd", placeholder=9), Shape("*", placeholder=8)])
        for name in ("One", "Two")
    ]
    pages = read(tmp_path, slides_bytes(slides)).pages
    assert [page.text for page in pages] == ["One\n\nRook Ltd", "Two"]


def test_the_newer_form_is_read_where_there_are_two(tmp_path: Path) -> None:
    document = read(tmp_path, slides_bytes(BIRDS, within="PP97_DUALSTORAGE/"))
    assert len(document.pages) == 2


def test_a_slide_that_is_lost_is_read_by_its_outline(tmp_path: Path) -> None:
    data = slides_bytes([Slide([Shape("Owls", TITLE, is_in_outline=True)])])
    # The type of the slide's record becomes unknown.
    lost = data.replace(b"\x0f\x00\xee\x03", b"\x0f\x00\xaa\x03")
    assert lost != data
    assert read(tmp_path, lost).pages[0].text == "Owls"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "Empty file"),
        (b"no presentation", "Damaged, or not a PowerPoint presentation"),
        (slides_bytes(BIRDS, mark=0xF3D1C4DF), "Password required"),
        (slides_bytes(BIRDS, session=7), "Password required"),
        (compound_bytes({"EncryptedPackage": b"x"}), "Password required"),
        (compound_bytes({"Other": b"x"}), "No slides in PowerPoint 97"),
        (
            compound_bytes({"PowerPoint Document": b"x", "PersistentStorage Directory": b"x"}),
            "No slides in PowerPoint 97",
        ),
        (compound_bytes({"PowerPoint Document": b"x" * 99}), "Damaged"),
        (
            compound_bytes({"PowerPoint Document": b"x" * 99, "Current User": bytes(20)}),
            "Damaged: the slides cannot be found",
        ),
        (slides_bytes(BIRDS)[:1200], "Damaged"),
    ],
)
def test_an_unreadable_file_has_a_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read(tmp_path, data)


def test_a_missing_file_has_a_reason(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="No longer exists"):
        ppt.read(tmp_path / "gone.ppt")
