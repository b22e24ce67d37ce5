"""What becomes of a catalog's contents when an older one is brought up to date."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from pathlib import Path

import pytest

from core import own_files
from core.catalog import documents, manifest, passages, scope
from core.catalog.catalog import Catalog
from core.catalog.normalisation import quoted
from core.errors import LibraryError
from tests.core.catalog.released import make_older


def test_a_catalog_of_the_first_version_keeps_its_text_and_wants_its_vectors_anew(
    tmp_path: Path,
) -> None:
    """It does not say which model made them."""
    path = tmp_path / "catalog.sqlite"
    make_older(
        path,
        "remember_models",
        "INSERT INTO folders VALUES (1, '/docs', 0)",
        "INSERT INTO documents VALUES (1, 1, '/docs/a', 1, 1, 'h', 'read', '', 'a', 1)",
        "INSERT INTO segments VALUES (1, 'f', 'minilm-128', 'minilm-128/2', 1, 3, 9, 'c')",
        "INSERT INTO passages VALUES (1, 1, 1, 0, 4, 'owls', '', 3, 1)",
        "PRAGMA user_version = 1",
    )
    opened = Catalog(path)
    with opened.reading() as db:
        assert [row[1] for row in passages.waiting(db, 9)] == [""]
        assert passages.counts(db) == passages.PassageCounts(1, 1, 0, 0, 1)
        assert passages.find_words(db, "owl", -1)[0][0] == 1
        assert manifest.segments(db) == []
        assert manifest.live(db) is None
    opened.close()
    assert path.with_suffix(".v1.backup").exists()


@pytest.mark.parametrize(
    ("number", "said"),
    [(errno.ENOSPC, "full; make room and try again"), (errno.EROFS, "cannot be written")],
)
def test_a_catalog_that_cannot_be_copied_stays_and_says_so(
    number: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "catalog.sqlite"
    make_older(path, "remember_models", "PRAGMA user_version = 1")
    make_file = own_files.make_file

    def refuse(path: Path) -> None:
        if path.suffix == ".backup":
            raise OSError(number, os.strerror(number))
        make_file(path)

    with monkeypatch.context() as patch:
        patch.setattr(own_files, "make_file", refuse)
        with pytest.raises(LibraryError, match=said):
            Catalog(path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone()[0] == 1
    Catalog(path).close()


def test_a_catalog_of_the_second_version_kept_all_vectors(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    make_older(
        path,
        "remember_what_is_kept",
        "INSERT INTO folders VALUES (1, '/docs', 0)",
        "INSERT INTO documents VALUES (1, 1, '/docs/a', 1, 1, 'h', 'read', '', 'a', 1)",
        "INSERT INTO segments VALUES (1, 'f', 'm-1', 'm-1/2', 1, 3, 9, 'c')",
        "INSERT INTO passages VALUES (1, 1, 1, 0, 4, 'owls', '', 3, 1)",
        "INSERT INTO indexes VALUES (1, 'm', 'm', '1', 2, '', 0, 1)",
        "PRAGMA user_version = 2",
    )
    opened = Catalog(path)
    with opened.reading() as db:
        # What they lay in cannot be read any more: they are made again, by the same model.
        assert passages.counts(db) == passages.PassageCounts(1, 1, 0, 0, 1)
        assert manifest.segments(db) == []
        live = manifest.live(db)
        assert live is not None
        assert (live.spec.reduction, live.codec) == ("all", "m-1/2")
    opened.close()
    assert path.with_suffix(".v2.backup").exists()


def test_documents_of_an_older_catalog_say_nothing_of_their_making(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    make_older(
        path,
        "keep_author_and_date",
        "INSERT INTO folders VALUES (1, '/docs', 0)",
        "INSERT INTO documents VALUES (1, 1, '/docs/a', 1, 1, 'h', 'read', '', 'a', 1, NULL)",
        "PRAGMA user_version = 5",
    )
    opened = Catalog(path)
    with opened.reading() as db:
        (read,) = documents.read(db)
    assert (read.title, read.author, read.date) == ("a", "", "")
    opened.close()


def test_a_catalog_whose_words_were_runs_of_characters_has_them_apart(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    make_older(
        path,
        "set_words_apart",
        "INSERT INTO folders VALUES (1, '/docs', 0)",
        (
            "INSERT INTO documents(id, folder_id, path, size_bytes, mtime_ns, state)"
            " VALUES (1, 1, '/docs/a', 1, 1, 'read')"
        ),
        (
            "INSERT INTO passages(id, document_id, page, start, end, text, context)"
            " VALUES (1, 1, 1, 0, 8, '私は東京に住む owls', '')"
        ),
        "PRAGMA user_version = 4",
    )
    opened = Catalog(path)
    with opened.transaction() as db:
        for word in ("東京", "owl"):
            assert [number for number, _ in passages.find_words(db, quoted(word), -1)] == [1]
        documents.remove(db, [1])
        db.execute("INSERT INTO passages_fts(passages_fts, rank) VALUES ('integrity-check', 1)")
    opened.close()


def test_the_names_of_an_older_catalog_can_be_found(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    make_older(
        path,
        "index_names",
        "INSERT INTO folders(id, path, is_collection) VALUES (1, '/a', 0)",
        (
            "INSERT INTO documents(folder_id, path, size_bytes, mtime_ns, state)"
            " VALUES (1, '/a/Tax 2024.pdf', 1, 1, 'found')"
        ),
        "PRAGMA user_version = 10",
    )
    catalog = Catalog(path)
    [found] = scope.find_names(catalog.connection(), ["tax"], 5)
    assert found.path == Path("/a/Tax 2024.pdf")
    catalog.close()
