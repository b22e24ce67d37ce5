from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.document import Document, Heading
from core.documents.office import epub
from core.errors import DocumentError
from tests.core.documents.mutations import package_mutations, packed, read_all

_CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
)
_CHAPTER = (
    '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">'
    '<head><title/><script src="x.js"/></head><body><h2><a id="c"/>{0}</h2><p>Text&nbsp;of {0}.</p>'
    "</body></html>"
)
_METADATA = (
    "<dc:title>The Bird Book</dc:title>"
    '<dc:creator id="a" opf:role="aut">Ann Rook</dc:creator><dc:creator>Bob Crow</dc:creator>'
    '<dc:creator id="i">Eve Owl</dc:creator><meta refines="#i" property="role">ill</meta>'
    '<dc:date>1999-05-06</dc:date><dc:date opf:event="modification">2023-01-02</dc:date>'
)


def _members(
    chapters: dict[str, str], metadata: str = "", spine: str = "", items: str = ""
) -> dict[str, str]:
    listed = "".join(
        f'<item id="i{number}" href="{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(chapters)
    )
    references = spine or "".join(f'<itemref idref="i{n}"/>' for n in range(len(chapters)))
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"'
        f' xmlns:opf="http://www.idpf.org/2007/opf"><metadata>{metadata}</metadata>'
        f"<manifest>{listed}{items}</manifest><spine>{references}</spine></package>"
    )
    return {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "OPS/book.opf": opf,
        **{f"OPS/{name}".replace("%20", " "): text for name, text in chapters.items()},
    }


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Document]:
    def read_members(members: dict[str, str]) -> Document:
        path = tmp_path / "book.epub"
        path.write_bytes(packed(members))
        return epub.read(path)

    return read_members


def test_each_chapter_is_a_page_in_the_order_of_the_spine(read) -> None:
    chapters = {"text/two%20b.xhtml": _CHAPTER.format("Two"), "one.xhtml": _CHAPTER.format("One")}
    spine = (
        '<itemref idref="i1"/><itemref idref="cover"/><itemref idref="i0"/><itemref idref="no"/>'
    )
    cover = '<item id="cover" href="cover.svg" media-type="image/svg+xml"/>'
    document = read(_members(chapters, _METADATA, spine, cover))
    assert (document.title, document.author) == ("The Bird Book", "Ann Rook; Bob Crow")
    assert document.date == "2023-01-02"
    assert [(page.number, page.text) for page in document.pages] == [
        (1, "One\n\nText of One."),
        (2, ""),
        (3, "Two\n\nText of Two."),
        (4, ""),
    ]
    assert document.pages[0].headings == (Heading(0, 2, "One"),)


def test_the_last_change_is_the_date(read) -> None:
    metadata = f'{_METADATA}<meta property="dcterms:modified">2024-06-30T12:05:00Z</meta>'
    assert read(_members({"a.xhtml": ""}, metadata)).date == "2024-06-30T12:05:00+00:00"
    only = "<dc:date>1999</dc:date>"
    assert read(_members({"a.xhtml": ""}, only)).date == ""


def _encrypted(*names: str) -> str:
    entries = "".join(
        '<EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#"><CipherData>'
        f'<CipherReference URI="{name}"/></CipherData></EncryptedData>'
        for name in names
    )
    namespace = "urn:oasis:names:tc:opendocument:xmlns:container"
    return f'<encryption xmlns="{namespace}">{entries}</encryption>'


def test_a_locked_book_is_called_so_and_one_with_scrambled_fonts_is_read(read) -> None:
    members = _members({"a%20b.xhtml": _CHAPTER.format("One")})
    fonts = {**members, "META-INF/encryption.xml": _encrypted("OPS/font.otf")}
    assert read(fonts).pages[0].text == "One\n\nText of One."
    locked = {**members, "META-INF/encryption.xml": _encrypted("OPS/a%20b.xhtml")}
    with pytest.raises(DocumentError, match=r"^Copy-protected \(DRM\)$"):
        read(locked)


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"a": "b"}, "^Not an e-book despite its name$"),
        ({"META-INF/container.xml": "<a/>"}, "^Damaged: a part is missing$"),
        ({"META-INF/container.xml": _CONTAINER}, "^Damaged: a part is missing$"),
        (
            {"META-INF/container.xml": _CONTAINER, "OPS/book.opf": "<a"},
            "^Damaged: a part is not well-formed$",
        ),
    ],
)
def test_an_invalid_book_has_a_reason(read, members: dict[str, str], reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        read(members)


def test_damage_of_any_kind_has_a_reason(tmp_path: Path) -> None:
    chapters = {f"{n}.xhtml": _CHAPTER.format(n) for n in range(3)}
    members = _members(chapters, _METADATA)
    members["META-INF/encryption.xml"] = _encrypted("OPS/font.otf")
    path = tmp_path / "damaged.epub"
    count, reasons = read_all(epub.read, path, package_mutations(packed(members)))
    assert count
    assert reasons
