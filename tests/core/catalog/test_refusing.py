"""A catalog that cannot be used says why, in a sentence."""

from __future__ import annotations

import threading

import pytest

from core.catalog.catalog import Catalog
from core.catalog.files import folders
from core.errors import LibraryError


def test_a_closed_catalog_raises_in_every_thread(catalog: Catalog) -> None:
    messages: list[str] = []

    def ask() -> None:
        try:
            with catalog.reading() as db:
                folders.describe(db)
        except LibraryError as error:
            messages.append(str(error))

    ask()
    catalog.close()
    ask()
    other = threading.Thread(target=ask)
    other.start()
    other.join()
    assert messages == ["The library is closed."] * 2


def test_an_older_catalog_in_a_folder_that_cannot_be_written_to_is_a_sentence(
    catalog: Catalog, next_version: int
) -> None:
    catalog.close()
    lock = catalog.path.with_suffix(".upgrade-lock")
    lock.unlink(missing_ok=True)
    lock.mkdir()
    with pytest.raises(LibraryError, match="Set WINNOW_HOME to a writable folder"):
        Catalog(catalog.path)
