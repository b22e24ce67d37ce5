"""Notes and alternative readings do not interrupt the sentence that they are in."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.documents.text_formats import xml


def _text(path: Path, source: str) -> str:
    path.write_text(source, "utf-8")
    return xml.read(path).pages[0].text


_TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p>{}</p></body></text></TEI>'
_JATS = "<article><body><sec><title>T</title><p>{}</p></sec></body></article>"


@pytest.mark.parametrize(
    ("frame", "inside", "expected"),
    [
        (
            _TEI,
            'Le phare<note place="bottom">Une note.</note> de Brest.',
            "Le phare de Brest.\n\nUne note.",
        ),
        (_TEI, "<choice><orig>vñ</orig><reg>vnd</reg></choice> Brot", "vñ Brot\n\nvnd"),
        (_TEI, "<app><lem>rosa</lem><rdg wit='B'>rosae</rdg></app> alba", "rosa alba\n\nrosae"),
        (_TEI, "Hand<lb break='no'/>werk und<lb/>Kunst", "Handwerk und Kunst"),
        (_TEI, 'Der Turm<hi rend="superscript">3</hi> steht.', "Der Turm 3 steht."),
        (
            _JATS,
            "Las abejas<fn><p>Apis.</p><p>Sic.</p></fn> vuelan.",
            "T\n\nLas abejas vuelan.\n\nApis.\n\nSic.",
        ),
        (
            _JATS,
            "Пчёлы<xref ref-type='fn'><sup>12</sup></xref> летят 5 м<sup>2</sup>.",
            "T\n\nПчёлы 12 летят 5 м2.",
        ),
    ],
)
def test_notes_follow_the_paragraph(tmp_path: Path, frame: str, inside: str, expected: str) -> None:
    assert _text(tmp_path / "a.xml", frame.format(inside)) == expected


def test_notes_in_titles_and_tables(tmp_path: Path) -> None:
    source = (
        "<book><title>Mосты<footnote><para>Примечание</para></footnote> и реки</title>"
        "<informaltable><row><entry>Нева<footnote><para>74 км</para></footnote> река</entry>"
        "<entry>x</entry></row></informaltable></book>"
    )
    text = _text(tmp_path / "a.dbk", source)
    assert text == "Mосты и реки\n\nПримечание\n\nНева река 74 км | x"
