from __future__ import annotations

import pytest

from core.errors import DocumentError
from core.federation.source import DocumentViews, LibrarySource, NoViews, SearchSource
from core.library.library import Library


def test_a_library_is_a_source_that_answers_as_itself(birds: Library) -> None:
    source: SearchSource = LibrarySource("Birds", birds)
    results = source.search("who walks under water?")
    assert [hit.path.name for hit in results.hits[:1]] == ["dipper.txt"]
    best = results.hits[0].passages[0].passage
    assert source.explain("who walks under water?", best.id).passage == best
    assert source.page_texts(best.document_id)[0].text.startswith("The dipper")
    assert source.facets("type:text").found == birds.status().documents
    assert best.id in source.align("who walks under water?", [best.id]).of
    assert source.salient_words(best.id)
    assert source.state().documents == birds.status().documents
    assert not source.refresh()
    source.close()
    assert birds.search("owls").hits


def test_scores_by_meaning_are_of_one_scale_only_where_model_and_alignment_agree(
    birds: Library,
) -> None:
    scale = birds.score_scale()
    assert scale is not None
    assert scale.model.startswith("winnow-")
    assert 0 < scale.words < 1


def test_of_a_source_that_tells_text_alone_nothing_is_drawn() -> None:
    views: DocumentViews = NoViews()
    assert views.inside(1) == ()
    for draw in (lambda: views.sizes(1), lambda: views.pages(1), lambda: views.image(1, 1, 9, [])):
        with pytest.raises(DocumentError, match="only the text"):
            draw()
