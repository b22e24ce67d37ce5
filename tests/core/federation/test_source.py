from __future__ import annotations

import pytest

from core.errors import DocumentError
from core.federation.server_connection import ServerConnection
from core.federation.server_source import ServerSource
from core.federation.source import LibrarySource, Source
from core.library.library import Library
from core.requests import (
    Align,
    Explain,
    GetSalientWords,
    GetScoreScale,
    ListInner,
    ReadMarkup,
    ReadPages,
)
from tests.library_requests import facets, search


def test_a_library_is_a_source_that_answers_as_itself(birds: Library) -> None:
    source: Source = LibrarySource("Birds", birds)
    results = search(source, "who walks under water?")
    assert [hit.path.name for hit in results.hits[:1]] == ["dipper.txt"]
    best = results.hits[0].passages[0].passage
    assert source.answer(Explain("who walks under water?", best.id)).passage == best
    assert source.answer(ReadPages(best.document_id))[0].text.startswith("The dipper")
    assert facets(source, "type:text").found == birds.status().documents
    assert best.id in source.answer(Align("who walks under water?", (best.id,))).of
    assert source.answer(GetSalientWords(best.id))
    assert source.state().documents == birds.status().documents
    assert not source.refresh()
    source.close()
    assert birds.search("owls").hits


def test_scores_by_meaning_are_of_one_scale_only_where_model_and_alignment_agree(
    birds: Library,
) -> None:
    scale = birds.answer(GetScoreScale())
    assert scale is not None
    assert scale.model.startswith("winnow-")
    assert 0 < scale.words < 1


def test_a_source_with_text_alone_has_no_drawing() -> None:
    source: Source = ServerSource("Team", ServerConnection("https://team.example"))
    assert source.answer(ListInner(1)) == ()
    with pytest.raises(DocumentError, match="Only the text"):
        source.answer(ReadMarkup(1))
