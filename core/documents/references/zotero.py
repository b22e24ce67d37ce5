"""Reads the library of Zotero: items with their tags, collections, notes and annotations."""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from core.documents.containers.unpacking import Level
from core.documents.files import check_size, start_of
from core.documents.references.entries import Entry, date_of
from core.documents.text_formats.html import document_of
from core.errors import DocumentError

# The file is copied to the memory twice.
_LARGEST_BYTES: Final = 700_000_000
_HEADER: Final = b"SQLite format 3\0"
_NOT_TEXT: Final = frozenset({"title", "date", "abstractNote"})
_CAPITAL: Final = re.compile(r"(?<=[a-z])([A-Z])")
_DEEPEST: Final = 20  # collections in one another
_ITEMS: Final = """
    SELECT itemID, items.key, typeName, groupID FROM items JOIN itemTypes USING (itemTypeID)
    LEFT JOIN groups USING (libraryID)
    WHERE itemID NOT IN (SELECT itemID FROM deletedItems) AND typeName != 'annotation'
    AND itemID NOT IN (SELECT itemID FROM itemAttachments WHERE parentItemID IS NOT NULL)
    AND itemID NOT IN (SELECT itemID FROM itemNotes WHERE parentItemID IS NOT NULL)
    ORDER BY itemID
"""
_FIELDS: Final = """
    SELECT itemID, fieldName, value FROM itemData
    JOIN itemDataValues USING (valueID) JOIN fields USING (fieldID) ORDER BY itemID, fieldID
"""
_CREATORS: Final = """
    SELECT itemID, firstName, lastName, creatorType FROM itemCreators
    JOIN creators USING (creatorID) JOIN creatorTypes USING (creatorTypeID)
    ORDER BY itemID, orderIndex
"""
_TAGS: Final = "SELECT itemID, name FROM itemTags JOIN tags USING (tagID) ORDER BY name"
_COLLECTIONS: Final = "SELECT collectionID, collectionName, parentCollectionID FROM collections"
_IN_COLLECTIONS: Final = "SELECT itemID, collectionID FROM collectionItems ORDER BY orderIndex"
# PDFs first.
_ATTACHMENTS: Final = """
    SELECT ifnull(parentItemID, itemID), itemID, key, path FROM itemAttachments
    JOIN items USING (itemID) WHERE itemID NOT IN (SELECT itemID FROM deletedItems)
    ORDER BY contentType != 'application/pdf', itemID
"""
_NOTES: Final = """
    SELECT ifnull(parentItemID, itemID), note FROM itemNotes
    WHERE itemID NOT IN (SELECT itemID FROM deletedItems) ORDER BY itemID
"""
_ANNOTATIONS: Final = """
    SELECT parentItemID, pageLabel, text, comment FROM itemAnnotations
    WHERE itemID NOT IN (SELECT itemID FROM deletedItems) ORDER BY parentItemID, sortIndex
"""


def unpack(path: Path, level: Level) -> None:
    """Unpack the items as `KEY+FILE/author year title.reference`.

    `KEY` is the item's, each `FILE` that of an attached file, whose folder in `storage` has this
    name. Items of a group are in a folder "group NUMBER".

    Raises:
        DocumentError: It is damaged, or not a library of Zotero.
    """
    check_size(path, _LARGEST_BYTES)
    data = start_of(path, -1)
    if not data.startswith(_HEADER):
        raise DocumentError("Damaged, or not a library of Zotero")
    try:
        with closing(sqlite3.connect(":memory:")) as db:
            # Without a file, the mode of the write-ahead log fails: bytes 18 and 19 choose it.
            db.deserialize(data[:18] + b"\1\1" + data[20:])
            del data
            for statement in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"):
                db.execute(f"PRAGMA {statement}")
            db.text_factory = lambda raw: raw.decode(errors="replace")
            for folder, entry in _entries(db):
                level.take(f"{folder}/{entry.file_name}", [entry.packed()])
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise DocumentError("Damaged, or not a library of Zotero") from error


def _by_item(db: sqlite3.Connection, sql: str) -> dict[int, list[Any]]:
    rows: dict[int, list[Any]] = defaultdict(list)
    for item, *values in db.execute(sql):
        rows[item].append([_text(value) for value in values])
    return rows


def _text(value: object) -> str:
    """Return a value as text; the columns of SQLite may have any type."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value or "")


def _entries(db: sqlite3.Connection) -> Iterator[tuple[str, Entry]]:
    """Yield the items, each with the folder of its document."""
    fields, creators, tags = (_by_item(db, sql) for sql in (_FIELDS, _CREATORS, _TAGS))
    notes, attached, annotations = (
        _by_item(db, sql) for sql in (_NOTES, _ATTACHMENTS, _ANNOTATIONS)
    )
    within, collections = _by_item(db, _IN_COLLECTIONS), _collections(db)
    for item, key, kind, group in db.execute(_ITEMS):
        values = dict(fields.get(item, ()))
        people = [(f"{first} {last}".strip(), role) for first, last, role in creators.get(item, ())]
        authors = [name for name, role in people if role == "author"]
        entry = Entry(
            title=values.get("title") or values.get("shortTitle") or "",
            authors=authors or [name for name, _ in people],
            date=date_of(values.get("date", "")),
            tags=[name for (name,) in tags.get(item, ())],
            fields=[("type", _text(kind))],
        )
        entry.tags += [
            collections[collection]
            for (collection,) in within.get(item, ())
            if collection in collections
        ]
        entry.fields += [(role, name) for name, role in people if authors and role != "author"]
        entry.fields += [
            (_CAPITAL.sub(r" \1", name).lower(), value)
            for name, value in values.items()
            if name not in _NOT_TEXT
        ]
        entry.parts.append(("", values.get("abstractNote", "")))
        entry.parts += [("", document_of(note).pages[0].text) for (note,) in notes.get(item, ())]
        files = attached.get(item, ())
        for file, _, _ in files:
            for page, text, comment in annotations.get(int(file), ()):
                entry.parts.append(
                    (f"p. {page}" if page else "", "\n".join(filter(None, (text, comment))))
                )
        folder = "+".join(_text(name) for name in (key, *(name for _, name, _ in files)))
        entry.fields += [("file", name.removeprefix("storage:")) for _, _, name in files if name]
        if not entry.title and (own := next((text for _, text in entry.parts if text), "")):
            entry.title = own.partition("\n")[0]
        yield (f"group {group}/{folder}" if group else folder), entry


def _collections(db: sqlite3.Connection) -> dict[str, str]:
    """Return the collections by id, each as its path: "Birds/Owls"."""
    rows = {_text(row[0]): (_text(row[1]), _text(row[2])) for row in db.execute(_COLLECTIONS)}
    paths = {}
    for collection in rows:
        names: list[str] = []
        outer = collection
        while outer in rows and len(names) < _DEEPEST:
            names.insert(0, rows[outer][0].replace("/", "-"))
            outer = rows[outer][1]
        paths[collection] = "/".join(names)
    return paths
