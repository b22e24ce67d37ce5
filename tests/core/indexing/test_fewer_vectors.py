"""Libraries that keep fewer vectors than tokens: small, in step, and with words to light."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.alignment.reduction import TokenReduction
from core.commands.terminal import print_status
from core.documents.document import Document, Page
from core.errors import UsageError
from core.library.library import Library, LibraryOptions
from core.progress import Job, Progress, Stage
from core.responses import Mode
from tests.core.tiny_models import save_tiny_colbert

from .conftest import assert_sound, put

TEXT = (
    "Swifts sleep in the air while they fly. Owls hunt mice at night and hear them in the grass. "
    "Crows hide food for the winter and remember thousands of places in which they hid it."
)
every_way = pytest.mark.parametrize(
    "written", ["pooling:0.3", "weighted-pooling:0.3", "salience:0.3"]
)


def open_keeping(open_library: Callable[..., Library], written: str, **options: object) -> Library:
    return open_library(options=LibraryOptions(keeping=TokenReduction.parse(written), **options))  # type: ignore[arg-type] # the caller's


@every_way
def test_a_reduced_number_of_vectors_is_stored_and_words_are_highlighted(
    open_library: Callable[..., Library], written: str
) -> None:
    library = open_keeping(open_library, written)
    library.add_collection("birds", [("birds", Document("birds", (Page(1, TEXT),)))])
    report = library.sync()
    assert 0.3 <= report.tokens_kept / report.tokens < 0.36
    ((hit,),) = ([one.passages[0]] for one in library.search("where do swifts sleep").hits)
    assert hit.alignments
    highlighted = {pair.text for pair in hit.alignments if not pair.in_context}
    assert highlighted & {"Swifts", "sleep", "air", "fly"}
    for pair in hit.alignments:
        text = hit.passage.context if pair.in_context else hit.passage.text
        assert text[pair.start : pair.end] == pair.text


def test_another_share_rebuilds_the_vectors(
    open_library: Callable[..., Library], folder: Path
) -> None:
    put(folder / "birds.txt", TEXT)
    library = open_keeping(open_library, "all")
    library.add_folder(folder)
    library.sync()
    everything = library.status()
    assert everything.tokens == everything.tokens_kept
    fewer = open_keeping(open_library, "pooling:0.2")
    # The old vectors answer until the new ones are made.
    assert fewer.search("owls", mode=Mode.MEANING).hits
    assert fewer.status().tokens_kept == everything.tokens
    fewer.sync()
    status = fewer.status()
    assert status.tokens == everything.tokens
    assert status.tokens_kept < 0.25 * status.tokens
    assert status.index_bytes < everything.index_bytes
    assert fewer.search("owls", mode=Mode.MEANING).hits[0].passages[0].alignments
    assert_sound(fewer)
    put(folder / "more.txt", TEXT.upper())
    fewer.sync()
    assert_sound(fewer)
    (folder / "birds.txt").unlink()
    fewer.sync()
    assert fewer.status().tokens_kept < 0.25 * fewer.status().tokens


def test_the_index_of_an_earlier_version_answers_until_the_new_one_is_complete(
    open_library: Callable[..., Library], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fast index was pooled without pruning before."""
    put(folder / "birds.txt", TEXT)
    before = open_keeping(open_library, "weighted-pooling:0.2+0.3")
    before.add_folder(folder)
    before.sync()
    found = before.search("owls", mode=Mode.MEANING).hits
    before.teaching.judge("owls", found[0].passages[0].passage.id)
    judged = before.teaching.judgements()
    before.close()
    files = {path.name for path in (before.home / "index").iterdir()}

    library = open_library()
    assert library.check().problems == ()
    assert library.search("owls", mode=Mode.MEANING).hits == found
    stages: list[Stage] = []

    def look(progress: Progress) -> None:
        stages.append(progress.stage)
        if progress.stage is Stage.REPLACING:
            assert library.status().coming_model == "winnow-mini"
            assert library.search("owls", mode=Mode.MEANING).hits == found
            print_status(library.status(), ())

    library.sync(Job(look))
    assert Stage.REPLACING in stages
    assert "until it is complete, searches use the old one" in capsys.readouterr().out
    assert not files & {path.name for path in (library.home / "index").iterdir()}
    assert library.status().coming_model == ""
    assert library.search("owls", mode=Mode.MEANING).hits
    assert library.check().problems == ()
    assert [known.path for known in library.folders()] == [folder]
    assert library.teaching.judgements() == judged != ()
    assert_sound(library)


def test_a_model_without_saliences_refuses_to_choose_by_them(
    open_library: Callable[..., Library], tmp_path: Path
) -> None:
    model = str(save_tiny_colbert(tmp_path / "models" / "plain"))
    with pytest.raises(UsageError, match="has no salience scores"):
        open_keeping(open_library, "salience:0.3", model=model)


def test_a_refinement_store_requires_compressed_vectors(
    open_library: Callable[..., Library],
) -> None:
    with pytest.raises(UsageError, match="requires compressed vectors"):
        open_keeping(open_library, "pooling:0.3+0.5", bits=32)
