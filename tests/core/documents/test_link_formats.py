"""The targets of links are read in each format, except in those that the guide names."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pptx
import pytest
import xlsxwriter
from pptx.util import Inches

from core.documents.formats import FORMATS, format_of, load_function
from tests.core.documents.mutations import packed
from tests.core.documents.office.book_files import book_bytes
from tests.core.documents.office.compound_files import compound_bytes
from tests.core.documents.office.records import biff, wide, workbook, xlsb
from tests.core.documents.office.slide_files import Shape, Slide, slides_bytes
from tests.core.documents.office.word_files import P, word_bytes

GUIDE = Path(__file__).parents[3] / "docs/guide/formats.md"
TARGET = "https://heron.example/a?id=7"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
HTML = f'<p>See <a href="{TARGET}">this</a>.</p>'
# Formats without links, whose targets are their text, or whose documents are those of others.
_WITHOUT = {
    *("text", "code", "table", "json", "subtitles", "picture", "film", "sound", "archive"),
    *("mailbox", "calendar", "contacts", "bibliography", "reference"),
}


def _relations(kind: str, target: str, mode: str = "") -> str:
    entry = f'<Relationship Id="r0" Type="{OFFICE}/{kind}" Target="{target}"{mode}/>'
    return f'<Relationships xmlns="{RELATIONS}">{entry}</Relationships>'


def _word() -> bytes:
    body = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    return packed(
        {
            "_rels/.rels": _relations("officeDocument", "word/document.xml"),
            "word/document.xml": f'<w:document xmlns:w="{body}"><w:body/></w:document>',
            "word/_rels/document.xml.rels": _relations(
                "hyperlink", TARGET, ' TargetMode="External"'
            ),
        }
    )


def _sheet() -> bytes:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream) as book:
        book.add_worksheet().write_url("A1", TARGET, string="this")
    return stream.getvalue()


def _binary_sheet() -> bytes:
    return packed(
        {
            "_rels/.rels": _relations("officeDocument", "xl/workbook.bin"),
            "xl/workbook.bin": xlsb(156, struct.pack("<II", 0, 1) + wide("r0") + wide("Nests")),
            "xl/_rels/workbook.bin.rels": _relations("worksheet", "s.bin"),
            "xl/s.bin": xlsb(129),
            "xl/_rels/s.bin.rels": _relations("hyperlink", TARGET, ' TargetMode="External"'),
        }
    )


def _old_sheet() -> bytes:
    moniker = bytes.fromhex("e0c9ea79f9bace118c8200aa004ba90b")
    address = (TARGET + "\0").encode("utf-16-le")
    name = "this\0".encode("utf-16-le")
    content = struct.pack("<8x16xII", 2, 0x01 | 0x02 | 0x10) + struct.pack("<I", 5) + name
    link = biff(0x01B8, content + moniker + struct.pack("<I", len(address)) + address)
    return compound_bytes({"Workbook": workbook([("Nests", link)])})


def _slides() -> bytes:
    talk = pptx.Presentation()
    slide = talk.slides.add_slide(talk.slide_layouts[6])
    frame = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1)).text_frame
    run = frame.paragraphs[0].add_run()
    run.text = "this"
    run.hyperlink.address = TARGET
    stream = io.BytesIO()
    talk.save(stream)
    return stream.getvalue()


def _open_document(kind: str) -> str:
    link = f'<text:p>See <text:a xlink:href="{TARGET}">this</text:a></text:p>'
    frame = f"<draw:frame><draw:text-box>{link}</draw:text-box></draw:frame>"
    inner = {
        "text": link,
        "spreadsheet": f'<table:table table:name="a"><table:table-row><table:table-cell>{link}'
        "</table:table-cell></table:table-row></table:table>",
        "presentation": f'<draw:page draw:name="a">{frame}</draw:page>',
        "drawing": f'<draw:page draw:name="a">{frame}</draw:page>',
    }[kind]
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{place}:1.0"'
        for name, place in {
            "office": "office",
            "text": "text",
            "table": "table",
            "draw": "drawing",
        }.items()
    )
    return (
        f'<office:document{names} xmlns:xlink="http://www.w3.org/1999/xlink"><office:body>'
        f"<office:{kind}>{inner}</office:{kind}></office:body></office:document>"
    )


def _book() -> bytes:
    names = "urn:oasis:names:tc:opendocument:xmlns:container"
    container = f'<container xmlns="{names}"><rootfile full-path="a.opf"/></container>'
    manifest = '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "a.opf": f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{manifest}</manifest>'
            '<spine><itemref idref="a"/></spine></package>',
            "a.xhtml": f"<html><body>{HTML}</body></html>",
        }
    )


def _mail() -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "Nests"
    mail.set_content(HTML, subtype="html")
    return mail.as_bytes()


def _saved_page() -> bytes:
    return b"MIME-Version: 1.0\nContent-Type: text/html\n\n" + HTML.encode()


def _pdf() -> str:
    link = f"<</Type/Annot/Subtype/Link/Rect[10 10 90 30]/A<</S/URI/URI({TARGET})>>>>"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[{link}]>>",
    ]
    body = "".join(f"{i} 0 obj\n{content}\nendobj\n" for i, content in enumerate(objects, 1))
    return f"%PDF-1.7\n{body}trailer<</Size 4/Root 1 0 R>>\n%%EOF\n"


NEST = "https://nest.example/"
RTF = r"{\rtf1{\field{\*\fldinst{%s}}{\fldrslt this}}}"
NOTEBOOK = (
    '{"cells": [{"cell_type": "markdown", "source": ["[this](%s)"]}],'
    ' "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
)
SAMPLES: dict[str, Callable[[], str | bytes]] = {
    ".html": lambda: HTML,
    ".mhtml": _saved_page,
    ".md": lambda: f"See [this]({TARGET}).",
    ".ipynb": lambda: NOTEBOOK % TARGET,
    ".rst": lambda: f"See `this <{TARGET}>`_.",
    ".adoc": lambda: f"See {TARGET}[this].",
    ".org": lambda: f"See [[{TARGET}][this]].",
    ".tex": lambda: f"See \\href{{{TARGET}}}{{this}}.",
    ".xml": lambda: f'<article><para>See <ulink url="{TARGET}">this</ulink>.</para></article>',
    ".fb2": lambda: (
        f'<FictionBook><p>See <a l:href="{TARGET}" xmlns:l="l">this</a>.</p></FictionBook>'
    ),
    ".docx": _word,
    ".doc": lambda: word_bytes([P(f'See \x13 HYPERLINK "{TARGET}" \x14this\x15.\r')]),
    ".rtf": lambda: (
        rf'{{\rtf1 See {{\field{{\*\fldinst{{HYPERLINK "{TARGET}"}}}}{{\fldrslt this}}}}.\par}}'
    ),
    ".xlsx": _sheet,
    ".xlsb": _binary_sheet,
    ".xls": _old_sheet,
    ".pptx": _slides,
    ".ppt": lambda: slides_bytes([Slide([Shape("this")])], link=TARGET),
    ".fodt": lambda: _open_document("text"),
    ".fods": lambda: _open_document("spreadsheet"),
    ".fodp": lambda: _open_document("presentation"),
    ".fodg": lambda: _open_document("drawing"),
    ".epub": _book,
    ".mobi": lambda: book_bytes(HTML),
    ".pdf": _pdf,
    ".eml": _mail,
}


def text_of(path: Path, content: str | bytes) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    kind = format_of(path)
    assert kind is not None
    return "\n\n".join(page.text for page in load_function(kind.reader)(path).pages)


@pytest.mark.parametrize("suffix", SAMPLES)
def test_the_target_of_a_link_is_read(tmp_path: Path, suffix: str) -> None:
    assert TARGET in text_of(tmp_path / f"nests{suffix}", SAMPLES[suffix]()).split("\n")


def test_the_guide_names_the_formats_whose_links_are_not_read() -> None:
    section = GUIDE.read_text("utf-8").partition("## Links")[2].partition("\n## ")[0]
    unread = set(re.findall(r"`(\.\w+)`", section))
    kinds = {format_of(Path(f"nests{suffix}")) for suffix in (*SAMPLES, *unread)}
    assert not unread & SAMPLES.keys()
    missing = {kind.key for kind in FORMATS if kind not in kinds} - _WITHOUT
    assert not missing


@pytest.mark.parametrize(
    ("name", "content", "targets"),
    [
        # reStructuredText: named and anonymous targets, pictures that are links
        ("a.rst", "See nest_.\n\n.. _nest: https://nest.example/\n   long\n", "https://nest.example/long"),
        ("a.rst", "See `the nest`__.\n\n__ https://nest.example/\n", NEST),
        ("a.rst", ".. image:: a.png\n   :alt: Nest\n   :target: https://nest.example/\n", NEST),
        ("a.rst", "See `nest <inner_>`_ and `part`_.\n\n.. _part: inner_\n.. _inner:\n", ""),
        # Org: files, and no headings or ids
        ("a.org", "See [[file:eggs.org::*Blue][eggs]].", "eggs.org"),
        ("a.org", "#+TITLE: [[https://nest.example/][Nests]]\n\nEggs.", NEST),
        ("a.org", "See [[*Eggs][eggs]], [[id:12][this]] and [[Eggs][that]].", ""),
        # AsciiDoc: documents, pictures, mail
        ("a.adoc", "See xref:eggs.adoc#blue[eggs] and <<blue,blue ones>>.", "eggs.adoc"),
        ("a.adoc", "image::a.png[Nest,link=https://nest.example/]", NEST),
        ("a.adoc", "Ask mailto:anna@nest.example[Anna,Nests].", "anna@nest.example"),
        # LaTeX: characters that elsewhere begin a comment or are escaped
        ("a.tex", "See \\href{https://nest.example/a%20b\\_c}{this} and more.", "https://nest.example/a%20b_c"),
        ("a.tex", "See \\href{run:eggs.pdf}{eggs}.", "run:eggs.pdf"),
        # Rich Text: WordPad's form without quotes, links in notes, no marks inside the document
        ("a.rtf", RTF % "HYPERLINK https://nest.example ", "https://nest.example"),
        ("a.rtf", r"{\rtf1 a{\footnote " + RTF % f'HYPERLINK "{NEST}"' + "}}", NEST),
        ("a.rtf", RTF % r'HYPERLINK \\l "eggs"', ""),
        # XML: a feed, an outline
        ("a.rss", f"<rss><channel><item><link>{NEST}</link></item></channel></rss>", NEST),
        ("a.opml", f'<opml><body><outline text="A" xmlUrl="{NEST}"/></body></opml>', NEST),
    ],
)  # fmt: skip
def test_forms_of_links(tmp_path: Path, name: str, content: str, targets: str) -> None:
    lines = text_of(tmp_path / name, content).split("\n")
    text = "\n".join(lines)
    if targets:
        assert lines[-1] == targets
    else:
        assert not re.search(r"https?:|^inner|^Eggs$|^eggs$", text, re.MULTILINE)


def test_an_address_in_latex_is_printed_as_it_is(tmp_path: Path) -> None:
    content = "See \\url{https://nest.example/~anna/a--b_c%20d#e}.\n% a comment\nMore."
    assert text_of(tmp_path / "a.tex", content) == (
        "See https://nest.example/~anna/a--b_c%20d#e. More."
    )


def test_the_path_of_a_file_that_an_old_sheet_links_to(tmp_path: Path) -> None:
    moniker = bytes.fromhex("0303000000000000c000000000000046")
    path = "Eier 2024.xls".encode("utf-16-le")
    content = struct.pack("<8x16xII", 2, 0x01) + moniker + struct.pack("<HI", 0, 9) + b"EIER.XLS\0"
    content += struct.pack("<24xIIH", len(path) + 6, len(path), 3) + path
    data = compound_bytes({"Workbook": workbook([("Nests", biff(0x01B8, content))])})
    assert text_of(tmp_path / "a.xls", data) == "Nests\n\nEier2024.xls"
