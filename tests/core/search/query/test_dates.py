"""Documents are of the day that they give; those that give none are of their file's."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from core.catalog.catalog import Catalog
from core.catalog.text.normalisation import NS, moment_ns
from core.encoders.encoder import Encoder
from core.library.library import Library
from core.requests import CountFacets
from core.responses import Mode
from core.search.facets import columns
from tests.conftest import indexed_library

MAIL = """From: Ann Bell <ann@example.org>
Subject: Owls
Date: Fri, 03 May 2019 12:00:00 +0000

Owls hunt at night.
"""


def write_documents(folder: Path) -> None:
    texts = {
        "old.eml": MAIL,
        "unset.eml": MAIL.replace("03 May 2019", "01 Jan 1601"),
        "note.txt": "Owls hunt mice.",
    }
    for name, text in texts.items():
        path = folder / name
        path.write_text(text)
        moment = datetime(2024, 3, 1 + len(name), 12).astimezone().timestamp()
        os.utime(path, (moment, moment))


@pytest.fixture(scope="module")
def mails(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """An indexed library of the documents. Tests must not change it."""
    root = tmp_path_factory.mktemp("shared")
    (root / "documents").mkdir()
    write_documents(root / "documents")
    with indexed_library(encoder, root) as library:
        yield library


@pytest.fixture
def own_mails(library: Library, folder: Path) -> Library:
    """An indexed library of the documents, which the test may change."""
    write_documents(folder)
    library.add_folder(folder)
    library.sync()
    return library


def found(library: Library, query: str) -> list[str]:
    return [hit.path.name for hit in library.search(query, mode=Mode.WORDS).hits]


def test_a_mail_is_of_the_day_on_which_it_was_sent(mails: Library) -> None:
    assert found(mails, "owls before:2020") == ["old.eml"]
    assert sorted(found(mails, "owls after:2024")) == ["note.txt", "unset.eml"]
    counted = mails.answer(CountFacets("owls", mode=Mode.WORDS))
    assert [day.year for day in counted.days] == [2024, 2024, 2019]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be changed here")
@pytest.mark.parametrize("zone", ["America/New_York", "UTC", "Asia/Tokyo"])
def test_days_of_long_ago_are_counted_as_the_days_that_documents_say(
    zone: str, library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before 1971 not every system knows the local time; all counts must agree on it."""
    days = (date(1912, 4, 15), date(1970, 6, 1), date(1971, 6, 1), date(2019, 5, 3))
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        columns._day.cache_clear()
        for day in days:
            (folder / f"{day}.md").write_text(f"---\ndate: {day}\n---\nOwls hunt mice.")
        library.add_folder(folder)
        library.sync()
        assert tuple(reversed(library.answer(CountFacets("owls", mode=Mode.WORDS)).days)) == days
        for day in days:
            query = f"owls after:{day} before:{day + timedelta(1)}"
            assert found(library, query) == [f"{day}.md"]
    finally:
        monkeypatch.undo()
        time.tzset()
        columns._day.cache_clear()


def test_filters_alone_list_by_date_and_score_nothing(mails: Library) -> None:
    results = mails.search("name:e")
    assert [hit.path.name for hit in results.hits] == ["unset.eml", "note.txt", "old.eml"]
    assert [hit.dated_ns for hit in results.hits] == sorted(
        (hit.dated_ns for hit in results.hits), reverse=True
    )
    assert {one.score for hit in results.hits for one in hit.passages} == {0.0}
    assert all(not one.found_by for hit in results.hits for one in hit.passages)


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2024-06-30T12:00:00+02:00", datetime(2024, 6, 30, 10, tzinfo=UTC)),
        ("2024-06-30T12:00", datetime(2024, 6, 30, 12).astimezone()),
        ("2024-06-30", datetime(2024, 6, 30).astimezone()),
        ("2024-06", datetime(2024, 6, 1).astimezone()),
        ("2024", datetime(2024, 1, 1).astimezone()),
        ("1950-02-03", datetime(1950, 2, 3, tzinfo=UTC)),
        *((written, None) for written in ("", "soon", "2024-13", "1601-01-01", "9999", "-")),
    ],
)
def test_a_date_is_a_moment(written: str, moment: datetime | None) -> None:
    assert moment_ns(written) == (None if moment is None else int(moment.timestamp()) * NS)


def test_a_document_without_a_date_any_more_has_the_date_of_its_file(
    own_mails: Library, folder: Path, home: Path
) -> None:
    path = folder / "old.eml"
    path.write_text(MAIL.replace("Date: Fri, 03 May 2019 12:00:00 +0000\n", ""))
    own_mails.sync()
    with Catalog(home / "catalog.sqlite").reading() as db:
        rows = db.execute("SELECT said_ns FROM documents WHERE path LIKE '%old.eml'").fetchall()
    assert [row[0] for row in rows] == [None]
