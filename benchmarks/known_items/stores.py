"""Stores of other programs: a mail archive, a vault of notes, and a library of references.

Thirty questions, ten for each. All of it is made by seeded code.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path
from typing import Final

from known_items.items import Question
from known_items.slots import SLOTS

_PART: Final = "stores"
_THINGS: Final = (
    *("boat", "greenhouse", "piano", "ladder", "projector", "tent", "oven", "trailer", "kayak"),
    *("loom", "drone", "telescope", "press", "lathe", "canoe", "mixer", "banner", "stove"),
    *("sledge", "camera"),
)
_MATTERS: Final = ("repair", "insurance", "storage", "rental", "transport")
_ACTIONS: Final = (
    "must be collected before the caretaker locks the yard on {day}",
    "needs a new {piece} from the workshop behind the station",
    "was promised to the school for the festival in {place}",
    "cannot stay in the cellar because of the damp near the {piece}",
    "was weighed with every {piece} in the harbour of {place}",
    "lost its {piece} during the trials at {place}",
)
_SLOTS: Final = {
    "day": ("Tuesday", "Friday", "Sunday"),
    "piece": ("hinge", "valve", "bracket", "cable", "gasket"),
    "place": ("Aldern", "Brixham", "Corvey", "Dunmore", "Eastry"),
}
_REPLIES: Final = (
    "That is fine, {name} can drive on {day}.",
    "Who pays for the {piece}?",
    "Let us ask {name} first, she knew the price in {place}.",
    "I will be away until {day}.",
)
_TABLES: Final = """
CREATE TABLE groups (groupID INTEGER PRIMARY KEY, libraryID INT, name TEXT);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT, libraryID INT, key TEXT);
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID);
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE itemCreators (itemID INT, creatorID INT, creatorTypeID INT, orderIndex INT);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE itemTags (itemID INT, tagID INT, type INT);
CREATE TABLE collections (
    collectionID INTEGER PRIMARY KEY, collectionName TEXT, parentCollectionID INT
);
CREATE TABLE collectionItems (collectionID INT, itemID INT, orderIndex INT);
CREATE TABLE itemAttachments (
    itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT, path TEXT
);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE itemAnnotations (
    itemID INTEGER PRIMARY KEY, parentItemID INT, type INT, text TEXT, comment TEXT,
    pageLabel TEXT, sortIndex TEXT
);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY);
INSERT INTO itemTypes VALUES (1, 'annotation'), (2, 'attachment'), (3, 'note'),
    (4, 'journalArticle');
INSERT INTO fields VALUES (1, 'title'), (2, 'abstractNote'), (3, 'date');
INSERT INTO creatorTypes VALUES (1, 'author');
"""
# The parts of an item: the prefixes of their keys, and their types.
_PARTS: Final = (("ITEM", 4), ("FILE", 2), ("NOTE", 3), ("ANNO", 1))


def name_of(_document_id: int, path: Path) -> str:
    """Return the number of a mail, the key of a reference, or the name of a note."""
    if path.suffix == ".eml":
        return path.name[:5]
    return path.parent.name[:8] if path.suffix == ".reference" else path.name


def write_stores(folder: Path, seed: int) -> list[Question]:
    """Write the three stores, and return the questions."""
    chance = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    return [
        *_mail_archive(folder / "archive.mbox", chance),
        *_vault(folder / "vault", chance),
        *_references(folder / "zotero", chance),
    ]


def _filled(form: str, chance: random.Random) -> str:
    people = [name.split()[0] for name, _, _ in SLOTS["people"]]
    return form.format(
        name=chance.choice(people), **{key: chance.choice(values) for key, values in _SLOTS.items()}
    )


def _mail_archive(file: Path, chance: random.Random) -> Iterator[Question]:
    """Write forty conversations of six mails, each of which quotes all before it."""
    messages: list[bytes] = []
    for talk, thing in enumerate(_THINGS * 2):
        matter = _MATTERS[(talk + talk // len(_THINGS)) % len(_MATTERS)]
        statement = f"The {thing} {_filled(_ACTIONS[talk % 2], chance)}."
        people = chance.sample(SLOTS["people"], 4)
        text, first = statement, len(messages) + 1
        for turn in range(6):
            name, address, _ = people[turn % 4]
            mail = EmailMessage()
            mail["From"], mail["To"] = f"{name} <{address}>", "mara@example.org"
            mail["Subject"] = f"{'Re: ' * bool(turn)}{matter.capitalize()} of the {thing}"
            mail["Date"] = f"{1 + turn} Mar {2019 + talk % 6} 10:00:00 +0000"
            mail["Message-ID"] = f"<{talk}.{turn}@example.org>"
            if turn:
                mail["References"] = f"<{talk}.0@example.org>"
                quoted = "\n".join(f"> {line}".rstrip() for line in text.splitlines())
                own = _filled(_REPLIES[(talk + turn) % len(_REPLIES)], chance)
                text = (
                    f"{own}\n\nOn {turn} March at 10:00 {people[turn % 4 - 1][0]} wrote:\n{quoted}"
                )
            mail.set_content(text)
            messages.append(b"From x@example.org Sat Mar  1 10:00:00 2019\n" + bytes(mail) + b"\n")
        if talk % 4 == 0:
            words = statement.rstrip(".").split()
            query = " ".join((thing, matter, *words[-5:]))
            yield Question(_PART, "mail: said first", query, frozenset({f"{first:05}"}))
    file.write_bytes(b"".join(messages))


def _vault(folder: Path, chance: random.Random) -> Iterator[Question]:
    """Write forty notes with tags, aliases and links to each other."""
    (folder / ".obsidian").mkdir(parents=True, exist_ok=True)
    for index, thing in enumerate(_THINGS * 2):
        matter = _MATTERS[(index + index // len(_THINGS)) % len(_MATTERS)]
        title = f"{thing.capitalize()} {matter}"
        other = _THINGS[(index + 1) % len(_THINGS)]
        statement = f"The {thing} {_filled(_ACTIONS[2 + index % 2], chance)}."
        alias = f"{chance.choice(_SLOTS['place'])} {100 + index}"
        (folder / f"{title}.md").write_text(
            f"---\ntags: [club/{matter}]\naliases: [{alias}]\n---\n# {title}\n\n{statement}\n\n"
            f"See [[{other.capitalize()} {matter}]] for the {other}.\n",
            encoding="utf-8",
        )
        if index % 4 == 1:
            texts = {
                0: ("note: alias", alias),
                1: ("note: tag", f"tag:club/{matter} {thing}"),
                2: (
                    "note: words",
                    f"{thing} {' '.join(statement.rstrip('.').split()[-4:])} {matter}",
                ),
            }
            kind, query = texts[index // 4 % 3]
            yield Question(_PART, kind, query, frozenset({f"{title}.md"}))


def _references(folder: Path, chance: random.Random) -> Iterator[Question]:
    """Write a library of fifty items with an author, a tag, a note and an annotation each."""
    folder.mkdir(exist_ok=True)
    (folder / "zotero.sqlite").unlink(missing_ok=True)
    with closing(sqlite3.connect(folder / "zotero.sqlite")) as db:
        db.executescript(_TABLES)
        for index in range(50):
            thing, year = _THINGS[index % len(_THINGS)], 1990 + chance.randrange(30)
            matter = _MATTERS[(index + index // len(_THINGS)) % len(_MATTERS)]
            item, key, author = 10 * index, f"ITEM{index:04}", f"{_name(chance)}{_name(chance)}"
            marked = _filled(_ACTIONS[4 + index % 2], chance)
            values = (f"On the {matter} of the {thing}", f"We study each {thing}.", f"{year}-00-00")
            for number, value in enumerate(values, 1):
                db.execute("INSERT INTO itemDataValues VALUES (?, ?)", [item + number, value])
                db.execute("INSERT INTO itemData VALUES (?, ?, ?)", [item, number, item + number])
            for part, (prefix, of_type) in enumerate(_PARTS):
                own = f"{prefix}{index:04}"
                db.execute("INSERT INTO items VALUES (?, ?, 1, ?)", [item + part, of_type, own])
            path = f"storage:{thing}.pdf"
            db.execute(
                "INSERT INTO itemAttachments VALUES (?, ?, 0, 'application/pdf', ?)",
                [item + 1, item, path],
            )
            note = f"<p>Compare {_filled(_REPLIES[0], chance)}</p>"
            db.execute("INSERT INTO itemNotes VALUES (?, ?, ?, '')", [item + 2, item, note])
            annotation = f"the {thing} {marked}"
            db.execute(
                "INSERT INTO itemAnnotations VALUES (?, ?, 1, ?, '', '12', '00012')",
                [item + 3, item + 1, annotation],
            )
            db.execute("INSERT INTO creators VALUES (?, 'Ann', ?, 0)", [item, author])
            db.execute("INSERT INTO itemCreators VALUES (?, ?, 1, 0)", [item, item])
            if index % 5 == 2:
                texts = {
                    0: ("reference: author and year", f"{author} {year}"),
                    1: ("reference: title", f"{matter} {thing} {year}"),
                    2: ("reference: annotation", f"{thing} {' '.join(marked.split()[-4:])}"),
                }
                kind, query = texts[index // 5 % 3]
                yield Question(_PART, kind, query, frozenset({key}))
        db.commit()


def _name(chance: random.Random) -> str:
    return chance.choice(("Bar", "Cel", "Dor", "Fen", "Gil", "Hol", "Jan", "Kor", "Lun", "Mor"))
