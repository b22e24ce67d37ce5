"""Removed passages leave the index's folder, and foreign files stay."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import closing

import pytest

from core.catalog import passages
from core.catalog.catalog import Catalog
from core.errors import LibraryError
from core.index import segment

from .conftest import add_document, remove_document, vectors_of
from .test_index_parts import fill, open_index, whole


def refuse(number: int) -> Callable[..., None]:
    """Return a function that fails with an error of the system."""

    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def test_vectors_are_purged_next_to_a_passage_that_has_none(catalog: Catalog) -> None:
    (removed,), (bare,) = add_document(catalog, "a", 1), add_document(catalog, "b", 1)
    index = open_index(catalog)
    with closing(index.store):
        index.writer.publish(whole({removed: vectors_of(1, 3), bare: vectors_of(2, 0)}))
        remove_document(catalog, "a")
        index.writer.clean()
        index.writer.purge()
        assert list(index.store.folder.iterdir()) == []
        assert passages.count_waiting(catalog.connection()) == 0
        index.writer.clean()
        assert passages.count_waiting(catalog.connection()) == 0


def test_a_foreign_folder_next_to_the_segments_stays(catalog: Catalog) -> None:
    """Some disk stations make one, of previews, in every folder."""
    index = open_index(catalog)
    with closing(index.store):
        fill(catalog, index, "a")
        (index.store.folder / "@eaDir").mkdir()
        (index.store.folder / "stray.safetensors").touch()
        index.writer.clean()
        assert len(list(index.store.folder.glob("*.safetensors"))) == 1
        assert (index.store.folder / "@eaDir").is_dir()


def test_a_temporarily_unreachable_file_is_not_rebuilt(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program looks for viruses in it."""
    index = open_index(catalog)
    with closing(index.store):
        fill(catalog, index, "a")
        with monkeypatch.context() as patch:
            patch.setattr(segment, "MappedFile", refuse(errno.EACCES))
            assert "damaged" in index.store.damage()
        index.writer.clean()
        assert index.store.damage() == ""
        assert passages.count_waiting(catalog.connection()) == 0


def test_an_index_is_not_rebuilt_because_too_many_files_are_open(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = open_index(catalog)
    with closing(index.store):
        fill(catalog, index, "a")
        with monkeypatch.context() as patch:
            patch.setattr(segment, "MappedFile", refuse(errno.EMFILE))
            for step in (index.store.segments, index.store.damage, index.writer.clean):
                with pytest.raises(LibraryError, match="too many files are open"):
                    step()
        assert index.store.damage() == ""
        assert len(index.store.segments()) == 1
        assert passages.count_waiting(catalog.connection()) == 0
