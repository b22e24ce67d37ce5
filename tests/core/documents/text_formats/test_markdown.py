from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Heading
from core.documents.text import PageText
from core.documents.text_formats import markdown


@pytest.fixture
def read(tmp_path: Path):
    def read_source(source: str) -> Document:
        path = tmp_path / "notes.md"
        path.write_bytes(source.encode())
        return markdown.read(path)

    return read_source


def test_the_marks_are_removed_and_the_words_are_there(read) -> None:
    document = read(
        "# The *Birds* of `Rome`\n\nA [paragraph](http://x.y 'tip') that\nwraps, with "
        "![a crow](c.png)"
        " &amp; ~~old~~ **bold**.  \nNext line<br>and another <b>one</b>.\n\nSetext\n------\nbody\n"
    )
    assert document.title == "The Birds of Rome"
    (page,) = document.pages
    assert page.text == (
        "The Birds of Rome\n\nA paragraph that wraps, with a crow & old bold.\nNext line\nand"
        " another one.\n\nSetext\n\nbody\n\nhttp://x.y"
    )
    assert page.headings == (Heading(0, 1, "The Birds of Rome"), Heading(95, 2, "Setext"))
    assert page.text[95:].startswith("Setext")


def test_tags_aliases_and_links_between_notes_are_read(read) -> None:
    document = read(
        "---\ntags: [garden, home/yard]\naliases:\n  - Garten\n---\n# Roses\n\n"
        "See [[Pruning|how to cut]], [[Soil#Clay]] and ![[rose.png]] `[[code]] #no` #flower/red,"
        " #garden #2024 #fff000 a#b\n\n| [[Tea\\|shown]] | #table |\n|---|---|\n\n    #code\n"
    )
    assert document.tags == "garden; home/yard; flower/red; table"
    assert document.aliases == "Garten"
    assert document.pages[0].text == (
        "tags: #garden #home/yard\naliases: Garten\n\nRoses\n\nSee how to cut, Soil › Clay and"
        " rose.png [[code]] #no #flower/red, #garden #2024 #fff000 a#b\n\nshown | #table\n\n"
        "#code\n\nPruning\nTea"
    )


def test_properties_of_logseq_are_tags_aliases_and_title(read) -> None:
    document = read(
        "title:: My page\ntags:: [[garden]], roses\nalias:: Foo, Bar\n\n"
        "- see [[A b]] #[[two words]]\n"
    )
    assert document.title == "My page"
    assert document.tags == "garden; roses; two words"
    assert document.aliases == "Foo; Bar"
    assert document.pages[0].text.endswith("see A b #[[two words]]")


@pytest.mark.parametrize("part", ["[[", "[[a|", "![[a]", "#[[", "#", "#a/"])
def test_many_marks_of_notes_take_little_time(part: str, read) -> None:
    """Time that grew with the square of the length would take minutes here."""
    assert read(part * 100_000).pages[0].text


def test_lists_stay_together(read) -> None:
    source = "Intro:\n\n* one\n* two\n  1. nested\n  2. more\n* three\n\n  and more of it\n\nAfter."
    text = read(source).pages[0].text
    assert text == "Intro:\n\none\ntwo\nnested\nmore\nthree\n\nand more of it\n\nAfter."


def test_tables_read_row_by_row(read) -> None:
    text = read("| a | *b* |\n|---|:-:|\n| 1 | 2 |\n| 3 |  |\n\nend").pages[0].text
    assert text == "a | b\n1 | 2\n3\n\nend"


def test_code_keeps_its_lines_and_indents(read) -> None:
    text = read("```python\ndef f():\n    return `1`\n```\n\n    indented **code**\n").pages[0].text
    assert text == "def f():\n    return `1`\n\nindented **code**"


def test_html_within_is_read_as_a_page_shows_it(read) -> None:
    document = read(
        "<div align='center'>\n<h1>Winnow</h1>\n<p>finds <b>it</b></p>\n<!-- no -->\n</div>\n"
    )
    assert document.pages[0].text == "Winnow\n\nfinds it"
    assert document.title == "Winnow"


def test_front_matter_names_the_title(read) -> None:
    document = read('---\r\ntitle: "My: Notes"\r\ntags: [a]\r\n---\r\n\r\n# Other\r\nText.')
    assert document.title == "My: Notes"
    assert document.pages[0].text == "tags: #a\n\nOther\n\nText."


def test_front_matter_contains_authors_and_date(read) -> None:
    document = read("---\nauthor: [Ann Rook, 'Bob Crow']\ndate: 2024-06-30\n---\nText.")
    assert (document.author, document.date) == ("Ann Rook; Bob Crow", "2024-06-30")


def test_a_file_of_data_is_read_as_plain_text(read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "LONGEST_PARSED", 10)
    assert read("# Not *parsed*").pages[0].text == "# Not *parsed*"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("25 m^2^, H~2~O, CO~2~ und Ca^2+^", "25 m2, H2O, CO2 und Ca2+"),
        *((text, text) for text in ("x^2+y^2=z^2", "3~5天，7~9天", "A~B和C~D", "周一~五，六~日")),
        ("$a^{i}b^{j}$", "$a^{i}b^{j}$"),
    ],
)
def test_raised_and_lowered_runs(read, source: str, text: str) -> None:
    assert read(source).pages[0].text == text


@given(st.text(alphabet=st.sampled_from("#*-`>|[]()<>!\n ab1.&;_~\\\t")))
def test_any_source_keeps_the_promises_of_a_page(source: str) -> None:
    page = PageText()
    markdown.add_markdown(page, source)
    text, headings = page.finish()
    assert text == text.strip()
    assert "\n\n\n" not in text
    assert all(text.startswith(heading.text, heading.start) for heading in headings)


@pytest.mark.parametrize("levels", [10, 60, 250])
@pytest.mark.parametrize("mark", ["- ", "12. ", "> ", "> 1. "])
def test_blocks_nested_however_deeply_are_read_with_what_follows(
    read, levels: int, mark: str
) -> None:
    deep = "".join(f"{' ' * len(mark) * i}{mark}item{i}\n" for i in range(levels))
    if mark[0] == ">":
        deep = "".join(f"{mark * (i + 1)}item{i}\n\n" for i in range(levels))
    document = read(f"start\n\n{deep}\n# Another chapter\n\nThe end.\n")
    text = document.pages[0].text
    assert [word for word in text.split() if word.startswith("item")] == [
        f"item{i}" for i in range(levels)
    ]
    assert text.endswith("\n\nAnother chapter\n\nThe end.")
    assert [heading.text for heading in document.pages[0].headings] == ["Another chapter"]


def test_lines_below_the_deepest_level_are_apart_and_without_marks(read) -> None:
    deep = "> " * 300 + "*a*\n" + "> " * 300 + "2) b\n" + "> " * 300 + "- c - d\n"
    assert read(f"{deep}\nend").pages[0].text == "a\nb\nc - d\n\nend"


def test_very_many_lines_are_nested_less_deeply(read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "_MOST_LINES_BY_LEVEL", 10_000)
    source = "> " * 100 + "Crows\n" + "Rooks\n" * 200 + "Owls"
    text = read(source).pages[0].text
    assert text.startswith("Crows")
    assert text.endswith("Rooks Owls")
    assert text.count("Rooks") == 200


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Note.[^1]\n\n[^1]: Ibid.\n", "Note.[^1]\n\n[^1]: Ibid."),
        ("[^a]: https://heron.example/a", "[^a]: https://heron.example/a"),
        (
            "A [b].\n\n[b]: https://c.example 'The title'",
            "A b.\n\n[b]: https://c.example 'The title'",
        ),
        ("[Heron]: Bird\n[Egret]: Bird\n", "[Heron]: Bird\n[Egret]: Bird"),
        ("[b]: one\n[b]: two\n", "[b]: one\n[b]: two"),
        ("[long]:\n  there\n  'Its title'\n\nEnd", "[long]:\nthere\n'Its title'\n\nEnd"),
    ],
)
def test_notes_and_definitions_stay_in_the_text(read, source: str, text: str) -> None:
    assert read(source).pages[0].text == text
