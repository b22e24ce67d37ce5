"""A search whose index reports that a part of it is missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.index.generation import IndexGeneration
from core.index.index_searcher import IndexSearcher
from core.library.library import Library, LibraryOptions
from core.responses import Mode
from tests.conftest import BIRDS, write_files


class Incomplete(IndexSearcher):
    """Searches as usual, and reports that something is missing."""

    def notice(self) -> str:
        return "A part did not answer."


def test_what_is_left_out_is_said_with_the_answer(
    open_library: Callable[..., Library], home: Path, folder: Path
) -> None:
    write_files(folder, BIRDS)
    library = open_library()
    library.add_folder(folder)
    library.sync()

    def searching(generation: IndexGeneration) -> Incomplete:
        return Incomplete(generation.segments)

    served = open_library(home, LibraryOptions(is_read_only=True, searching=searching))
    assert "A part did not answer." in served.search("owl").notice
    assert served.search("owl", mode=Mode.WORDS).notice == ""
