"""The bounds of an answer, for any request and document length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.documents.text import normalise
from core.errors import FolderError
from core.library.library import Library, LibraryOptions
from core.responses import Mode, Passage
from core.serving.access import Access, checked_path
from core.serving.mcp import tools
from core.serving.mcp.answers import SearchAnswer
from core.serving.mcp.tools import Extent, Tools

from .conftest import Shelf


@pytest.fixture
def library(shelf: Shelf) -> Iterator[Library]:
    with Library.open(shelf.home, LibraryOptions(is_read_only=True)) as opened:
        yield opened


def find(library: Library, offset: int, limit: int = 5) -> SearchAnswer:
    toolset = Tools(library)
    return toolset.search(
        "gulls and owls eat mice, food and eggs in the air over streams",
        (),
        Mode.WORDS,
        Extent(offset, limit, passages=4, is_detailed=True),
    )


def test_results_without_room_are_on_the_next_page(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = find(library, 0, 25)
    assert whole.next_offset is None
    assert len(whole.documents) > 4
    monkeypatch.setattr(tools, "LARGEST_ANSWER", 2_000)
    seen, offset = [], 0
    while offset is not None:
        page = find(library, offset)
        assert page.documents
        seen += page.documents
        assert len(page.compact) <= 2_000 or len(page.documents) == 1
        offset = page.next_offset
    assert seen == whole.documents


def test_an_agent_learns_that_nothing_likely_was_found(library: Library) -> None:
    toolset = Tools(library)

    def found(query: str) -> SearchAnswer:
        return toolset.search(query, (), Mode.HYBRID, Extent())

    by_chance = found("who won the football world cup in 2014")
    assert len(by_chance.documents) == 3  # the nearest, to go on from
    assert all(one.document_id and not one.passages for one in by_chance.documents)
    assert len(by_chance.compact) < 1_500
    assert not any(one.is_likely for one in by_chance.documents)
    assert by_chance.notice.startswith(tools.NOTHING_LIKELY)
    answer = found("the owl gets all the mice")
    assert answer.documents[0].is_likely
    assert answer.notice == ""


def test_a_short_answer_has_the_part_that_matches(library: Library) -> None:
    toolset = Tools(library)
    query = "gulls and owls eat mice, food and eggs in the air over streams"
    short = toolset.search(query, (), Mode.WORDS, Extent(passages=4))
    assert len(short.documents) == 5
    assert len(short.compact) <= tools.SHORT_ANSWER
    detailed = toolset.search(query, (), Mode.WORDS, Extent(passages=4, is_detailed=True))
    assert [hit.path for hit in short.documents] == [hit.path for hit in detailed.documents]
    for hit, whole_hit in zip(short.documents, detailed.documents, strict=True):
        for passage, whole in zip(hit.passages, whole_hit.passages, strict=True):
            assert (passage.passage_id, passage.score) == (whole.passage_id, whole.score)
            assert passage.cite_as == whole.cite_as
            assert len(passage.text) <= tools._SNIPPET + 10
            assert passage.text.strip("… ") in " ".join(whole.text.split())
            assert passage.is_cut == ("…" in passage.text)
            assert (passage.matches, passage.heading, passage.found_by) == ([], "", [])
    (long, *_) = toolset.search("paragraph gulls", (), Mode.WORDS, Extent()).documents
    assert long.passages[0].is_cut


def test_a_short_answer_without_room_goes_on_at_the_next_page(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "SHORT_ANSWER", 700)
    toolset = Tools(library)
    seen, offset = [], 0
    while offset is not None:
        page = toolset.search("gulls owls mice food", (), Mode.WORDS, Extent(offset))
        assert len(page.compact) <= 800 or len(page.documents) == 1
        seen += [hit.rank for hit in page.documents]
        offset = page.next_offset
    assert seen == list(range(1, len(seen) + 1))
    assert len(seen) > 3


def test_documents_below_a_score_are_left_out(library: Library) -> None:
    toolset = Tools(library)

    def scores(least: float | None) -> list[float]:
        extent = Extent(limit=25, min_score=least)
        answer = toolset.search("gulls owls mice food", (), Mode.WORDS, extent)
        return [hit.passages[0].score for hit in answer.documents]

    every = scores(None)
    least = sorted(every)[len(every) // 2]
    assert scores(least) == [score for score in every if score >= least]
    assert scores(max(every) + 1) == []


def test_paging_stops_at_the_limit(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "MOST_DOCUMENTS", 3)
    first = find(library, 0, 2)
    assert first.next_offset == 2
    last = find(library, 2, 2)
    assert (len(last.documents), last.next_offset) == (1, None)


def test_a_folder_description_accompanies_its_results(library: Library, shelf: Shelf) -> None:
    with Library.open(shelf.home) as writable:
        writable.describe_folder(shelf.letters, "letters to owls, never sent")
    try:
        listed = Tools(library).list_folders(0, 9)
        assert {one.path: one.description for one in listed.folders} == {
            str(shelf.folder): "",
            str(shelf.letters): "letters to owls, never sent",
        }
        found = find(library, 0, 25)
        assert any(Path(one.path).is_relative_to(shelf.letters) for one in found.documents)
        assert [(one.path, one.description) for one in found.folders] == [
            (str(shelf.letters), "letters to owls, never sent")
        ]
        # Without results of that folder, no description of it.
        there = Tools(Access(library, [shelf.folder]))
        answer = there.search("gulls", (), Mode.WORDS, Extent())
        assert answer.documents
        assert answer.folders == []
        # A caller with access to a part learns nothing of the whole.
        part = Tools(Access(library, [shelf.letters / "owl.md"]))
        answer = part.search("owl", (), Mode.WORDS, Extent())
        assert [Path(one.path) for one in answer.documents] == [shelf.letters / "owl.md"]
        assert answer.folders == []
        assert [one.description for one in part.list_folders(0, 9).folders] == [""]
    finally:
        with Library.open(shelf.home) as writable:
            writable.describe_folder(shelf.letters, "")


def test_a_passage_is_cited_by_its_lines(library: Library) -> None:
    toolset = Tools(library)
    cited = [one for hit in find(library, 0, 25).documents for one in hit.passages]
    for passage in cited:
        path, _, numbers = passage.cite_as.rpartition(":")
        first, _, last = numbers.partition("-")
        lines = Path(path).read_text(encoding="utf-8").split("\n")
        line_text = normalise(" ".join(lines[int(first) - 1 : int(last or first)]))
        assert " ".join(passage.text.split()) in " ".join(line_text.replace("# ", "").split())
        assert toolset.read_passage(passage.passage_id, 0, 0).passage.cite_as == passage.cite_as
    assert any("-" in passage.cite_as.rpartition(":")[2] for passage in cited)


def test_a_passage_without_lines_is_cited_by_its_page() -> None:
    passage = Passage(7, 1, 3, 0, 4, "owls", "")
    assert tools._citation("/a.pdf", passage, {}, has_pages=True) == "/a.pdf, p. 3"
    assert tools._citation("/a.txt", replace(passage, page=1), {}, has_pages=False) == "/a.txt"
    assert tools._citation("/a.txt", passage, {7: (2, 2)}, has_pages=False) == "/a.txt:2"
    assert tools._citation("/a.txt", passage, {7: (2, 5)}, has_pages=False) == "/a.txt:2-5"


def test_a_long_passage_is_cut_in_the_list_and_whole_when_read(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "_LARGEST_PASSAGE", 20)
    found = find(library, 0).documents[0].passages[0]
    assert (len(found.text), found.is_cut) == (20, True)
    whole = Tools(library).read_passage(found.passage_id, 0, 0).passage
    assert whole.text.startswith(found.text)
    assert len(whole.text) > 20
    assert not whole.is_cut


def test_neighbours_come_from_both_sides_without_gaps(
    library: Library, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = library.texts.document(shelf.folder / "long.md")
    results = library.search("gulls", mode=Mode.WORDS)
    (hit,) = [one for one in results.hits if one.document_id == document.id]
    middle = max(one.passage.id for one in hit.passages)
    reading = library.texts.passage(middle, 3, 3)
    size = len(reading.passage.text)
    monkeypatch.setattr(tools, "LARGEST_ANSWER", size * 4)
    read = Tools(library).read_passage(middle, 3, 3)
    starts = [one.start for one in (*read.before, read.passage, *read.after)]
    assert starts == sorted(starts)
    assert 1 <= len(read.before) + len(read.after) <= 4
    ids = [one.passage_id for one in (*read.before, read.passage, *read.after)]
    assert ids == list(range(ids[0], ids[0] + len(ids)))


def test_places_are_described_by_their_siblings(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "docs"
    (root / "in").mkdir(parents=True)
    (tmp_path / "docs-too").mkdir()
    (root / "out").symlink_to(tmp_path / "docs-too")
    (root / "round").symlink_to(root / "in")
    assert checked_path(str(root / "in"), [root]) == root / "in"
    # A link that stays inside leads to nothing that may not be seen.
    assert checked_path(str(root / "round"), [root]) == root / "round"
    assert checked_path(str(root / "a.zip" / "b.txt"), [root]) == root / "a.zip" / "b.txt"
    for outside in (str(tmp_path / "docs-too"), "in", "", "/", "~", str(root) + "x"):
        with pytest.raises(FolderError, match="not in a folder of the library"):
            checked_path(outside, [root])
    with pytest.raises(FolderError, match="is a link out of"):
        checked_path(str(root / "out" / "x.txt"), [root])
    (root / "circle").symlink_to(root / "circle")
    assert checked_path(str(root / "circle"), [root]) == root / "circle"
    for no_path in (f"{root}/a\0b", f"{root}/\ud800", f"{root}/\udce9", f"{root}/a\nb"):
        with pytest.raises(FolderError, match=r"^'.*' is not a path\.$"):
            checked_path(no_path, [root])
    with pytest.raises(FolderError, match=r'contains "\.\."'):
        checked_path(f"{root}/in/../in", [root])


def test_an_agent_learns_the_corrected_query(library: Library) -> None:
    def toolset(query: str) -> SearchAnswer:
        view = Tools(library)
        return view.search(query, (), Mode.WORDS, Extent())

    corrected = toolset("stremas")
    assert (corrected.searched_for, corrected.did_you_mean) == ("streams", "")
    assert corrected.documents == toolset("streams").documents
    offered = toolset("stremas mice")
    assert (offered.searched_for, offered.did_you_mean) == ("", "streams mice")


def test_an_agent_learns_what_one_step_less_finds(library: Library) -> None:
    answer = Tools(library).search("streams type:film", (), Mode.WORDS, Extent())
    assert not answer.documents
    (step,) = answer.near_misses
    assert (step.kind, step.without, step.query) == ("filter", "type:film", "streams")
    assert step.documents == len(
        Tools(library).search("streams", (), Mode.WORDS, Extent()).documents
    )
    assert not Tools(library).search("streams", (), Mode.WORDS, Extent()).near_misses
