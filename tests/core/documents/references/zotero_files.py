"""Libraries of Zotero, with its tables as far as they are read."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

TABLES: Final = """
CREATE TABLE groups (
    groupID INTEGER PRIMARY KEY, libraryID INT NOT NULL UNIQUE, name TEXT NOT NULL
);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT);
CREATE TABLE items (
    itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, libraryID INT NOT NULL, key TEXT NOT NULL
);
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID));
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE itemCreators (
    itemID INT NOT NULL, creatorID INT NOT NULL, creatorTypeID INT NOT NULL, orderIndex INT NOT NULL
);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE itemTags (itemID INT NOT NULL, tagID INT NOT NULL, type INT NOT NULL);
CREATE TABLE collections (
    collectionID INTEGER PRIMARY KEY, collectionName TEXT NOT NULL, parentCollectionID INT
);
CREATE TABLE collectionItems (
    collectionID INT NOT NULL, itemID INT NOT NULL, orderIndex INT NOT NULL
);
CREATE TABLE itemAttachments (
    itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT, path TEXT
);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE itemAnnotations (
    itemID INTEGER PRIMARY KEY, parentItemID INT NOT NULL, type INTEGER NOT NULL, text TEXT,
    comment TEXT, pageLabel TEXT, sortIndex TEXT NOT NULL
);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY);
INSERT INTO groups VALUES (777, 2, 'Lab');
INSERT INTO itemTypes VALUES
    (1, 'annotation'), (2, 'attachment'), (3, 'note'), (4, 'journalArticle');
INSERT INTO fields VALUES (1, 'title'), (2, 'abstractNote'), (3, 'date'), (4, 'publicationTitle');
INSERT INTO creatorTypes VALUES (1, 'author'), (2, 'editor');
INSERT INTO collections VALUES (1, 'Birds', NULL), (2, 'Owls', 1);
INSERT INTO tags VALUES (1, 'night');
"""
# Of each item: the item, its PDF, a note, an annotation of the PDF.
ITEM: Final = """
INSERT INTO items VALUES
    ({0}1, 4, {library}, 'ITEM{0:04}'), ({0}2, 2, {library}, 'FILE{0:04}'),
    ({0}3, 3, {library}, 'NOTE{0:04}'), ({0}4, 1, {library}, 'ANNO{0:04}');
INSERT INTO itemDataValues VALUES
    ({0}1, 'How owls hunt {0}'), ({0}2, 'Owls hear mice {0}.'), ({0}3, '2020-03-00 March 2020 {0}'),
    ({0}4, 'Journal {0}');
INSERT INTO itemData VALUES ({0}1, 1, {0}1), ({0}1, 2, {0}2), ({0}1, 3, {0}3), ({0}1, 4, {0}4);
INSERT INTO creators VALUES ({0}1, 'Ann', 'Rook{0}', 0), ({0}2, 'Bo', 'Crow{0}', 0);
INSERT INTO itemCreators VALUES ({0}1, {0}2, 2, 0), ({0}1, {0}1, 1, 1);
INSERT INTO itemTags VALUES ({0}1, 1, 0);
INSERT INTO collectionItems VALUES (2, {0}1, 0);
INSERT INTO itemAttachments VALUES ({0}2, {0}1, 0, 'application/pdf', 'storage:paper.txt');
INSERT INTO itemNotes VALUES ({0}3, {0}1, '<div><p>A <b>remark</b> {0}.</p></div>', 'A remark');
INSERT INTO itemAnnotations VALUES ({0}4, {0}2, 1, 'mice heard {0}', 'check this', '12', '00012');
"""


def write_library(path: Path, count: int = 2, journal_mode: str = "WAL") -> None:
    """Write a library with some items, the last one in a group, and a deleted one."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA journal_mode = {journal_mode}")
        db.executescript(TABLES)
        for item in range(1, count + 2):
            library = 2 if item == count else 1
            db.executescript(ITEM.format(item, library=library))
        db.execute("INSERT INTO deletedItems VALUES (?)", [(count + 1) * 10 + 1])
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
