"""Removed passages leave the index's folder, and foreign files stay."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from core.catalog import passages
from core.catalog.catalog import Catalog
from core.index import segment

from .conftest import add_document, remove_document, vectors_of
from .test_index_parts import fill, open_index, whole

if TYPE_CHECKING:
    import pytest


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
    """A program has too many files open, another one looks for viruses in this one."""
    index = open_index(catalog)
    with closing(index.store):
        fill(catalog, index, "a")
        with monkeypatch.context() as patch:

            def refuse(*_: object, **__: object) -> None:
                raise OSError(24, "Too many open files")

            patch.setattr(segment.mmap, "mmap", refuse)
            assert "damaged" in index.store.damage()
        index.writer.clean()
        assert index.store.damage() == ""
        assert passages.count_waiting(catalog.connection()) == 0
