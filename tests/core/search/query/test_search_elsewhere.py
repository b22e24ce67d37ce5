"""A search whose index is searched elsewhere, by something that says what it lacks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.encoders.encoder import Encoder
from core.index.generation import IndexGeneration
from core.index.index_searcher import IndexSearcher
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.responses import Mode
from tests.conftest import BIRDS, write_files


class Elsewhere(IndexSearcher):
    """Searches here, and notes what was begun; outdated as often as it is told."""

    def __init__(self, generation: IndexGeneration) -> None:
        super().__init__(generation.segments)
        self.begun_searches: list[Elsewhere] = []
        self.outdated = 0
        self.left_out = ""
        self.generation = generation

    def begun(self) -> Elsewhere:
        search = Elsewhere(self.generation)
        search.outdated = self.outdated
        self.outdated = max(self.outdated - 1, 0)
        search.left_out = self.left_out
        self.begun_searches.append(search)
        return search

    def is_outdated(self) -> bool:
        return self.outdated > 0

    def notice(self) -> str:
        return self.left_out


@pytest.fixture
def elsewhere(
    open_library: Callable[..., Library], home: Path, folder: Path
) -> tuple[Library, Elsewhere]:
    write_files(folder, BIRDS)
    library = open_library()
    library.add_folder(folder)
    library.sync()
    made: list[Elsewhere] = []

    def searching(generation: IndexGeneration) -> Elsewhere:
        made.append(Elsewhere(generation))
        return made[-1]

    served = open_library(home, LibraryOptions(is_read_only=True, searching=searching))
    served.warm_up()
    return served, made[0]


def test_what_is_left_out_is_said_with_the_answer(elsewhere: tuple[Library, Elsewhere]) -> None:
    library, index = elsewhere
    index.left_out = "A part did not answer."
    assert "A part did not answer." in library.search("owl").notice
    assert library.search("owl", mode=Mode.WORDS).notice == ""


def test_it_begins_once_more_where_segments_were_replaced_meanwhile(
    elsewhere: tuple[Library, Elsewhere],
) -> None:
    library, index = elsewhere
    index.outdated = 2
    assert library.search("who hunts at night").hits
    assert len(index.begun_searches) == 3
    # Not without end.
    index.outdated = 99
    assert library.search("who hunts at night").hits
    assert len(index.begun_searches) == 6


def test_passages_that_were_encoded_elsewhere_are_not_encoded_here(
    elsewhere: tuple[Library, Elsewhere],
    birds: Library,
    encoder: Encoder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library, _ = elsewhere
    batches_given: list[int] = []
    encode = Encoder.encode_passages

    def encoded(_self: Elsewhere, batches: Any, _job: Job) -> list[Any]:
        batches_given.extend(map(len, batches))
        return [encode(encoder, batch) for batch in batches]

    monkeypatch.setattr(Elsewhere, "encode_passages", encoded)
    right = birds.search("who hunts at night")
    monkeypatch.delattr(Encoder, "encode_passages")
    found = library.search("who hunts at night")
    assert [hit.score for hit in found.hits] == [hit.score for hit in right.hits]
    assert 0 < max(batches_given) <= 2
