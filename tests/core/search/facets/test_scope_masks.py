"""Scope masks from columns equal the scope's own SQL, document by document."""

from __future__ import annotations

import os
import random
import unicodedata
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from core.catalog import document_paths, documents, members
from core.catalog.catalog import Catalog
from core.catalog.documents import DocumentState, Metadata, NewPassage
from core.catalog.files import folders
from core.catalog.scope import EVERYWHERE, Scope
from core.files.filesystems import FileStamp
from core.search.facets.columns import CachedColumns
from core.search.facets.scope_masks import document_mask, passage_mask
from core.search.query.language import parse
from tests.reference_scopes import passages_in, with_words

PARTS: Final = (
    "Taxes", "taxes", "TAXES 2024", "Résumés", unicodedata.normalize("NFD", "Résumés"),
    "Straße", "STRASSE", "a b", " a  b ", "東京", "ｆｕｌｌ", "x.tar.gz", "mails.mbox",
    "50%", "under_score", "back\\slash", "℀", "c", ".hidden", "𝐀", "İstanbul",
)  # fmt: skip
NAMES: Final = (
    "a.pdf", "A.PDF", "b.Pdf", "x.tar.gz", "X.TAR.GZ", "y.gz", "tar.gz", ".pdf", ".tar.gz",
    "Makefile", "makefile", "readme", "README.md", "notes", "no ending.", "ä.ÄÖ", "ä.äö", "taxes",
    "c.d.e", "\\", "back\\slash.txt", "℀.txt", "a／b.txt", "Résumé.txt", "50%.txt", "[1].txt",
    "İ.txt",
)  # fmt: skip
SUFFIXES: Final = (
    ".pdf", ".PDF", ".gz", ".tar.gz", ".TAR.gz", "makefile", "README", "readme", ".d.e", "d.e",
    "notes", ".md", ".", "", ".äö", ".ÄÖ", "c/notes", ".x/c", "nothing", ".tar.bz2",
)  # fmt: skip
WORDS: Final = ("owl", "crow", "kite", "tea")
AUTHORS: Final = ("", "Ann Bell", "ANN BELL", "José", "Cleo Dee")
TAGS = ("home", "Home/Garden", "tax", "\u00e9t\u00e9", "homes")


class Shelf:
    """Documents at odd paths, which change."""

    def __init__(self, catalog: Catalog, path: Path, seed: int) -> None:
        self.catalog, self.chance, self.created = catalog, random.Random(seed), 0
        self.in_root = seed % 3 == 2
        self.roots = [str(path / "one"), str(path / "two")]
        with catalog.transaction() as db:
            self.folders = [folders.add(db, Path(root)) for root in self.roots]

    def path(self) -> str:
        self.created += 1
        parts = self.chance.choices(PARTS, k=self.chance.randint(0, 3))
        name = self.chance.choice(NAMES)
        if self.chance.random() < 0.5:
            name = f"{self.created} {name}"
        if self.in_root and self.chance.random() < 0.1:
            return os.sep + name
        # Not a path's way, which would make it another one.
        return os.sep.join([self.chance.choice(self.roots), *parts, name])  # noqa: PTH118

    def change(self) -> None:
        with self.catalog.transaction() as db:
            known = [row[0] for row in db.execute("SELECT id FROM documents")]
            for _ in range(self.chance.randint(1, 12)):
                self.add(db)
            for number in self.chance.sample(known, len(known) // 6):
                way = self.chance.randint(0, 5)
                if way == 0:
                    documents.remove(db, [number])
                elif way == 1:
                    documents.set_failed(db, number, None, "It is broken.")
                elif way == 2:
                    documents.set_changed(db, [(number, FileStamp(5, 2 * 10**17))])
                elif way == 3:
                    documents.set_in_cloud(db, [(number, FileStamp(7, 10**18))], "It is away.")
                else:
                    path = self.path()
                    if not db.execute("SELECT 1 FROM documents WHERE path = ?", [path]).fetchone():
                        document_paths.move(db, number, Path(path))

    def add(self, db: Any) -> None:
        path = self.path()
        if self.chance.random() < 0.1:
            self.created += 1
            collection = folders.add_collection(db, self.chance.choice(("given", "Taxes")))
            # Where a separator is another sign, it has none.
            sign = "" if self.in_root and self.created % 2 else "/"
            number = documents.add_program_document(
                db, collection, f"given{sign}{self.created}.pdf"
            )
        elif db.execute("SELECT 1 FROM documents WHERE path = ?", [path]).fetchone():
            return
        else:
            day = date(1969, 12, 1).toordinal() + self.chance.randint(0, 24_000)
            moment = datetime.fromordinal(day).timestamp() + self.chance.choice((-1, 0, 1, 43_200))
            size = self.chance.choice((0, 10, 2**40, 2**63 - 1))
            stamp = FileStamp(size, int(moment) * 10**9 + self.chance.choice((0, 1)))
            held = [
                row[0] for row in db.execute("SELECT id FROM documents WHERE container_id IS NULL")
            ]
            if held and self.chance.random() < 0.2:
                members.add_member(db, self.chance.choice(held), Path(path), stamp)
            else:
                documents.add_new(db, [(self.chance.choice(self.folders), path, stamp)])
            (number,) = db.execute("SELECT id FROM documents WHERE path = ?", [path]).fetchone()
        if self.chance.random() < 0.8:
            texts = [
                " ".join(self.chance.choices(WORDS, k=2)) for _ in range(self.chance.randint(0, 3))
            ]
            read = [NewPassage(1, at, at + len(one), one, "") for at, one in enumerate(texts)]
            states = (DocumentState.READ, DocumentState.READ, DocumentState.FOUND)
            documents.set_read(db, number, "0a", "", 1, read, self.chance.choice(states))
            written = self.chance.choice(("", "2020-02-03", "1912-04-15", "2150"))
            tags = "; ".join(self.chance.sample(TAGS, self.chance.randint(0, 2)))
            people = self.chance.choices(AUTHORS, k=2)
            about = Metadata(self.chance.choice(AUTHORS), written, tags, "", *people)
            documents.set_metadata(db, number, about)
        if self.chance.random() < 0.3:
            family = self.chance.randint(1, 3)
            db.execute("INSERT OR REPLACE INTO signatures VALUES (?, x'', ?)", [number, family])

    def scope(self, depth: int = 0) -> Scope:
        """Return a scope by chance, of which something is likely to be in the library."""
        chance = self.chance
        with self.catalog.reading() as db:
            paths = [row[0] for row in db.execute("SELECT path FROM documents")] or ["/none"]
        path = Path(chance.choice(paths))
        day = date.fromordinal(date(1969, 12, 1).toordinal() + chance.randint(0, 24_000))
        days = chance.choice((day, date(2020, 2, 3), date.max, date.min, date(1971, 1, 1)))
        part = chance.choice(PARTS)
        own: dict[str, Any] = chance.choice(
            (
                {"paths": (path,)},
                {"paths": (path.parent, Path(self.roots[0] + "x"))},
                {"paths": (Path("/"),)},
                {"paths": (Path(chance.choice(self.roots)), path)},
                {"folders": (part,)},
                {"folders": (part.upper(), path.parent.name)},
                {"folders": (f"{path.parent.parent.name}/{path.parent.name}/",)},
                {"folders": ("", path.name)},
                {"suffixes": tuple(chance.choices(SUFFIXES, k=chance.randint(1, 3)))},
                {"names": (chance.choice(("a", "É", "*.pdf", "?.P*", "[1", "", "50%")),)},
                {"authors": (chance.choice(("bell", "JOSE", "", "e")),)},
                {"authors": ("e", "l")},
                {"tags": (chance.choice(("#Home", "home/garden", "é", "gard", "tax")),)},
                {"tags": ("home", "tax")},
                {"senders": (chance.choice(("bell", "e")),), "recipients": ("e",)},
                {"titles": (chance.choice(("", "x")),)},
                {"since": days},
                {"until": days, "since": date(1980, 1, 1)},
                {"changed_since": days},
                {"changed_until": days},
                {"least_bytes": chance.choice((0, 10, 2**40, 2**70))},
                {"most_bytes": chance.choice((0, 10, -5, 2**70))},
                {"has_members": True},
                {"has_members": True, "suffixes": tuple(chance.choices(SUFFIXES, k=3))},
                {"same": (path.name,)},
                {"same": (str(path),), "seen": Scope(paths=(Path(self.roots[0]),))},
                {"without_words": tuple(chance.sample(WORDS, chance.randint(1, 2)))},
                {"suffixes": (".pdf", ".md"), "folders": (part, "c"), "most_bytes": 10},
                {},
            )
        )
        scope = Scope(**own)
        if depth < 3:
            inner = [self.scope(depth + 1) for _ in range(chance.randint(0, 3 - depth))]
            way = chance.randint(0, 3)
            if way == 0:
                scope = Scope(every=(scope, *inner))
            elif way == 1:
                scope = Scope(**own, either=tuple(inner))
            elif way == 2:
                scope = Scope(**own, neither=tuple(inner))
        return scope


@pytest.fixture
def shelf(home: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Shelf]:
    catalog = Catalog(home / "catalog.sqlite")
    yield Shelf(catalog, tmp_path, getattr(request, "param", 1))
    catalog.close()


def assert_alike(shelf: Shelf, cached: CachedColumns, scope: Scope) -> None:
    with shelf.catalog.reading() as db:
        meant = passages_in(db, scope)
        holders = with_words(db, "", scope)
    with cached.now(shelf.catalog) as (db, moment):
        chosen = passage_mask(db, moment, scope)
        assert chosen.ids().tolist() == meant, scope
        if not scope.constrains_text:
            flags = document_mask(db, moment, scope)
            assert set(moment.columns.document_ids[flags].tolist()) == holders, scope
        condition, values = chosen.condition("id")
        rows = db.execute(f"SELECT id FROM passages WHERE {condition} ORDER BY id", values)
        assert [row[0] for row in rows] == meant, scope


@pytest.mark.parametrize("shelf", range(6), indirect=True)
def test_a_scope_holds_what_its_conditions_say(shelf: Shelf) -> None:
    cached = CachedColumns(least_stored=1)
    for _ in range(12):
        shelf.change()
        for _ in range(12):
            scope = shelf.scope()
            # Columns that followed the changes, and loaded ones.
            assert_alike(shelf, cached, scope)
            assert_alike(shelf, CachedColumns(least_stored=1), scope)


QUERIES: Final = (
    "in:taxes", 'in:"a b"', "-in:taxes", "in:taxes OR in:strasse", "in:résumés type:pdf",
    "type:pdf OR in:c -in:taxes", "type:archive", "type:text -type:pdf", "ext:tar.gz", "ext:ÄÖ",
    "after:1990", "before:2150 after:2000", "date:2020-02", "-after:2020-02-03", "changed:2001",
    "author:jose -ext:pdf", "size:>1kb", "size:<1tb in:c OR author:bell", "name:a* in:taxes",
    "has:attachment", "-has:attachment type:pdf", "-owl in:c", "-owl -in:c OR type:pdf",
    "like:a.pdf",
)  # fmt: skip


@pytest.mark.parametrize("shelf", range(6, 9), indirect=True)
def test_filters_as_they_are_typed_hold_what_their_conditions_say(shelf: Shelf) -> None:
    cached = CachedColumns()
    for _ in range(10):
        shelf.change()
    for query in QUERIES:
        assert_alike(shelf, cached, parse(query).scope)


def test_a_name_that_folds_to_a_path_is_in_no_folder(shelf: Shelf) -> None:
    place = Path(shelf.roots[0])
    with shelf.catalog.transaction() as db:
        # QueryRewrite apart, the sign is "a/c".
        path = place / "℀ of us.txt"
        documents.add_new(db, [(shelf.folders[0], str(path), FileStamp(1, 1))])
        (number,) = db.execute("SELECT id FROM documents").fetchone()
        documents.set_read(db, number, "0a", "", 1, [NewPassage(1, 0, 3, "owl", "")])
    for folder, count in (("a", 0), (place.name, 1)):
        with shelf.catalog.reading() as db:
            assert len(passages_in(db, Scope(folders=(folder,)))) == count
        assert_alike(shelf, CachedColumns(), Scope(folders=(folder,)))


def test_an_empty_library_has_empty_masks(shelf: Shelf) -> None:
    for scope in (EVERYWHERE, Scope(folders=("a",)), Scope(without_words=("owl",))):
        assert_alike(shelf, CachedColumns(), scope)


def test_recent_masks_are_cached_until_documents_change(shelf: Shelf) -> None:
    shelf.change()
    cached, scope = CachedColumns(), Scope(folders=("taxes",))
    with cached.now(shelf.catalog) as (db, moment):
        first = document_mask(db, moment, scope)
        assert document_mask(db, moment, scope) is first
        for number in range(100):
            document_mask(db, moment, Scope(most_bytes=number))
        assert len(moment.masks) < 100
        again = document_mask(db, moment, scope)
        assert again is not first
        assert np.array_equal(again, first)
    shelf.change()
    assert_alike(shelf, cached, scope)
