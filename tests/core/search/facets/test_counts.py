"""Counts of columns in memory are those that a loop over all documents comes to."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from core.catalog import document_paths, document_queries, documents, maintenance
from core.catalog.bulk import described as described_in_bulk
from core.catalog.catalog import Catalog
from core.catalog.documents import DocumentState, Metadata, NewPassage
from core.catalog.files import folders
from core.catalog.scope import EVERYWHERE, Scope
from core.documents.formats import all_formats
from core.errors import Cancelled
from core.files.filesystems import FileStamp
from core.library.library import Library
from core.progress import Job
from core.requests import CountFacets
from core.responses import Facets, Mode
from core.search.facets import columns
from core.search.facets.columns import CachedColumns
from core.search.facets.counts import FacetCounter
from core.search.facets.filters import FacetQuery, split
from core.search.query.language import parse
from tests.reference_counts import count, described
from tests.reference_scopes import with_words

WORDS: Final = ("owl", "crow", "kite", "tea", "bread", "hour")
PLACES: Final = ("", "birds", "birds/far", "birds/far/north", "kitchen", "a.b", "birds2")
NAMES: Final = (
    "{}.txt",
    "{}.md",
    "{}.PDF",
    "{}.tar.gz",
    "Makefile{}",
    ".hidden{}",
    "{} notes",
    "x.{}.eml",
)
AUTHORS: Final = ("", "", "Ann Bell", "ann bell", "Cleo Dee")
QUERIES: Final = (
    "",
    "owl",
    "owl tea",
    "type:pdf",
    "owl type:text type:web",
    "in:birds crow",
    "-in:far",
    "after:2021",
    "owl before:2022-06 after:2020-02-03",
    "author:bell",
    "owl tag:home",
    "-tag:home/garden",
    "size:>300",
    "owl -tea",
    "name:1 type:mail",
    "in:birds type:markdown after:2020",
    '"owl crow"',
    "nothing",
)

TAGS = ("home", "home/garden", "home/garden/roses", "tax")


class Shelf:
    """A catalog that changes at random."""

    def __init__(self, catalog: Catalog, path: Path, seed: int) -> None:
        self.catalog = catalog
        self.chance = random.Random(seed)
        self.created = 0
        self.roots = [path / "one", path / "two"]
        with catalog.transaction() as db:
            self.folders = [folders.add(db, root) for root in self.roots]

    def change(self) -> None:
        """Change some documents in one transaction."""
        with self.catalog.transaction() as db:
            for _ in range(self.chance.randint(1, 6)):
                known = [row[0] for row in db.execute("SELECT id FROM documents")]
                step = self.chance.choice(
                    (
                        self.add,
                        self.add,
                        self.read,
                        self.read,
                        self.fail,
                        self.move,
                        self.leave,
                        self.give,
                    )
                )
                step(db, self.chance.choice(known) if known else 0)

    def path(self) -> Path:
        self.created += 1
        root = self.chance.choice(self.roots)
        name = self.chance.choice(NAMES).format(self.created)
        return root / self.chance.choice(PLACES) / name

    def add(self, db: Any, _number: int) -> None:
        folder = self.chance.choice(self.folders)
        day = (self.chance.randint(2019, 2023), self.chance.randint(1, 12), 3)
        moment = datetime(*day, 23, 40).astimezone()
        stamp = FileStamp(self.chance.randint(1, 900), int(moment.timestamp()) * 10**9 + 7)
        documents.add_new(db, [(folder, str(self.path()), stamp)])

    def give(self, db: Any, _number: int) -> None:
        self.created += 1
        if self.chance.random() < 0.2:
            documents.add_program_document(
                db, folders.add_collection(db, "given"), f"given {self.created}"
            )

    def read(self, db: Any, number: int) -> None:
        texts = [
            " ".join(self.chance.choices(WORDS, k=3)) for _ in range(self.chance.randint(0, 3))
        ]
        read = [NewPassage(1, place, place + len(one), one, "") for place, one in enumerate(texts)]
        states = (DocumentState.READ, DocumentState.READ, DocumentState.OPENED)
        documents.set_read(db, number, "0a", "Title", 1, read, self.chance.choice(states))
        date = self.chance.choice(("", "2020-02-03", "1912-04-15"))
        tags = "; ".join(self.chance.sample(TAGS, self.chance.randint(0, 2)))
        about = Metadata(self.chance.choice(AUTHORS), date, tags)
        documents.set_metadata(db, number, about)

    def fail(self, db: Any, number: int) -> None:
        documents.set_failed(db, number, None, "It is broken.")

    def move(self, db: Any, number: int) -> None:
        document_paths.move(db, number, self.path())

    def leave(self, db: Any, number: int) -> None:
        way = self.chance.randint(0, 2)
        if way == 0:
            documents.remove(db, [number])
        elif way == 1:
            documents.set_in_cloud(db, [(number, FileStamp(5, 10**18))], "It is elsewhere.")
        else:
            documents.set_changed(db, [(number, FileStamp(5, 2 * 10**17))])


@pytest.fixture
def catalog(home: Path) -> Iterator[Catalog]:
    opened = Catalog(home / "catalog.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def shelf(catalog: Catalog, tmp_path: Path, request: pytest.FixtureRequest) -> Shelf:
    return Shelf(catalog, tmp_path, getattr(request, "param", 1))


def facet_query(
    query: str, scope: Scope = EVERYWHERE, found: frozenset[int] = frozenset()
) -> FacetQuery:
    rest, scopes = split(parse(query))
    words = " OR ".join(f'"{term.text}"' for term in rest.wanted)
    return FacetQuery(words, scope & rest.scope, found, scopes, scope)


def by_hand(catalog: Catalog, wanted: FacetQuery) -> Facets:
    with catalog.reading() as db:
        found = with_words(db, wanted.expression, wanted.within) | set(wanted.found)
        roots = [root.path for root in folders.roots(db)]
        return count(described(db, wanted.scopes, wanted.scope), found, roots)


def assert_alike(counting: FacetCounter, catalog: Catalog, wanted: FacetQuery) -> None:
    counted, meant = counting.count(catalog, wanted), by_hand(catalog, wanted)
    assert counted == meant
    for name in ("folders", "kinds", "days"):
        assert list(getattr(counted, name)) == list(getattr(meant, name)), name
    # Any of the names that differ in case only may come first.
    folded = [[name.casefold() for name in one.authors] for one in (counted, meant)]
    assert folded[0] == folded[1]


@pytest.mark.parametrize("shelf", range(5), indirect=True)
def test_counts_follow_every_change(shelf: Shelf) -> None:
    catalog, counter = shelf.catalog, FacetCounter(CachedColumns(least_stored=1))
    for _ in range(25):
        shelf.change()
        with catalog.reading() as db:
            assert maintenance.has_true_totals(db)
        with catalog.reading() as db:
            known = [row[0] for row in db.execute("SELECT id FROM documents")]
            paths = [Path(row[0]) for row in db.execute("SELECT path FROM documents")]
        scope = shelf.chance.choice(
            (
                EVERYWHERE,
                EVERYWHERE,
                Scope(paths=(shelf.roots[0],)),
                Scope(paths=(*paths[:1], shelf.roots[1] / "birds")),
                # No document, and no folder either.
                Scope(neither=(Scope(paths=(shelf.roots[0] / "birds" / "none.txt",)),)),
                Scope(folders=("birds",)),
                Scope(either=(Scope(folders=("north", "")), Scope(suffixes=(".md",)))),
            )
        )
        further = frozenset([*shelf.chance.sample(known, min(len(known), 2)), 10**9])
        for query in shelf.chance.sample(QUERIES, 4):
            # Counters that followed the changes, loaded ones, and fresh ones.
            for one in (
                counter,
                FacetCounter(CachedColumns(least_stored=1)),
                FacetCounter(CachedColumns()),
            ):
                assert_alike(one, catalog, facet_query(query, scope, further))
                assert_alike(one, catalog, facet_query(query))


def test_only_what_has_changed_is_read_again(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    columns_read: list[Any] = []

    def finding(db: Any, numbers: Any = None) -> Iterator[Any]:
        columns_read.append(numbers)
        return described_in_bulk(db, numbers)

    monkeypatch.setattr(columns, "described", finding)
    for _ in range(20):
        shelf.change()
    counter = FacetCounter(CachedColumns(least_stored=1))
    counter.count(shelf.catalog, facet_query(""))
    counter.count(shelf.catalog, facet_query("owl type:pdf"))
    assert columns_read == [None], "nothing has changed, and all were read again"
    with shelf.catalog.transaction() as db:
        (number,) = db.execute("SELECT min(id) FROM documents").fetchone()
        documents.set_failed(db, number, None, "It is broken.")
    assert_alike(counter, shelf.catalog, facet_query(""))
    assert columns_read == [None, [number]]

    columns_read.clear()
    assert_alike(FacetCounter(CachedColumns(least_stored=1)), shelf.catalog, facet_query(""))
    assert None not in columns_read, "the file was not used"


def test_too_many_changes_are_not_followed_one_by_one(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        shelf.change()
    counter = FacetCounter(CachedColumns())
    counter.count(shelf.catalog, facet_query(""))
    with shelf.catalog.transaction() as db:
        before = document_queries.newest_change(db)
    for _ in range(5):
        shelf.change()
    with shelf.catalog.transaction() as db:
        assert document_queries.changed_since(db, before)
        # As after a hundred thousand.
        db.execute("DELETE FROM document_changes WHERE number <= ?", [before.number + 1])
        assert document_queries.changed_since(db, before) is None
    assert_alike(counter, shelf.catalog, facet_query(""))


def test_only_the_last_changes_are_noted(catalog: Catalog) -> None:
    with catalog.transaction() as db:
        for number in (100_000, 100_001, 100_002):
            db.execute("INSERT INTO document_changes(number, document_id) VALUES (?, 1)", [number])
            (first,) = db.execute("SELECT min(number) FROM document_changes").fetchone()
            assert first > number - 100_000
        db.execute("INSERT INTO document_changes(number, document_id) VALUES (200001, 1)")
        rows = db.execute("SELECT number FROM document_changes ORDER BY number").fetchall()
        assert [row[0] for row in rows] == [100_002, 200_001]


def test_another_catalog_in_its_place_is_read_again(shelf: Shelf) -> None:
    for _ in range(8):
        shelf.change()
    counter = FacetCounter(CachedColumns(least_stored=1))
    counter.count(shelf.catalog, facet_query(""))
    with shelf.catalog.reading() as db:
        last = document_queries.newest_change(db)
    shelf.catalog.recreate()
    again = Shelf(shelf.catalog, shelf.roots[0].parent, 9)
    with shelf.catalog.reading() as db:
        while document_queries.newest_change(db).number <= last.number:
            again.change()
    assert_alike(counter, shelf.catalog, facet_query(""))
    assert_alike(FacetCounter(CachedColumns(least_stored=1)), shelf.catalog, facet_query(""))


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "folder"])
def test_a_damaged_file_is_rebuilt(
    shelf: Shelf, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(20):
        shelf.change()
    FacetCounter(CachedColumns(least_stored=1)).count(shelf.catalog, facet_query(""))
    file = shelf.catalog.path.with_suffix(".counts")
    data = file.read_bytes()
    if damage == "folder":
        file.unlink()
        file.mkdir()
    else:
        with np.load(file) as stored:
            place = data.index(stored["document_ids"].tobytes())
        file.write_bytes(
            {
                "cut": data[:place],
                "changed": data[:place] + b"\xff" + data[place + 1 :],
                "empty": b"",
            }[damage]
        )
    with caplog.at_level(logging.WARNING):
        assert_alike(FacetCounter(CachedColumns(least_stored=1)), shelf.catalog, facet_query("owl"))
    assert str(file) in caplog.text
    if damage != "folder":
        caplog.clear()
        assert_alike(FacetCounter(CachedColumns(least_stored=1)), shelf.catalog, facet_query("owl"))
        assert not caplog.text


def test_the_file_tells_no_names(shelf: Shelf) -> None:
    for _ in range(20):
        shelf.change()
    FacetCounter(CachedColumns(least_stored=1)).count(shelf.catalog, facet_query(""))
    file = shelf.catalog.path.with_suffix(".counts")
    with np.load(file) as stored:
        texts = {name for name in stored.files if stored[name].dtype.kind != "i"}
        assert texts == {"kind_names"}
        assert set(stored["kind_names"]) <= {"", *(one.key for one in all_formats())}
    for secret in ("birds", "kitchen", "Ann Bell", "Cleo", str(shelf.roots[0])):
        assert secret.encode() not in file.read_bytes()


def test_a_small_library_and_one_that_is_only_read_make_no_file(shelf: Shelf) -> None:
    for _ in range(10):
        shelf.change()
    file = shelf.catalog.path.with_suffix(".counts")
    FacetCounter(CachedColumns()).count(shelf.catalog, facet_query(""))
    assert not file.exists()
    reader = Catalog(shelf.catalog.path, is_read_only=True)
    assert_alike(FacetCounter(CachedColumns(least_stored=1)), reader, facet_query("owl"))
    reader.close()
    assert not file.exists()


def test_a_cancelled_caller_does_not_wait_for_the_rest(shelf: Shelf) -> None:
    shelf.change()
    counter = FacetCounter(CachedColumns())
    job = Job()
    ended: list[BaseException] = []

    def ask() -> None:
        try:
            counter.count(shelf.catalog, facet_query(""), job)
        except Cancelled as error:
            ended.append(error)

    with counter._columns._turn(Job()):
        other = threading.Thread(target=ask)
        other.start()
        job.cancel()
        other.join(60)
    assert len(ended) == 1
    assert_alike(counter, shelf.catalog, facet_query(""))


def test_a_librarys_own_changes_are_counted(library: Library, folder: Path) -> None:
    (folder / "owl.txt").write_text("Owls hunt mice.")
    library.add_folder(folder)
    library.sync()
    assert library.answer(CountFacets("hunt", mode=Mode.WORDS)).kinds == {"text": 1}
    (folder / "crow.md").write_text("Crows hunt, too.")
    library.sync()
    assert library.answer(CountFacets("hunt", mode=Mode.WORDS)).kinds == {"markdown": 1, "text": 1}
    (folder / "owl.txt").write_text("Owls sleep.")
    library.sync()
    assert library.answer(CountFacets("hunt", mode=Mode.WORDS)).kinds == {"markdown": 1, "text": 0}
    (folder / "owl.txt").unlink()
    library.sync()
    assert library.answer(CountFacets("hunt", mode=Mode.WORDS)).kinds == {"markdown": 1}
