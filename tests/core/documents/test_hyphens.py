from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.hyphens import join_lines
from core.documents.text_formats import plain


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Les proprié-\ntaires votent.", "Les\npropriétaires votent."),
        (
            "De verze-\r\nkeringsmaat-\r\nschappij betaalt.",
            "De\nverzekeringsmaatschappij\nbetaalt.",
        ),
        ("   Ein Absatz mit Ein-\n   zug und Text", "Ein Absatz mit\n   Einzug und Text"),
        ("Мы переиме-\nновали файл", "Мы\nпереименовали файл"),
        ("Rechts-\nanwalt Müller", "Rechtsanwalt\nMüller"),
        # Hyphens that belong to their word, stand for a part of one, or are something else.
        ("die Vor-\nund Nachteile", "die Vor-\nund Nachteile"),
        ("the Jean-\nPaul library", "the Jean-\nPaul library"),
        ("a well-known and well-\nknown fact", "a well-known and well-\nknown fact"),
        ("see A-\nb and 10-\ntwo --\nfour", "see A-\nb and 10-\ntwo --\nfour"),
        ("Ende-\n\nanfang neu", "Ende-\n\nanfang neu"),
    ],
)
def test_words_split_at_line_ends_are_joined(tmp_path: Path, source: str, text: str) -> None:
    (tmp_path / "a.txt").write_bytes(source.encode())
    assert plain.read(tmp_path / "a.txt").pages[0].text == text


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n\nA docu-\nment\n\n\nEnd", "utf-8")
    (page,) = plain.read(tmp_path / "a.txt").pages
    found = [(run.first, run.last, page.text[run.start : run.end]) for run in page.lines]
    assert found == [(3, 4, "A\ndocument"), (7, 7, "End")]


def test_a_word_over_three_lines_is_joined() -> None:
    assert join_lines(["x Ver-", "wal-", "tung y"]) == ["x", "Verwaltung", "y"]
