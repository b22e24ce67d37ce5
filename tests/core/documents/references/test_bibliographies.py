from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.office import epub
from core.documents.references import bibliographies, entries
from core.documents.references.entries import Entry
from core.errors import DocumentError
from tests.core.documents.mutations import mutations
from tests.core.documents.passes import go_through

BIBTEX = r"""
@string{jo = "Journal of Owls"}
@comment{@article{no, title={No}}}
@Article{rook2020,
  author = {Rook, Ann and M{\"u}ller, Bo},
  title = "The {Owl} of M{\"u}nchen \& its nest",
  journal = jo # { (online)},
  year = 2020, month = mar,
  keywords = {owls, night birds},
  abstract = {They hunt at night.},
}
@book(crow99, title={Crows}, year={1999}, editor={Cy Dove})
@article{broken, title = {No end
@misc{last, title = {Last one}}
"""
RIS = """TY  - JOUR
AU  - Smith, Jane
TI  - Bees in winter
PY  - 2019
DA  - 2019/11/03
KW  - bees
KW  - winter cluster
AB  - They shiver
 to keep warm.
JO  - Apidologie
ZZ  - odd
ER  -
TY  - BOOK
T1  - Second
Y1  - 1850///
"""

Unpacked = Callable[[str, str], list[Document]]


@pytest.fixture
def unpacked(tmp_path: Path) -> Unpacked:
    """Return the documents of the entries in a bibliography."""

    def unpack(name: str, source: str) -> list[Document]:
        path = tmp_path / name
        path.write_text(source, encoding="utf-8")
        noted = go_through(path, bibliographies.unpack, tmp_path)
        documents = []
        for content in noted.contents.values():
            (tmp_path / "x.reference").write_bytes(content)
            documents.append(entries.read(tmp_path / "x.reference"))
        return documents

    return unpack


def test_entries_of_bibtex_are_documents(unpacked: Unpacked) -> None:
    owl, crows, broken, last = unpacked("a.bib", BIBTEX)
    assert owl.title == "The Owl of München & its nest"
    assert owl.author == "Rook, Ann; Müller, Bo"
    assert (owl.date, owl.tags) == ("2020-03", "owls; night birds")
    assert owl.pages[0].text == (
        "The Owl of München & its nest\n\nRook, Ann; Müller, Bo\n\ntype: article\nkey: rook2020\n"
        "journal: Journal of Owls (online)\nyear: 2020\nmonth: Mar\n\n#owls #night birds\n\n"
        "They hunt at night."
    )
    assert (crows.title, crows.author, crows.date) == ("Crows", "Cy Dove", "1999")
    assert (broken.title, last.title) == ("No end", "Last one")


def test_entries_of_ris_are_documents(unpacked: Unpacked) -> None:
    bees, second = unpacked("a.ris", RIS)
    assert (bees.title, bees.author, bees.date) == ("Bees in winter", "Smith, Jane", "2019-11-03")
    assert bees.tags == "bees; winter cluster"
    assert "They shiver\nto keep warm." in bees.pages[0].text
    assert "journal: Apidologie\nZZ: odd" in bees.pages[0].text
    assert (second.title, second.date) == ("Second", "1850")


@pytest.mark.parametrize("name", ["a.bib", "a.ris"])
def test_a_file_without_entries_is_refused(unpacked: Unpacked, name: str) -> None:
    assert unpacked(name, "\n") == []
    with pytest.raises(DocumentError, match="no entry found"):
        unpacked(name, "Dear Ann,\n")


@pytest.mark.parametrize(
    "part", ["@a{b,", '@a{b,c="', "@a{b,c={", '@a{b,c="x{"}', "@a{b,c=d#", "@comment{", "TY  - "]
)
@pytest.mark.parametrize("name", ["a.bib", "a.ris"])
def test_repeated_parts_take_little_time(tmp_path: Path, name: str, part: str) -> None:
    """Time that grew with the square of the length would take minutes here."""
    path = tmp_path / name
    path.write_text(f"@a{{b,c=d}}\nTY  - A\n{part * 20_000}", encoding="utf-8")
    assert go_through(path, bibliographies.unpack, tmp_path).members


def test_strings_made_of_strings_do_not_fill_the_memory(unpacked: Unpacked) -> None:
    strings = "".join(f"@string{{a = a # a # {{{'x' * 100}}}}}\n" for _ in range(60))
    (entry,) = unpacked("a.bib", f"{strings}@misc{{b, title = {{T}}, note = a # a # a}}")
    assert len(entry.pages[0].text) < 100_000


@pytest.mark.parametrize(("name", "source"), [("a.bib", BIBTEX), ("a.ris", RIS)])
def test_damaged_files_are_read_or_refused(tmp_path: Path, name: str, source: str) -> None:
    for data in mutations(source.encode()):
        path = tmp_path / name
        path.write_bytes(data)
        try:
            noted = go_through(path, bibliographies.unpack, tmp_path)
        except DocumentError:
            continue
        assert all(entry.startswith(b"{") for entry in noted.contents.values())


@pytest.mark.parametrize("content", ["", "[]", "{}x", '{"title": 1}', '{"colour": "red"}'])
def test_another_file_is_no_entry(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.reference"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DocumentError):
        entries.read(path)


def test_names_of_entries_are_short() -> None:
    assert Entry("Owls: a/b", ["Rook, Ann"], "2020-03").file_name == "Rook 2020 Owls: a-b.reference"
    assert len(Entry("owl " * 100).file_name) < 120
    assert Entry().file_name == "Untitled.reference"


def test_the_description_of_a_book_is_read(tmp_path: Path) -> None:
    path = tmp_path / "metadata.opf"
    path.write_text(
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Whale</dc:title>'
        "<dc:creator>Ann Rook</dc:creator><dc:date>1851-10-18T00:00:00+00:00</dc:date>"
        "<dc:description>&lt;p&gt;A hunt.&lt;/p&gt;</dc:description><dc:subject>Sea</dc:subject>"
        "<dc:subject>Whales</dc:subject></metadata></package>",
        encoding="utf-8",
    )
    document = epub.read_opf(path)
    assert (document.title, document.author, document.tags) == (
        "The Whale",
        "Ann Rook",
        "Sea; Whales",
    )
    assert document.date.startswith("1851-10-18")
    assert document.pages[0].text == "The Whale\n\nAnn Rook\n1851-10-18\nA hunt.\nSea\nWhales"
    path.write_text("<package/>", encoding="utf-8")
    with pytest.raises(DocumentError, match="Names no book"):
        epub.read_opf(path)


def test_words_of_an_entry_that_are_no_field_are_in_its_note(unpacked: Unpacked) -> None:
    source = """@misc{a, title={Owls}, note={Rare} stray {words}, year=2020}
        @misc{b, title={Crows}, year=2021,}"""
    first, second = unpacked("a.bib", source)
    assert first.pages[0].text.endswith("Rare stray words, year=2020")
    assert "stray" not in second.pages[0].text
