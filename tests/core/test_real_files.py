"""Real documents from outside the project: opt in with WINNOW_TEST_FILES=FOLDER.

The files of these tests are read once, as a sync reads them. Files that the table next to
names are held against what people see in them; any others need only be found by words of their
own, or have a reason.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.catalog.catalog import Catalog
from core.catalog.documents import ReadDocument
from core.documents.formats import format_of
from core.errors import Cancelled, Message
from core.files.excluded_names import is_excluded
from core.library.library import Library
from core.progress import Job, Progress, Stage
from core.requests import ReadPages
from core.responses import Mode

FILES = os.environ.get("WINNOW_TEST_FILES", "")
ROOT = Path(FILES).resolve()
TABLE: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("real_files.toml").read_text(encoding="utf-8")
)

pytestmark = [
    pytest.mark.skipif(not FILES, reason="WINNOW_TEST_FILES names no folder"),
    pytest.mark.timeout(600),
]


@dataclass(frozen=True)
class Read:
    """A library that has read the files, and not encoded them.

    `reasons` says why documents were not read, `gaps` what of them was not; `messages` is what was
    logged meanwhile.
    """

    library: Library
    documents: dict[Path, ReadDocument]
    reasons: dict[Path, str]
    gaps: dict[Path, str]
    messages: list[str]

    def text(self, path: Path) -> str:
        pages = self.library.answer(ReadPages(self.documents[path].id))
        return "\n\n".join(page.text for page in pages)

    def finds(self, path: Path, phrase: str) -> bool:
        """Whether a document is a result, or a copy or version represented by one."""
        hits = self.library.search(f'"{phrase}"', mode=Mode.WORDS, limit=100).hits
        copies = {copy.path for hit in hits for copy in hit.copies}
        return path in copies or path in {hit.path for hit in hits}


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    is_read = False

    def stop_before_encoding(progress: Progress) -> None:
        nonlocal is_read
        if progress.stage is Stage.READING:
            is_read = progress.done == progress.total
        elif is_read:
            job.cancel()

    job = Job(stop_before_encoding)
    with Library.open(tmp_path_factory.mktemp("real")) as library:
        library.add_folder(ROOT)
        with _listening() as messages, contextlib.suppress(Cancelled):
            library.sync(job)
        read = {document.path: document for document in library.documents()}
        reasons = {failure.path: failure.reason for failure in library.failures()}
        yield Read(library, read, reasons, _gaps(library), messages)


def _gaps(library: Library) -> dict[Path, str]:
    catalog = Catalog(library.home / "catalog.sqlite")
    with contextlib.closing(catalog), catalog.reading() as db:
        rows = db.execute(
            "SELECT path, gaps FROM documents WHERE gaps != '' AND state IN ('read', 'no_text')"
        )
        return {Path(path): Message.unpacked(gaps) for path, gaps in rows}


@contextlib.contextmanager
def _listening() -> Iterator[list[str]]:
    """Yield the logged warnings and errors, those of reading processes included."""
    messages: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    try:
        yield messages
    finally:
        logging.getLogger().removeHandler(handler)


def test_nothing_was_logged_while_they_were_read(read: Read) -> None:
    assert read.messages == []


def test_every_file_is_indexed_or_has_a_reason(read: Read) -> None:
    formats = {path: format_of(path) for path in ROOT.rglob("*") if path.is_file()}
    offered = {
        path
        for path, kind in formats.items()
        if kind and not is_excluded(path.relative_to(ROOT).parts)
    }
    opened = {path for path in offered if (kind := formats[path]) and not kind.reader}
    seen = {path for path in (*read.documents, *read.reasons) if path.is_file()}
    assert seen - opened == offered - opened
    # Members of archives and mails are there as well.
    assert any(not path.is_file() for path in read.documents)
    # A reason ends a sentence that begins with the file's name; ours would name an error of Python.
    assert [reason for reason in read.reasons.values() if not reason or "Error" in reason] == []


@pytest.mark.parametrize("name", TABLE if FILES else [])
def test_the_text_is_what_people_see(read: Read, name: str) -> None:
    path, expected = ROOT / name, TABLE[name]
    if not _is_there(path):
        pytest.skip("not in the folder")
    if expected.get("is_unknown"):
        assert path not in read.documents
        assert path not in read.reasons
        return
    assert read.reasons.get(path, "") == expected.get("reason", "")
    assert read.gaps.get(path, "") == expected.get("gap", "")
    if "reason" in expected:
        return
    document = read.documents[path]
    for property_ in ("title", "author", "date"):
        if property_ in expected:
            assert getattr(document, property_) == expected[property_]
    text = " ".join(read.text(path).split())
    missing = [phrase for phrase in expected.get("phrases", ()) if phrase not in text]
    assert (missing, text if missing else "") == ([], "")
    assert bool(text) == ("phrases" in expected)


def test_nearly_all_are_found_by_a_phrase_from_their_middle(read: Read) -> None:
    middles = {
        ROOT / name: expected["phrases"][len(expected["phrases"]) // 2]
        for name, expected in TABLE.items()
        if "phrases" in expected and _is_there(ROOT / name)
    }
    missed = [phrase for path, phrase in middles.items() if not read.finds(path, phrase)]
    assert len(missed) <= 0.05 * len(middles), missed


def test_every_document_is_found_by_words_of_its_own(read: Read) -> None:
    missed = []
    for path in read.documents:
        text = read.text(path)
        phrase = phrase_of(text)
        if phrase:
            if not read.finds(path, phrase):
                missed.append((path, phrase))
        else:
            # A scan or a drawing: nothing a person could type is on it.
            assert not re.search(r"[^\W_]", text)
    assert missed == []


def test_every_file_of_the_folder_is_in_the_table() -> None:
    if not all(_is_there(ROOT / name) for name in TABLE):
        pytest.skip("another folder than the one that the table is about")
    listed = {_file_of(ROOT / name) for name in TABLE}
    assert {path for path in ROOT.rglob("*") if path.is_file()} == listed


def phrase_of(text: str) -> str:
    """Up to six words that stand together in a sentence near the middle; "" without words."""
    for length in (6, 4, 2, 1):
        words = rf"[^\W_]+(?:[ \n]{{1}}[^\W_]+){{{length - 1}}}"
        runs = [
            " ".join(run.split())
            for sentence in re.split(r"[.!?…。！？]|\n\n", text)
            for run in re.findall(words, sentence)
        ]
        if runs:
            return runs[len(runs) // 2]
    return ""


def _file_of(path: Path) -> Path:
    """The file of a document, or the one that contains it."""
    return next((place for place in (path, *path.parents) if place.is_file()), path)


def _is_there(path: Path) -> bool:
    return _file_of(path).is_file()
