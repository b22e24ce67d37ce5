"""Lines of files by which passages are cited: the very ones, or none."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Page
from core.documents.text import PageText, by_line, lines_of, normalise
from core.documents.text_formats import plain
from core.documents.text_formats.markdown import add_markdown, read


def cited(page: Page, words: str) -> tuple[int, int] | None:
    start = page.text.index(words)
    return lines_of(page.text, page.lines, start, start + len(words))


SOURCES = st.text(st.sampled_from("ab \n\n\t.\r\x0c\x1f\xa0\u00ad\u2028\ufb01"), max_size=60)


@given(SOURCES, st.data())
def test_the_lines_that_are_named_hold_the_text(source: str, data: st.DataObject) -> None:
    text = normalise(source)
    runs = by_line(source, text)
    words = [place for place, sign in enumerate(text) if not sign.isspace()]
    if not runs:
        return
    start = data.draw(st.sampled_from(words))
    end = data.draw(st.sampled_from([place for place in words if place >= start])) + 1
    named = lines_of(text, runs, start, end)
    assert named is not None
    lines = source.split("\n")[named[0] - 1 : named[1]]
    assert text[start:end] in normalise("\n".join(lines))
    # No extra line: the text contains the first and the last of them.
    assert normalise(lines[0])
    assert normalise(lines[-1])


@given(st.lists(st.sampled_from(["", " ", "one", "  two\t", "three."]), min_size=1, max_size=20))
def test_usual_text_is_cited_line_by_line(lines: list[str]) -> None:
    source = "\n".join(lines)
    page = Page(1, normalise(source), lines=by_line(source, normalise(source)))
    numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
    place = 0
    found = []
    for line in page.text.split("\n"):
        start = place + len(line) - len(line.lstrip())
        if line:
            found.append(lines_of(page.text, page.lines, start, place + len(line)))
        place += len(line) + 1
    assert found == [(number, number) for number in numbers]


def test_a_line_that_a_control_character_breaks_makes_all_uncertain() -> None:
    # It ends a line of the text and none that Python counts.
    assert by_line("a\x1fb\nc", normalise("a\x1fb\nc")) == ()


def test_terminal_colours_may_hide_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text("one\n\n\ntwo\n", encoding="utf-8")
    assert cited(plain.read(path).pages[0], "two") == (4, 4)
    path.write_text("one\n\x1b[31m\n\ntwo\n", encoding="utf-8")
    assert cited(plain.read(path).pages[0], "two") is None


MARKDOWN = """\
---
title: Birds
---

# On *crows*

A crow hides food
and remembers where.

- a list
- of `birds`

| bird | food |
|------|------|
| owl  | mice |

```
if owl:

    hunt()
```

Broken\\
on purpose.

> said by
> a crow

The end.
"""


def of(path: Path, text: str) -> Document:
    path.write_bytes(text.encode())
    return read(path)


def test_markdown_is_cited_by_what_was_written(tmp_path: Path) -> None:
    for text in (MARKDOWN, MARKDOWN.replace("\n", "\r\n")):
        page = of(tmp_path / "a.md", text).pages[0]
        assert cited(page, "On crows") == (5, 5)
        assert cited(page, "A crow hides food and remembers where.") == (7, 8)
        # Where in the file its middle stands is not known.
        assert cited(page, "A crow hides food and") is None
        assert cited(page, "remembers where.\n\na list") is None
        assert cited(page, "On crows\n\nA crow hides food and remembers where.") == (5, 8)
        assert cited(page, "of birds") == (11, 11)
        assert cited(page, "owl | mice") == (15, 15)
        assert cited(page, "hunt()") == (20, 20)
        assert cited(page, "if owl:\n\n    hunt()") == (18, 20)
        assert cited(page, "on purpose.") is None
        assert cited(page, "said by a crow") == (26, 27)
        assert cited(page, "The end.") == (29, 29)


def test_text_from_another_kind_of_file_has_no_lines() -> None:
    page = PageText()
    add_markdown(page, "# A cell of a notebook")
    assert page.page(1).lines == ()
