"""Accents that a PDF draws as glyphs of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.pages import pdf
from tests.core.documents.conftest import pdf_bytes

# The accents of Helvetica's encoding, and the widths in thousandths of the font's size.
_ACCENTS = {"¨": 0xC8, "´": 0xC2, "`": 0xC1, "¸": 0xCB, "ˆ": 0xC3}
_WIDTHS = {"u": 556, "e": 556, "o": 556, "c": 500, "a": 556, "O": 778}
_ACCENT_WIDTH = 333


def _write(path: Path, text: str, turn: int = 0) -> Path:
    """Write a PDF of a line of text, in which the letter after an accent is drawn under it."""
    pieces: list[str] = []
    for at, character in enumerate(text):
        if character in _ACCENTS:
            shift = (_WIDTHS[text[at + 1]] - _ACCENT_WIDTH) // 2
            pieces.append(f"{-shift}(\\{_ACCENTS[character]:o}){_ACCENT_WIDTH + shift}")
        else:
            pieces.append(f"({character})")
    drawn = f"[{''.join(pieces)}] TJ"
    # In place of a text of the same length, as the file has the place of each object.
    text = "x" * (len(drawn) - len("() Tj"))
    data = pdf_bytes([[(40, 300, 12, text)]], turn=turn)
    assert data.count(f"({text}) Tj".encode()) == 1
    path.write_bytes(data.replace(f"({text}) Tj".encode(), drawn.encode()))
    return path


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        ("G¨oteborg und M¨unchen", "Göteborg und München"),
        ("Le caf´e du gar¸con", "Le café du garçon"),
        ("¨Ol und `a", "Öl und à"),
        ("Vis `a vis, forˆet", "Vis à vis, forêt"),
    ],
)
def test_letters_and_their_accents_are_one_character(
    tmp_path: Path, turn: int, drawn: str, expected: str
) -> None:
    path = _write(tmp_path / "a.pdf", drawn, turn)
    (page,) = pdf.read(path).pages
    assert page.text == expected
    if not turn:
        # The boxes are those of the letters.
        spans = [(at, at + 1) for at in range(len(expected))]
        boxes = [found[0].left for found in pdf.draw_page(path, 1, 400, spans).boxes if found]
        assert boxes == sorted(boxes)
        assert len(boxes) == sum(not character.isspace() for character in expected)


def test_signs_between_letters_stay(write_pdf) -> None:
    text = "x^e and a^b, c~d"
    assert pdf.read(write_pdf([[(40, 300, 12, text)]])).pages[0].text == text
