from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document
from core.documents.text_formats import markdown
from core.documents.text_formats.front_matter import front_matter


def _read(path: Path, source: str) -> Document:
    path.write_bytes(source.encode())
    return markdown.read(path)


@pytest.mark.parametrize(
    ("front", "text"),
    [
        ("tags: [jardín, 'año/2024']", "tags: #jardín #año/2024"),
        ("tags:\n- 园艺\n- 花", "tags: #园艺 #花"),
        ("keywords: ogród, kwiaty", "keywords: #ogród #kwiaty"),
        ("aliases:\n  - 'L''été: 1'\n  - \"Sommer \\\"24\\\"\"", 'aliases: L\'été: 1, Sommer "24"'),
        (
            "summary: >-\n  Zwei Zeilen\n  über Rosen\nkunde: Blum",
            "summary: Zwei Zeilen über Rosen\nkunde: Blum",
        ),
        ("list: [a,\n  b]\nnote: first\n  second", "list: a, b\nnote: first second"),
        (
            "plot:\n  bed:\n    name: Dahlia # tall\n  url: http://example.org/a",
            "plot.bed.name: Dahlia\nplot.url: http://example.org/a",
        ),
        (
            "crew:\n- name: Jo\n  role: gardener\n- name: Li",
            "crew.name: Jo, Li\ncrew.role: gardener",
        ),
        # A list without its end takes the rest.
        ("tags: [a, b\nplace: Graz", "tags: #a #b place: Graz"),
        ("draft: true\nempty:\nnothing: null\nplace: Graz", "place: Graz"),
    ],
)
def test_values_are_text(tmp_path: Path, front: str, text: str) -> None:
    document = _read(tmp_path / "a.md", f"---\ntitle: T\n{front}\n---\nBody.")
    assert (document.title, document.pages[0].text) == ("T", f"{text}\n\nBody.")


def test_toml_is_read_too(tmp_path: Path) -> None:
    about = 'title = "Rosiers"\ndate = 2024-05-06\ntags = ["été"]\n[params]\nville = \'Nice\''
    source = f"+++\n{about}\n+++\nCorps"
    document = _read(tmp_path / "a.md", source)
    assert (document.title, document.date) == ("Rosiers", "2024-05-06")
    assert document.pages[0].text == "tags: #été\nparams.ville: Nice\n\nCorps"


@pytest.mark.parametrize(
    ("front", "date", "author"),
    [
        ("created: 2023-05-17", "2023-05-17", ""),
        ("created: 2023-05-17\nmodified: 2024-01-02T03:04:05", "2024-01-02T03:04:05", ""),
        ("authors:\n  - Ana Gil\n  - name: Bo Ek", "", "Ana Gil; Bo Ek"),
        ("author:\n  name: Zoë Smit", "", "Zoë Smit"),
        ("author: admin\ndate: 1970-01-01", "", ""),
    ],
)
def test_dates_and_authors_are_metadata(tmp_path: Path, front: str, date: str, author: str) -> None:
    document = _read(tmp_path / "a.md", f"---\n{front}\n---\nBody.")
    assert (document.date, document.author) == (date, author)
    assert document.pages[0].text == "Body."


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    page = _read(tmp_path / "a.md", "---\ntags: [a]\n---\n\nBody.").pages[0]
    assert [(run.first, page.text[run.start : run.end]) for run in page.lines] == [(5, "Body.")]


_LONG = "---\n\n# Birds\n\n" + "An aside.\n\n" * 2_000 + "---\nText"


@pytest.mark.parametrize(
    "source", ["---\n\nAn aside.\n\n---\nText", "---\ntags: [a]\nno end", _LONG]
)
def test_rules_are_no_front_matter(tmp_path: Path, source: str) -> None:
    assert front_matter(source).length == 0
    words = _read(tmp_path / "a.md", source).pages[0].text
    assert "aside" in words or "no end" in words


@given(st.text(alphabet=st.sampled_from("-:[]{}'\"#|> \n\tab,=+")))
def test_any_text_is_read(front: str) -> None:
    found = front_matter(f"---\n{front}\n---\n")
    assert found.text(frozenset()).count("\n") <= len(found.values)
