"""Note marks and exponents are read alike in all formats."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from pathlib import Path

import docx as python_docx
import pptx as python_pptx
import pytest
import xlsxwriter
from docx.enum.style import WD_STYLE_TYPE
from pptx.util import Inches

from core.documents.formats import format_of, load_function
from core.documents.superscripts import is_note_mark, marked
from core.documents.text import normalise
from tests.core.documents.mutations import packed
from tests.core.documents.office.slide_files import Shape, Slide, slides_bytes, styles_of
from tests.core.documents.office.word_files import P, word6_bytes, word_bytes

# Runs of a text, of which every second one is raised, and how the text is read.
TEXTS = [
    (
        ("Le dromadaire", "7", " et Montesquieu", "8, 9", "."),
        "Le dromadaire 7 et Montesquieu 8, 9.",
    ),
    (("An area of 40 km", "2", " or 10", "6", " m", "2", "."), "An area of 40 km2 or 106 m2."),
    (("On the 21", "st", " of May 1987", "4", ", he"), "On the 21st of May 1987 4, he"),
    (("Przypis", "[12]", " i woda", "*", "."), "Przypis [12] i woda*."),
]
CYRILLIC = (("Самовар", "15", " стоит на 5 м", "2", "."), "Самовар 15 стоит на 5 м2.")
texts = pytest.mark.parametrize(("runs", "expected"), [*TEXTS, CYRILLIC])


def _read(path: Path, data: bytes | str) -> str:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return _text_of(path)


def _text_of(path: Path) -> str:
    found = format_of(path)
    assert found is not None
    document = load_function(found.reader)(path)
    return "\n".join(page.text for page in document.pages)


def _join(runs: tuple[str, ...], raise_: Callable[[str], str]) -> str:
    return "".join(raise_(run) if number % 2 else run for number, run in enumerate(runs))


@texts
@pytest.mark.parametrize(
    "markup",
    [
        "<sup>{}</sup>",
        "<span style='vertical-align: super; font-size: 70%'>{}</span>",
        "<a class='footnote-ref' href='#n'>{}</a>",
        "<sup><a href='#n'>{}</a></sup>",
    ],
)
def test_html(tmp_path: Path, markup: str, runs, expected: str) -> None:
    body = _join(runs, markup.format)
    assert _read(tmp_path / "a.html", f"<meta charset=utf-8><p>{body}</p>") == expected


@texts
def test_word(tmp_path: Path, runs, expected: str) -> None:
    word = python_docx.Document()
    style = word.styles.add_style("Fussnotenzeichen", WD_STYLE_TYPE.CHARACTER)
    style.font.superscript = True
    direct, by_style = word.add_paragraph(), word.add_paragraph()
    for number, run in enumerate(runs):
        direct.add_run(run).font.superscript = True if number % 2 else None
        by_style.add_run(run, "Fussnotenzeichen" if number % 2 else None)
    word.save(str(tmp_path / "a.docx"))
    assert _text_of(tmp_path / "a.docx") == f"{expected}\n\n{expected}"


@texts
def test_slides(tmp_path: Path, runs, expected: str) -> None:
    talk = python_pptx.Presentation()
    slide = talk.slides.add_slide(talk.slide_layouts[6])
    box = slide.shapes.add_textbox(*[Inches(1)] * 4)
    for number, text in enumerate(runs):
        run = box.text_frame.paragraphs[0].add_run()
        run.text = text
        if number % 2:
            run.font._element.set("baseline", "30000")
    talk.save(str(tmp_path / "a.pptx"))
    assert _text_of(tmp_path / "a.pptx") == expected


@texts
@pytest.mark.parametrize("is_in_outline", [False, True])
def test_old_slides(tmp_path: Path, *, is_in_outline: bool, runs, expected: str) -> None:
    styles = styles_of(*((run, 30 * (number % 2)) for number, run in enumerate(runs)))
    shape = Shape("".join(runs), is_in_outline=is_in_outline, styles=styles)
    assert _read(tmp_path / "a.ppt", slides_bytes([Slide([shape])])) == expected


def test_truncated_styles_of_old_slides_lose_no_text(tmp_path: Path) -> None:
    styles = styles_of(("Kamel", 0), ("5", 30), (" kommt", 0))
    for size in range(len(styles)):
        shape = Shape("Kamel5 kommt", styles=styles[:size])
        text = _read(tmp_path / "a.ppt", slides_bytes([Slide([shape])]))
        assert text.replace("Kamel 5", "Kamel5") == "Kamel5 kommt"


def _runs_of(runs: tuple[str, ...], properties: bytes) -> tuple[tuple[int, int, bytes], ...]:
    found, at = [], 0
    for number, run in enumerate(runs):
        if number % 2:
            found.append((at, at + len(run), properties))
        at += len(run)
    return tuple(found)


@texts
@pytest.mark.parametrize(
    "properties", [struct.pack("<HB", 0x2A48, 1), struct.pack("<Hh", 0x4845, 8)]
)
def test_old_word(tmp_path: Path, properties: bytes, runs, expected: str) -> None:
    paragraph = P("".join(runs) + "\r", runs=_runs_of(runs, properties))
    assert _read(tmp_path / "a.doc", word_bytes([paragraph], is_wide=True)) == expected


@texts
def test_word_6(tmp_path: Path, runs, expected: str) -> None:
    paragraph = P("".join(runs) + "\r", runs=_runs_of(runs, bytes([104, 1])))
    data = word6_bytes([paragraph], encoding="cp1251", language=0x0419)
    assert _read(tmp_path / "a.doc", data) == expected


def test_lowered_characters_of_old_word_belong_to_their_word(tmp_path: Path) -> None:
    for properties in (struct.pack("<HB", 0x2A48, 2), struct.pack("<Hh", 0x4845, -6)):
        paragraph = P("Ammoniak4 und H2O\r", runs=((8, 9, properties), (15, 16, properties)))
        assert _read(tmp_path / "a.doc", word_bytes([paragraph])) == "Ammoniak4 und H2O"


_ODF = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{prefix}:1.0"'
    for prefix in ("office", "text", "style")
)


@texts
@pytest.mark.parametrize("position", ["super 58%", "33% 58%"])
def test_open_document(tmp_path: Path, position: str, runs, expected: str) -> None:
    body = _join(runs, '<text:span text:style-name="T1">{}</text:span>'.format)
    content = (
        f"<office:document-content {_ODF}><office:automatic-styles>"
        '<style:style style:name="T1" style:family="text">'
        f'<style:text-properties style:text-position="{position}"/></style:style>'
        "</office:automatic-styles><office:body><office:text>"
        f"<text:p>{body}</text:p></office:text></office:body></office:document-content>"
    )
    data = packed({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})
    assert _read(tmp_path / "a.odt", data) == expected


@texts
@pytest.mark.parametrize(
    "markup", ["{{\\super {}}}", "{{\\up6\\fs14 {}}}", "\\super {}\\nosupersub "]
)
def test_rtf(tmp_path: Path, markup: str, runs, expected: str) -> None:
    body = _join(runs, markup.format)
    escaped = "".join(c if c.isascii() else f"\\u{ord(c)}?" for c in body)
    assert _read(tmp_path / "a.rtf", f"{{\\rtf1\\ansi {escaped}\\par}}") == expected


@texts
@pytest.mark.parametrize("markup", ["\\textsuperscript{{{}}}", "$^{{{}}}$"])
def test_latex(tmp_path: Path, markup: str, runs, expected: str) -> None:
    assert _read(tmp_path / "a.tex", _join(runs, markup.format)) == expected


@texts
def test_markdown(tmp_path: Path, runs, expected: str) -> None:
    assert _read(tmp_path / "a.md", _join(runs, "<sup>{}</sup>".format)) == expected
    # Pandoc's marks enclose no spaces, and a bracket begins a note.
    if all(" " not in run and "[" not in run for run in runs[1::2]):
        assert _read(tmp_path / "b.md", _join(runs, "^{}^".format)) == expected


@texts
def test_sheets(tmp_path: Path, runs, expected: str) -> None:
    workbook = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
    raised = workbook.add_format({"font_script": 1})
    parts = [part for n, run in enumerate(runs) for part in ([raised, run] if n % 2 else [run])]
    workbook.add_worksheet("S").write_rich_string(0, 0, *parts)
    workbook.close()
    assert _text_of(tmp_path / "a.xlsx").split("\n")[-1] == expected


def _pdf_lines(runs: tuple[str, ...], x: float, y: float) -> list[tuple[float, float, float, str]]:
    """Return the runs as lines of a page; the widths of Helvetica's letters are about these."""
    lines = []
    for number, run in enumerate(runs):
        size = 7.0 if number % 2 else 11.0
        lines.append((x, y + (4 if number % 2 else 0), size, run))
        x += sum(_WIDTHS.get(character, 0.556) for character in run) * size
    return lines


_WIDTHS = (
    dict.fromkeys(" .,tfI[]()/", 0.278) | dict.fromkeys("ijl", 0.222) | {"r": 0.333, "-": 0.333}
    | dict.fromkeys("cksvxyz", 0.5) | dict.fromkeys("mM", 0.833) | {"w": 0.722, "*": 0.389}
    | dict.fromkeys("ABEKPSVXY", 0.667) | dict.fromkeys("CDHNRU", 0.722)
)  # fmt: skip


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize(
    ("runs", "words"),
    [
        (("Le dromadaire", "7", " et Montesquieu", "12"), "Le dromadaire 7 et Montesquieu 12"),
        (("De havik", "1,2", " van Spinoza", "3"), "De havik 1 2 van Spinoza 3"),
        (("In Lissabon 1755", "4"), "In Lissabon 1755 4"),
    ],
)
def test_pdf(write_pdf, turn: int, runs, words: str) -> None:
    path = write_pdf([_pdf_lines(runs, 40, 300)], turn=turn)
    assert re.findall(r"\w+", _text_of(path)) == words.split()


def test_exponents_in_a_pdf_belong_to_their_word(write_pdf) -> None:
    runs = ("Un terrain de 40 km", "2", " et x", "3", " en 5 m", "3")
    words = re.findall(r"\w+", _text_of(write_pdf([_pdf_lines(runs, 40, 300)])))
    assert words == [*("Un", "terrain", "de", "40"), *("km2", "et", "x3", "en", "5", "m3")]


def test_numbers_on_the_line_of_a_pdf_belong_to_their_word(write_pdf) -> None:
    path = write_pdf(
        [[(40, 300, 11, "Bericht12 von Modell7, Stand 2024"), (40, 280, 11, "12Monkeys")]]
    )
    assert _text_of(path).split() == ["Bericht12", "von", "Modell7,", "Stand", "2024", "12Monkeys"]


def test_the_mark_before_a_note_is_separate_in_html_and_pdf(tmp_path: Path, write_pdf) -> None:
    assert _read(tmp_path / "a.html", "<p><sup>3</sup>Voir Diderot.") == "3 Voir Diderot."
    assert _read(tmp_path / "b.html", "<p>Aged by <sup>14</sup>C dating.") == "Aged by 14C dating."
    path = write_pdf([[*_pdf_lines(("", "3", "Voir Diderot."), 40, 300)]])
    assert _text_of(path) == "3 Voir Diderot."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Die Amsel¹² singt, 25 m² und 10⁶ Samen.", "Die Amsel ¹² singt, 25 m² und 10⁶ Samen."),
        ("El búho³ caza en 4 km².", "El búho ³ caza en 4 km²."),
        ("CO₂, H₂O, SO₄²⁻ und E = mc²", "CO₂, H₂O, SO₄²⁻ und E = mc²"),
    ],
)
def test_raised_digits_of_unicode(tmp_path: Path, text: str, expected: str) -> None:
    assert _read(tmp_path / "a.txt", text) == expected


@pytest.mark.parametrize(
    ("word", "run", "is_mark"),
    [
        *(("Schumann", "a", True), ("Müller", "b", True), ("鈴木", "3", True), ("Acme", "®", True)),
        *(("x", "2", False), ("sin", "2", False), ("Na", "+", False), ("Ca", "2+", False)),
        *(("M", "me", False), ("3", "e", False), ("n", "o", False), ("10", "-3", False)),
        *(("COVID-19", "5", True), ("SO₄", "²", False), ("2", "10", False)),
        *(("cm", "3", False), ("5", "2", False), ("1848", "2", True)),
    ],
)
def test_a_run_is_a_mark_or_part_of_its_word(word: str, run: str, *, is_mark: bool) -> None:
    assert is_note_mark(word, run) == is_mark
    assert normalise(f"{word}{marked(run)}") == (f"{word} {run}" if is_mark else word + run)


def test_lone_marks_are_removed() -> None:
    begin, end = marked("|").split("|")
    assert normalise(f"a{begin}b{end * 2}c{begin}") == "abc"
