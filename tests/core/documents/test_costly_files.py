"""Small files that are made to take minutes: each is read in a moment, or refused.

The reader ends what takes a minute. Each of these took longer.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.mail import mime
from core.documents.mail.message import read as read_mail
from core.documents.reader import Reader
from core.documents.text_formats import html, markdown
from core.documents.text_formats.html import _tamed
from core.documents.text_formats.json import read_notebook
from core.errors import DocumentError
from tests.core.documents.mail.wrapped_files import tnef

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"

Read = Callable[[str, str | bytes], Document]


@pytest.fixture
def read(reader: Reader, tmp_path: Path) -> Read:
    def write_and_read(name: str, content: str | bytes) -> Document:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return reader.read(path)

    return write_and_read


def _text(document: Document) -> str:
    return document.pages[0].text


# Web pages

_PAGES = {
    "elements in each other": "<div>" * 200_000 + "Crows",
    "attributes": "<p " + " ".join(f"a{n}=1" for n in range(300_000)) + ">Crows",
    "tables in each other": "<p><table><td>" * 30_000 + "Crows",
    "ends of what is open": "<div>" * 100_000 + "</p>" * 100_000 + "Crows",
    "ends of nothing": "<div>" * 200_000 + "</foo>" * 200_000 + "Crows",
    "lists": "<ul><li>" * 100_000 + "Crows",
    "spans that a block keeps open": "<span><div></span>" * 100_000 + "Crows",
    "blocks in what is bold": "".join(f"<b id={n}>" for n in range(20_000)) + "<p>Crows" * 20_000,
}


@pytest.mark.parametrize("kind", _PAGES)
def test_web_pages_that_nest_without_end_are_read(kind: str, read: Read) -> None:
    assert _text(read("a.html", _PAGES[kind])).endswith("Crows")


def test_content_nested_too_deeply_is_read_as_if_less_deep(read: Read) -> None:
    deep = "<div>a<b>b</b>c" * 5_000 + "<p>Crows</p>" + "</div>" * 5_000 + "<h1>Birds</h1>"
    page = read("a.html", deep).pages[0]
    assert "abc\n\nabc" in page.text
    assert page.text.count("abc") == 5_000
    assert [heading.text for heading in page.headings] == ["Birds"]


def test_long_pages_that_forget_ends_keep_their_structure() -> None:
    rows = "<table>" + "<tr><td><div>Crow<td><b>clever" * 3_000 + "</table>"
    lists = "<ul>" + "<li><div>Owl" * 3_000 + "</ul>"
    markup = rows + lists + "<p><a href=x>Swift"
    assert _tamed(markup) == markup
    assert "Crow | clever\nCrow | clever" in _text(html.document_of(markup))


def test_tags_in_comments_and_scripts_are_none() -> None:
    markup = "<!-- " + "<div>" * 9_000 + " --><script>" + "<div>" * 9_000 + "</script><p>Crows"
    assert _tamed(markup) == markup


# Markdown


@pytest.mark.slow
def test_a_table_of_very_many_cells_is_read(read: Read) -> None:
    rule, row = "|" + "-|" * 400, "|" + "*a*|b\\|c|" * 200
    source = f"# Birds\n\n|{'a|' * 400}\n{rule}\n" + f"{row}\n" * 2_500 + "\nCrows"
    lines = _text(read("a.md", source)).split("\n")
    assert lines[2] == " | ".join("a" * 400)
    assert lines[3] == lines[2_502] == " | ".join(["a", "b|c"] * 200)
    assert lines[-1] == "Crows"


def test_short_rows_of_a_wide_table_stand_for_themselves(read: Read) -> None:
    source = f"|{'a|' * 20_000}\n|{'-|' * 20_000}\n" + "|x|\n" * 20_000
    assert _text(read("a.md", source)).endswith("x\nx")


@pytest.mark.parametrize("marks", ["![", "[](", "*a**b", "[a]("])
def test_marks_that_never_end_are_left_standing(marks: str, read: Read) -> None:
    assert _text(read("a.md", marks * 100_000)).startswith(marks)


def test_very_many_definitions_of_links_are_read(read: Read) -> None:
    definitions = "".join(f"[a{n}]: https://example.org/{n}\n" for n in range(50_000))
    text = _text(read("a.md", f"See [crows][a49999] and [a7].\n\n{definitions}"))
    assert text.startswith("See crows and a7.\n\n[a0]: https://example.org/0\n")
    assert text.endswith("\n[a49999]: https://example.org/49999")


def test_definitions_of_links_are_what_they_were(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        "[Ä b]: <x y>\n[c]: z 'a title'\n[d]: z\n'its title'\n[c]: other\n\n"
        "[e]: z more\n\n[ä B] [c] [d] [e] [f]\n\n> [f]: q\n"
    )
    assert _text(markdown.read(path)) == (
        "[Ä b]: <x y>\n[c]: z 'a title'\n[d]: z\n'its title'\n[c]: other\n\n[e]: z more\n\n"
        "ä B c d [e] f\n\n[f]: q\n\nx%20y"
    )


# reStructuredText

_RST = {
    "definitions": "crow\n  a bird\n" * 100_000,
    "a grid of many columns": "+-" * 100_000 + "+\n" + "|crow\n" * 200_000,
    "a cell of many lines": "+--------+\n" + "| crow  x|\n" * 200_000 + "+--------+",
    "a table of many columns": "= " * 100_000 + "=\n" + "crow\n" * 200_000 + "= " * 100_000 + "=",
    "a row of many lines": "=====  ====\ncrow   a\n" + "       b\n" * 300_000 + "=====  ====\n",
}


@pytest.mark.parametrize("kind", _RST)
def test_blocks_of_very_many_lines_are_read(kind: str, read: Read) -> None:
    assert "crow" in _text(read("a.rst", _RST[kind]))


# Subtitles, XML, notebooks


def test_voices_that_never_end_are_left_standing(read: Read) -> None:
    cue = "WEBVTT\n\n00:01.000 --> 00:02.000\n"
    assert "Crows" in _text(read("a.vtt", cue + "<v a" * 400_000 + " Crows"))


def test_very_many_elements_deep_inside_others_are_read(read: Read) -> None:
    inner = f"{'<b/>' * 200_000}<pre>Crows</pre>"
    markup = f"<article>{'<p>x' * 190}{inner}{'</p>' * 190}</article>"
    assert _text(read("a.xml", markup)).endswith("Crows")


def test_default_attributes_of_each_element_are_accepted(read: Read) -> None:
    declared = "".join(f"<!ATTLIST b b{n} CDATA 'x'>" for n in range(20_000))
    markup = f"<!DOCTYPE a [{declared}]><a>{'<b>Crow</b>' * 50_000}</a>"
    assert "Crow" in _text(read("a.xml", markup))


def test_a_notebook_of_very_many_cells_has_one_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from markdown_it import MarkdownIt

    created: list[str] = []
    make = MarkdownIt.__init__

    def noted(self: MarkdownIt, *arguments: str) -> None:
        created.append("")
        make(self, *arguments)

    monkeypatch.setattr(MarkdownIt, "__init__", noted)
    cells = [{"cell_type": "markdown", "source": "*Crows*", "metadata": {}}] * 50
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(book))
    assert _text(read_notebook(path)).count("Crows") == 50
    assert len(created) <= 1


# Mail

_HEADERS = {
    "what a part is": "Content-Type: text/plain" + "".join(f"; a{n}=b" for n in range(200_000)),
    "a name in pieces": "Content-Type: text/plain"
    + "".join(f";\n name*{n}=A" for n in range(100_000)),
    "an attachment's name": "Content-Disposition: inline"
    + "".join(f";\n filename*{n}*=%41" for n in range(100_000)),
    "nothing": "Content-Type: text/plain" + ";" * 500_000,
    "quotation marks": 'Content-Type: text/plain; a="' + ';"' * 300_000,
}


@pytest.mark.parametrize("kind", _HEADERS)
def test_endless_mail_part_headers_are_cut(kind: str, read: Read) -> None:
    text = _text(read("a.eml", f"From: anna@example.org\n{_HEADERS[kind]}\n\nCrows"))
    assert text.startswith("From: anna@example.org")


@pytest.mark.parametrize("name", ["=?x-unknown?Q?J=FCrgen_Kr=E4he?=", "J\udcfcrgen Kr\udce4he"])
def test_names_in_no_known_charset_are_guessed_at_together(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guessed: list[bytes] = []
    decode = mime.decode

    def noted(data: bytes) -> str:
        guessed.append(data)
        return decode(data)

    monkeypatch.setattr(mime, "decode", noted)
    mail = "From: a@example.org\nTo: " + ",\n ".join([f"{name} <j@example.org>"] * 5_000) + "\n\nx"
    path = tmp_path / "a.eml"
    path.write_bytes(mail.encode(errors="surrogateescape"))
    assert _text(read_mail(path)).count("Jürgen Krähe <j@example.org>") == 5_000
    assert sum(b"\xfc" in one for one in guessed) <= 4


def test_a_paragraph_of_very_many_lines_is_joined(read: Read) -> None:
    head = "From: a@example.org\nContent-Type: text/plain; format=flowed\n\n"
    assert _text(read("a.eml", head + "crow \n" * 2_000_000)).count("crow") == 2_000_000


def test_a_winmail_dat_of_very_many_attributes_is_read(read: Read) -> None:
    attributes = tnef((0x8004, b"Birds"), *[(0, b"")] * 1_000_000)
    assert read("winmail.dat", attributes).title == "Birds"


# Calendars and contacts

_EVENT, _PERSON = "BEGIN:VEVENT\nSUMMARY:Crows\n", "BEGIN:VCARD\nFN:Crows\n"
_LINES = {
    "events that never end": ("a.ics", _EVENT * 200_000),
    "ends of nothing": ("a.ics", _EVENT + "BEGIN:A\n" * 200_000 + "END:B\n" * 200_000),
    "people who never end": ("a.vcf", _PERSON * 200_000),
    "people in components": ("a.vcf", "BEGIN:A\n" * 200_000 + _PERSON * 50_000),
    "lines that go on": ("a.vcf", f"{_PERSON}N{'a' * 500_000}\n" + " =\n" * 200_000),
}


@pytest.mark.parametrize("kind", _LINES)
def test_components_that_never_end_are_read(kind: str, read: Read) -> None:
    name, source = _LINES[kind]
    assert "Crows" in _text(read(name, source))


# LaTeX


def test_arguments_of_macros_that_never_end_are_read(read: Read) -> None:
    source = "\\newcommand{\\a}[1]{x#1}" + "\\a{" * 500_000 + "Crows"
    assert _text(read("a.tex", source)).endswith("Crows")


# Words and raised runs


def test_very_many_raised_runs_in_a_paragraph_are_read(read: Read) -> None:
    text = _text(read("a.html", "<p>" + "Am 1<sup>2</sup> " * 60_000))
    assert text.startswith("Am 12 Am 12")


@pytest.mark.parametrize("line", ["ACGT" * 75_000 + " 5 bp-", "ACGT" * 75_000 + "; docu-"])
def test_a_split_word_after_a_very_long_one_is_read(line: str, read: Read) -> None:
    assert _text(read("a.txt", f"{line}\nments")).startswith("ACGT")


# Packages


def test_a_part_that_expands_to_very_many_is_refused(read: Read, tmp_path: Path) -> None:
    sheets = "".join('<itemref idref="a"/>' for _ in range(10_000))
    parts = {
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:'
        'container"><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>',
        "c.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="a"'
        f' href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>{sheets}</spine>'
        "</package>",
        "a.xhtml": "<html><body>" + "<p>Crows</p>" * 2_000 + "</body></html>",
    }
    with zipfile.ZipFile(tmp_path / "made", "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    with pytest.raises(DocumentError, match=r"^Unpacks to far more data than a document$"):
        read("a.epub", (tmp_path / "made").read_bytes())


# Word


def test_styles_that_are_based_on_each_other_without_end(read: Read, tmp_path: Path) -> None:
    count = 100_000
    styles = "".join(
        f'<w:style w:styleId="s{n}"><w:name w:val="s{n}"/><w:basedOn w:val="s{n + 1}"/></w:style>'
        for n in range(count)
    )
    last = f'<w:style w:styleId="s{count}"><w:name w:val="heading 2"/></w:style>'
    types = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Override '
        f'PartName="/d.xml" ContentType="{types}.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="a" '
        f'Type="{_OFFICE}/officeDocument" Target="d.xml"/></Relationships>',
        "_rels/d.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship '
        f'Id="a" Type="{_OFFICE}/styles" Target="s.xml"/></Relationships>',
        "s.xml": f'<w:styles xmlns:w="{_WORD}">{styles}{last}</w:styles>',
        "d.xml": f'<w:document xmlns:w="{_WORD}"><w:body><w:p><w:pPr><w:pStyle w:val="s0"/>'
        "</w:pPr><w:r><w:t>Crows</w:t></w:r></w:p></w:body></w:document>",
    }
    with zipfile.ZipFile(tmp_path / "made.docx", "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, content)
    document = read("a.docx", (tmp_path / "made.docx").read_bytes())
    assert [(one.level, one.text) for one in document.pages[0].headings] == [(2, "Crows")]
