"""A library learns its codebook, and relearns it when it has outgrown it."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.catalog import manifest
from core.encoders.encoder import Encoder
from core.errors import Cancelled
from core.index.generation import codebook_folder, codebook_name, learned_at
from core.library.library import Library, LibraryOptions
from core.responses import Mode
from tests.examples import examples

from .conftest import Opener, assert_sound, put, stop_after


@pytest.fixture
def files(folder: Path) -> Path:
    add(folder, range(10))
    return folder


def add(folder: Path, numbers: range) -> None:
    for number in numbers:
        bird = ("crow", "owl")[number % 2]
        put(folder / f"{number}.txt", f"the {bird} hunts at night. {number} crows hide food.")


def found(library: Library) -> int:
    return len(library.search("the crow hunts", mode=Mode.MEANING, limit=99).hits)


def codebook(home: Path) -> Path:
    """Return the only one."""
    (path,) = codebook_folder(home).iterdir()
    return path


def test_a_model_without_a_codebook_learns_one_from_the_librarys_passages(
    opened: Opener, home: Path, models: Path, files: Path
) -> None:
    library = opened(models / "first", bits=2)
    assert found(library) == 0
    library.add_folder(files)
    library.sync()
    hits = library.search("the crow hunts", mode=Mode.MEANING).hits
    assert len(hits) == 10
    assert hits[0].passages[0].alignments
    assert learned_at(codebook(home).name) == 10


def test_with_four_times_as_many_passages_it_is_relearned_while_the_old_one_answers(
    opened: Opener, home: Path, models: Path, files: Path
) -> None:
    library = opened(models / "first", bits=2)
    library.add_folder(files)
    library.sync()
    first = codebook(home)
    add(files, range(10, 39))
    library.sync()
    assert codebook(home) == first
    add(files, range(39, 42))
    with pytest.raises(Cancelled):
        library.sync(stop_after(8))
    # New passages are found as well, in the old one, before the new one has any.
    assert found(library) == 42
    assert len(list(codebook_folder(home).iterdir())) == 2
    library = opened(models / "first", bits=2)
    library.sync()
    assert_sound(library)
    assert found(library) == 42
    # The old one's file is deleted with the next.
    library.sync()
    assert learned_at(codebook(home).name) == 42


def test_new_files_are_encoded_once_for_the_old_and_the_relearned_codebook(
    opened: Opener, models: Path, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = opened(models / "first", bits=2)
    library.add_folder(files)
    library.sync()
    add(files, range(10, 50))
    encoded = 0
    encode = Encoder.encode_passages

    def counted(self: Encoder, tokens, report):
        nonlocal encoded
        encoded += len(tokens)
        return encode(self, tokens, report)

    monkeypatch.setattr(Encoder, "encode_passages", counted)
    library.sync()
    assert_sound(library)
    # All passages, both for learning and for results, as there are only a small number.
    assert encoded == 50 + 50


def test_a_removed_codebook_is_relearned_when_needed(
    opened: Opener, home: Path, models: Path, files: Path
) -> None:
    library = opened(models / "first", bits=2)
    library.add_folder(files)
    library.sync()
    library.close()
    codebook(home).unlink()
    add(files, range(10, 12))
    library = opened(models / "first", bits=2)
    library.sync()
    assert_sound(library)
    assert found(library) == 12
    assert learned_at(codebook(home).name) == 12


def test_a_codebook_of_an_older_kind_is_replaced_by_the_models(
    opened: Opener, home: Path, files: Path
) -> None:
    """An earlier bug: a large library at 1 bit stored only some directions of its residuals."""
    from safetensors.numpy import save

    library = opened(bits=1)
    library.add_folder(files)
    library.sync()
    data = save({"centroids": np.zeros((1, 8), np.float16), "directions": np.eye(8)})
    with library._catalog.transaction() as db:
        live = manifest.live(db)
        assert live is not None
        name = codebook_name(live.spec.model, data, 10)
        manifest.put(db, live.with_codebook(name))
    library.close()
    codebook_folder(home).mkdir()
    (codebook_folder(home) / name).write_bytes(data)
    library = opened(bits=1)
    assert any(name in problem for problem in library.check().problems)
    assert library.search("the crow hunts", mode=Mode.HYBRID).hits
    library.sync()
    assert_sound(library)
    assert found(library) == 10
    library.sync()  # its file goes with the next
    assert not list(codebook_folder(home).iterdir())


_sizes = st.lists(st.integers(1, 40), min_size=1, max_size=5)


@settings(max_examples=examples(12))
@given(sizes=_sizes, stops=st.lists(st.integers(0, 60), max_size=2))
def test_however_a_library_grows_and_shrinks_its_codebook_is_of_no_quarter_of_it(
    sizes: list[int],
    stops: list[int],
    models: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    home = tmp_path_factory.mktemp("any")
    folder = home / "documents"
    folder.mkdir()
    options = LibraryOptions(2, model=str(models / "first"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WINNOW_RUNTIME", "torch")
        with Library.open(home / "library", options) as library:
            library.add_folder(folder)
            for size in sizes:
                there = len(list(folder.iterdir()))
                add(folder, range(there, size))
                for number in range(size, there):
                    (folder / f"{number}.txt").unlink()
                for stop in stops:
                    _sync_until(library, stop)
                library.sync()
                assert_sound(library)
                assert found(library) == size
                library.sync()
                assert learned_at(codebook(library.home).name) * 4 > size


def _sync_until(library: Library, stop: int) -> None:
    """Cancel it after so many passages, if there are so many to encode."""
    with contextlib.suppress(Cancelled):
        library.sync(stop_after(stop))
