"""Hebrew and Arabic words of PDFs are read forwards, however their letters are stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.pages import pdf

HEBREW = ["הספק שלח את המכתב לשלום כהן", "מחיר סופי לשנת הכספים ועוד", "שלום עולם ממדינת הים"]
ARABIC = ["كتاب الطريق الجديد في المدينة", "هذا نص عربي قصير"]
_ADVANCE = 6  # of each letter, in points


def _drawn(line: str, layout: str) -> list[tuple[float, str]]:
    """Return where each run of letters of a line begins, and the run as it is drawn."""
    if layout in {"mirrored line", "line"}:
        return [(500 - _ADVANCE * len(line), line if layout == "mirrored line" else line[::-1])]
    at = 500
    runs = []
    for word in list(line) if layout == "letters" else line.split():
        at -= _ADVANCE * len(word)
        runs.append((at, word if layout == "mirrored words" else word[::-1]))
        at -= 0 if layout == "letters" else _ADVANCE
    return runs


def pdf_bytes(lines: list[str], layout: str) -> bytes:
    """Return a PDF whose font has a letter of 6 points for each letter of the lines."""
    codes = {letter: code for code, letter in enumerate(sorted(set("".join(lines))), 33)}
    pairs = " ".join(
        f"<{code:02X}><{letter.encode('utf-16-be').hex()}>" for letter, code in codes.items()
    )
    letters = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1"
        f" begincodespacerange <00><FF> endcodespacerange {len(codes)} beginbfchar {pairs}"
        " endbfchar endcmap end end"
    )
    content = "\n".join(
        f"BT /F 12 Tf 1 0 0 1 {at} {700 - 20 * index} Tm"
        f" <{''.join(f'{codes[letter]:02X}' for letter in run)}> Tj ET"
        for index, line in enumerate(lines)
        for at, run in _drawn(line, layout)
    )
    widths = " ".join(["500"] * (len(codes) + 1))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        (
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
            "/Resources<</Font<</F 5 0 R>>>>>>"
        ),
        f"<</Length {len(content)}>>\nstream\n{content}\nendstream",
        (
            "<</Type/Font/Subtype/TrueType/BaseFont/Arial/FirstChar 33"
            f"/LastChar {33 + len(codes)}/Widths[{widths}]/ToUnicode 6 0 R/FontDescriptor 7 0 R>>"
        ),
        f"<</Length {len(letters)}>>\nstream\n{letters}\nendstream",
        (
            "<</Type/FontDescriptor/FontName/Arial/Flags 32/FontBBox[0 0 500 700]/Ascent 700"
            "/Descent -200/CapHeight 700/StemV 80/ItalicAngle 0>>"
        ),
    ]
    body = "".join(f"{i} 0 obj\n{each}\nendobj\n" for i, each in enumerate(objects, 1))
    trailer = f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\n%%EOF\n"
    return f"%PDF-1.7\n{body}{trailer}".encode("ascii")


@pytest.mark.parametrize("lines", [HEBREW, ARABIC], ids=["Hebrew", "Arabic"])
@pytest.mark.parametrize("layout", ["line", "words", "letters", "mirrored words", "mirrored line"])
def test_words_are_read_forwards(tmp_path: Path, lines: list[str], layout: str) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_bytes(lines, layout))
    assert pdf.read(path).pages[0].text.split() == " ".join(lines).split()


def test_a_word_that_was_backwards_is_highlighted(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf_bytes(HEBREW, "mirrored words"))
    text = pdf.read(path).pages[0].text
    start = text.index("שלח")
    boxes = pdf.draw_page(path, 1, 600, [(start, start + 3)]).boxes[0]
    # After a word of four letters and a space from the right.
    assert min(box.left for box in boxes) == pytest.approx(500 - 8 * _ADVANCE, abs=3)
    assert max(box.right for box in boxes) == pytest.approx(500 - 5 * _ADVANCE, abs=3)
