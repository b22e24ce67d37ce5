from __future__ import annotations

import pytest

from core.documents.office.word_numbers import WordNumbers

NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def element(markup: str):
    from lxml import etree

    return etree.fromstring(f'<w:root xmlns:w="{NAMESPACE}">{markup}</w:root>')


def level(index: int, kind: str, pattern: str, *, start: int = 1, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>'
        f'{more}<w:lvlText w:val="{pattern}"/></w:lvl>'
    )


def numbers(levels: str, lists: str = "", styles: str = "") -> WordNumbers:
    one = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    abstract = f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
    return WordNumbers(element(f"{abstract}{one}{lists}"), element(styles))


def paragraph(list_: int, index: int):
    numbering = f'<w:ilvl w:val="{index}"/><w:numId w:val="{list_}"/>'
    return element(f"<w:numPr>{numbering}</w:numPr>")


CLAUSES = (
    level(0, "decimal", "§ %1") + level(1, "decimal", "%1.%2") + level(2, "lowerLetter", "%3)")
)


@pytest.mark.parametrize(
    ("levels", "paragraphs", "shown"),
    [
        (CLAUSES, [0, 1, 1, 2, 2, 1, 0, 1], ["§ 1", "1.1", "1.2", "a)", "b)", "1.3", "§ 2", "2.1"]),
        (
            level(0, "bullet", "\uf0b7") + level(1, "decimal", "%2."),
            [0, 1, 1, 0],
            ["", "1.", "2.", ""],
        ),
        (
            level(0, "upperRoman", "%1", start=4) + level(1, "decimal", "%1.%2"),
            [0, 1],
            ["IV", "IV.1"],
        ),
        (
            level(0, "upperRoman", "Art. %1") + level(1, "decimal", "%1.%2", more="<w:isLgl/>"),
            [0, 0, 1],
            ["Art. I", "Art. II", "2.1"],
        ),
        (CLAUSES, [1, 5, 1], ["1.1", "", "1.2"]),
    ],
)
def test_numbers_are_those_that_word_shows(
    levels: str, paragraphs: list[int], shown: list[str]
) -> None:
    counter = numbers(levels)
    assert [counter.number(paragraph(1, index), "") for index in paragraphs] == shown


def test_a_list_that_starts_again_counts_from_its_own_start() -> None:
    override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>'
    second = f'<w:num w:numId="2"><w:abstractNumId w:val="0"/>{override}</w:num>'
    third = '<w:num w:numId="3"><w:abstractNumId w:val="0"/></w:num>'
    counter = numbers(CLAUSES, second + third)
    shown = [counter.number(paragraph(list_, 0), "") for list_ in (1, 1, 2, 2, 3)]
    assert shown == ["§ 1", "§ 2", "§ 7", "§ 8", "§ 9"]


def test_styles_and_the_styles_they_are_based_on_have_numbers() -> None:
    numbering = '<w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr>'
    counter = numbers(
        CLAUSES,
        styles=f'<w:style w:styleId="Clause">{numbering}</w:style>'
        '<w:style w:styleId="Own"><w:basedOn w:val="Clause"/></w:style>'
        '<w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style>',
    )
    none = element('<w:numPr><w:numId w:val="0"/></w:numPr>')
    assert [counter.number(None, name) for name in ("Clause", "Own", "Loop")] == ["1.1", "1.2", ""]
    assert counter.number(none, "Clause") == ""
