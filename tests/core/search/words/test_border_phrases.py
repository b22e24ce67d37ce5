"""A phrase is found where it begins in one passage and ends in the next."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from core.catalog.document_queries import in_folder
from core.catalog.documents import NewPassage, add_new, set_read
from core.catalog.files import folders
from core.files.filesystems import FileStamp
from core.library.library import Library
from core.requests import CountFacets, Search
from core.responses import Mode, SearchResults
from tests.core.search.test_search import fill, names

Store = Callable[..., None]


def store(library: Library, name: str, *pages: Sequence[str]) -> None:
    """Store a document with these passages on each page."""
    rows = []
    for number, texts in enumerate(pages, 1):
        start = 0
        for text in texts:
            end = start + len(text)
            rows.append(NewPassage(number, start, start + len(text.rstrip()), text, name))
            start = end
    with library._catalog.transaction() as db:
        folder = folders.add(db, Path("/docs"))
        path = f"/docs/{name}.txt"
        add_new(db, [(folder, path, FileStamp(1, 1))])
        (number,) = (one.id for one in in_folder(db, folder) if one.path_text == path)
        set_read(db, number, name, name, len(pages), rows)


def highlighted(results: SearchResults) -> list[list[str]]:
    """Return the highlighted words of each passage of the first document."""
    return [
        [hit.passage.text[start:end] for start, end in hit.words]
        for hit in sorted(results.hits[0].passages, key=lambda hit: hit.passage.start)
    ]


@pytest.mark.parametrize(
    ("passages", "phrase"),
    [
        (("Вчера приехал д-р ", "Иванов из Москвы."), "д-р Иванов"),
        (("Ο ναός του Απόλλωνα ", "Επικούριου στις Βάσσες."), "Απόλλωνα Επικούριου"),
        (("我们昨天去了北京", "大学图书馆看书。"), "北京大学图书馆"),
        (("เมื่อวานฉันไปห้อง", "สมุดประชาชน"), "ห้องสมุด"),
        (("नई दिल्ली का लाल ", "किला बहुत पुराना है।"), "लाल किला"),
        (("أقيم المعرض في دار ", "الأوبرا المصرية."), "دار الأوبرا"),
        (("It was signed by the long-\n", "term tenants of the mill."), "long-term tenants"),
    ],
)
def test_a_phrase_across_two_passages(
    passages: tuple[str, str], phrase: str, open_library: Callable[..., Library]
) -> None:
    library = open_library()
    store(library, "across", passages)
    fill(library, owl="Owls hunt mice.")
    assert names(library.search(f'"{phrase}"', mode=Mode.WORDS)) == ["across"]


def test_a_phrase_across_two_pages_is_highlighted_on_both(
    open_library: Callable[..., Library],
) -> None:
    library = open_library()
    fill(library, pages=("Le chemin mène au moulin", "rouge près de la rivière."))
    results = library.search('"moulin rouge"', mode=Mode.WORDS)
    assert names(results) == ["pages"]
    assert sorted(highlighted(results)) == [["moulin"], ["rouge"]]


def test_all_phrases_of_a_long_text_are_found(
    open_library: Callable[..., Library], tmp_path: Path
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    people = [f"Schmidt{number}" for number in range(40)]
    text = " ".join(
        f"Am Dienstag brachte Prof. {name} aus Zimmer Nr. {number} Brot mit."
        for number, name in enumerate(people)
    )
    (folder / "Protokoll.md").write_text(text, "utf-8")
    library = open_library()
    library.add_folder(folder)
    library.sync()
    assert library.status().passages > 3
    for name in people:
        assert names(library.search(f'"Prof. {name}"', mode=Mode.WORDS)) == ["Protokoll"], name


def test_a_long_phrase_may_be_cut_anywhere(open_library: Callable[..., Library]) -> None:
    library = open_library()
    words = re.findall(r"\w+", "To be, or not to be: that is the question, whether it is nobler")
    for cut in range(1, len(words)):
        first, last = " ".join(words[:cut]), " ".join(words[cut:])
        store(library, f"cut{cut}", (f"He says {first} ", f"{last} in the mind."))
    phrase = " ".join(words)
    results = library.answer(Search(f'"{phrase}"', Mode.WORDS, limit=50))
    assert sorted(names(results)) == sorted(f"cut{cut}" for cut in range(1, len(words)))


def test_what_only_seems_to_continue_is_not_found(open_library: Callable[..., Library]) -> None:
    library = open_library()
    store(library, "apart", ("The lion is green. ", "A dragon is red."))
    store(library, "word", ("The lion is evergreen ", "dragon trees."))
    fill(library, first="The lion is green", second="dragon trees")
    assert names(library.search('"green dragon"', mode=Mode.WORDS)) == []


def test_a_phrase_across_two_passages_is_excluded(open_library: Callable[..., Library]) -> None:
    library = open_library()
    store(library, "across", ("The walk ends at the green ", "dragon inn."))
    fill(library, other="The inn is closed.")
    assert names(library.search('inn -"green dragon"', mode=Mode.WORDS)) == ["other"]


def test_several_phrases_and_alternatives(open_library: Callable[..., Library]) -> None:
    library = open_library()
    store(library, "across", ("A walk to the green ", "dragon inn by the old mill."))
    store(library, "lacking", ("A walk to the green ", "dragon inn."))
    for query in (
        '"green dragon" "old mill"',
        '"old mill" "green dragon"',
        '("green dragon" OR "red lion") "old mill"',
        '"green dragon" mill "by the old"',
    ):
        assert names(library.search(query, mode=Mode.WORDS))[:1] == ["across"], query
    assert names(library.search('"green dragon" "old mill"', mode=Mode.WORDS)) == ["across"]
    both = names(library.search('"green dragon" OR "red lion"', mode=Mode.WORDS))
    assert sorted(both) == ["across", "lacking"]


def test_a_phrase_across_two_passages_is_counted(open_library: Callable[..., Library]) -> None:
    library = open_library()
    store(library, "across", ("The walk ends at the green ", "dragon inn."))
    facets = library.answer(CountFacets('"green dragon"', Mode.WORDS))
    assert facets.found == 1


def test_in_hybrid_mode_too(open_library: Callable[..., Library]) -> None:
    library = open_library()
    store(library, "across", ("The walk ends at the green ", "dragon inn."))
    fill(library, owl="Owls hunt mice.")
    library.sync()
    for mode in Mode:
        assert names(library.search('"green dragon"', mode=mode)) == ["across"], mode
