from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.office import rtf
from core.errors import DocumentError
from tests.core.documents.mutations import mutations, read_all


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Document]:
    def read_source(source: str | bytes, head: str = r"\ansi\ansicpg1252") -> Document:
        data = source if isinstance(source, bytes) else source.encode("latin-1")
        path = tmp_path / "letter.rtf"
        path.write_bytes(rb"{\rtf1" + head.encode() + b" " + data + b"}")
        return rtf.read(path)

    return read_source


def _text_of(document: Document) -> str:
    (page,) = document.pages
    return page.text


_FONTS = (
    r"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr{\*\falt x};}{\f2\fcharset2 Symbol;}"
    r"{\f3\fcharset128 MS Mincho;}{\f4\cpg1253 Greek;}}"
)
_STYLES = (
    r"{\stylesheet{\ql Normal;}{\s1\outlinelevel0 \'dcberschrift 1;}{\s2 heading 2;}{\s3 Title;}"
    r"{\*\cs10 Default;}}"
)


def test_paragraphs_and_headings_come_in_order(read) -> None:
    document = read(
        _FONTS + _STYLES + r"{\info{\subject x}}"
        r"\pard\s3 The Bird Book\par\pard\s1 Crows\par\pard They are {\b cle}ver.\line Yes\tab they"
        "\r\n are.\\par\n"
        r"\pard\plain\s2{Calls}\par\pard\outlinelevel2 Loud\par\pard\'93Kraa\'94\emdash\~loud"
        r"\_ly\-, \{so\}\\\par"
    )
    assert document.title == "The Bird Book"
    assert _text_of(document) == (
        "The Bird Book\n\nCrows\n\nThey are clever.\nYes\tthey are.\n\nCalls\n\nLoud\n\n"
        "“Kraa”— loud-ly, {so}\\"
        "\n\nx"
    )
    assert [(h.level, h.text) for h in document.pages[0].headings] == [
        (1, "The Bird Book"),
        (1, "Crows"),
        (2, "Calls"),
        (3, "Loud"),
    ]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\f1 \'c2\'ee\'f0\'ee\'ed\'fb\f0  \'e9t\'e9", "Вороны été"),
        (r"\f3 \'8d\'df{\f4\'ef}", "罪ο"),
        (r"\f2 \'b7 x", "• \uf078"),
        (r"\u1042\'c2\u1086?x", "Воx"),
        (r"\uc0\u1042\u1086 x\uc2\u1086\'aa\'bby", "Воxоy"),
        (r"\u-10179?\u-8870?", "🕚"),
        (r"\u-10179?!", "\ufffd!"),
        (r"{\upr{old}{\*\ud{n\u1077?w}}}", "nеw"),
        (r"\u1042{\'c2}", "ВÂ"),
    ],
)
def test_characters_are_those_of_their_fonts_and_numbers(read, source: str, text: str) -> None:
    assert _text_of(read(_FONTS + source)) == text


@pytest.mark.parametrize(
    ("head", "data", "text"),
    [
        (r"\ansi\ansicpg1251", r"\'c2\'ee", "Во"),
        (r"\mac", r"\'8e", "é"),
        (r"\pc", r"\'82", "é"),
        (r"\ansi\ansicpg99999", r"\'e9", "é"),
        (r"\ansi\ansicpg932" + _FONTS, r"\f0\'e9\'92", "é’"),
    ],
)
def test_without_a_font_charset_the_file_determines_the_encoding(
    read, head: str, data: str, text: str
) -> None:
    assert _text_of(read(data, head)) == text


def test_tables_read_row_by_row(read) -> None:
    row = r"\trowd\cellx100\cellx200\pard\intbl "
    text = _text_of(
        read(
            row + r"bird\cell eggs\cell\row"
            + row + r"crow\par rook\cell{\nestcell}4\nestcell or 5\cell\row"
            r"\pard after\par" + row + r"alone\cell\cell\row"
        )
    )  # fmt: skip
    assert text == "bird | eggs\ncrow rook | 4 or 5\n\nafter\n\nalone"


def test_lists_stay_together_without_their_bullets(read) -> None:
    text = _text_of(
        read(
            r"See:\par{\listtext\'b7\tab}\pard\ls1 one\par{\listtext\'b7\tab}two\par"
            r"\pard after\par\pard{\pntext 1.\tab}{\*\pn\pnlvlbody}three\par"
            r"{\pntext 2.\tab}four\par"
        )
    )
    assert text == "See:\n\none\ntwo\n\nafter\n\nthree\nfour"


def test_notes_comments_headers_and_boxes_have_their_places(read) -> None:
    document = read(
        r"{\header Bird Report\par}{\headerf Bird Report}"
        r"{\footer Page {\field{\*\fldinst PAGE}{\fldrslt 7}}}"
        r"Crows{\super\chftn{\footnote\pard\plain And rooks.}} are"
        r"{\*\atnid A}{\*\atnauthor Ann}{\*\annotation Says who?} clever"
        r"{\shp{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt In a box.\par}}{\shprslt In a box.}}.\par"
        r'{\field{\*\fldinst HYPERLINK "x"}{\fldrslt a link}}\par'
    )
    assert _text_of(document).split("\n\n") == [
        *("Crows are clever.", "In a box.", "a link", "And rooks.", "Says who?"),
        *("Bird Report", "Page 7", "x"),
    ]


def test_hidden_text_is_not_read(read) -> None:
    text = _text_of(
        read(
            rb"{\*\generator x}{\colortbl;\red0;}{\pict\pngblip 89504e47}{\*\unknown{x}y}"
            rb"{\pict\wmetafile8\bin5 }}{}{}a{\v hidden}{\v hidden\v0  shown}{\deleted gone} b"
            rb"{\xe index}{\object{\*\objdata 01}{\result c}}\bin3 }}}"
            rb"{\mmath{\*\moMath{\mfPr{\mctrlPr}\mtype}{\mr x}}}"
        )
    )
    assert text == "a shown bcx"


def test_title_author_and_date_are_those_of_the_information(read) -> None:
    content = (
        r"{\info{\title All {\b About} Crows}{\author Ann R\'f6ok}{\operator Bob}"
        r"{\creatim\yr2023\mo1\dy2}{\revtim\yr2024\mo6\dy30\hr12\min5}{\company X}}text"
    )
    document = read(content)
    assert document.title == "All About Crows"
    assert (document.author, document.date) == ("Ann Röok", "2024-06-30T12:05:00")
    assert _text_of(document) == "text"
    none = read(r"{\info{\creatim\yr0\mo0\dy0}}text")
    assert (none.title, none.author, none.date) == ("", "", "")


def test_text_after_the_end_is_ignored_and_an_end_may_be_missing(tmp_path: Path) -> None:
    path = tmp_path / "x.rtf"
    path.write_bytes(b" \r\n{\\rtf1 one}{two}")
    assert _text_of(rtf.read(path)) == "one"
    path.write_bytes(rb"{\rtf1{\b one {\info{\title T}}\trowd two\cell thr")
    assert _text_of(rtf.read(path)) == "one two | thr"


def test_pictures_of_any_size_are_passed_over(read) -> None:
    assert _text_of(read(r"a{\pict " + "ab01" * 5_000_000 + "}b")) == "ab"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "^Damaged: the file is empty$"),
        (b"hello", r"^Damaged: not an RTF file$"),
        (b"{\\rtf1" + b"{" * 3_000, "^Damaged: groups are nested too deeply$"),
    ],
)
def test_an_unreadable_file_has_a_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "x.rtf"
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=reason):
        rtf.read(path)


def test_damage_of_any_kind_leaves_a_document_or_a_reason(tmp_path: Path) -> None:
    source = (
        r"{\rtf1\ansi\ansicpg1251\deff0" + _FONTS + _STYLES + r"{\info{\title Crows}{\author Ann}"
        r"{\revtim\yr2024\mo6\dy30}}{\header h}\pard\s2 Crows\par\pard\ls1 one{\footnote note}\par"
        r"\trowd\intbl a\cell\u1042?b\cell\row\pard{\upr{x}{\*\ud{y}}}\u-10179?\u-8870?"
        r"\f1\'c2\bin2 xx"
        r"{\shp{\*\shpinst{\shptxt box\par}}}{\pict 00}\par}"
    )
    count, _ = read_all(rtf.read, tmp_path / "damaged.rtf", mutations(source.encode()))
    assert count


@pytest.mark.parametrize(
    "picture",
    [
        r"{\*\shppict{\pict{\*\picprop{\sp{\sn wzDescription}{\sv %s}}}\pngblip 00ff}}",
        r"{\shp{\*\shpinst{\sp{\sn shapeType}{\sv 75}}{\sp{\sn wzDescription}{\sv %s}}}}",
    ],
)
def test_alternative_text_follows_the_paragraph_it_is_in(read, picture: str) -> None:
    content = picture % r"A cr\u246?w, \'e9tude"
    named = picture % "crow.png"
    document = read(rf"{{\rtf1\ansi Here{content}{named} it is\par End}}")
    assert _text_of(document) == "Here it is\n\nA cröw, étude\n\nEnd"
