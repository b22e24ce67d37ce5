"""The views of a library's documents."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.documents.document import Style
from core.errors import DocumentError
from core.library.library import Library
from core.requests import ListInner, MeasurePages, ReadMarkup, ReadPages
from tests.core.documents.test_styles import MAIL


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "documents"
    root.mkdir()
    (root / "a.eml").write_text(MAIL, encoding="utf-8")
    return root


def test_a_mail_shows_its_headers_and_what_is_attached(library: Library, folder: Path) -> None:
    library.add_folder(folder)
    library.sync()
    mail = next(one for one in library.documents() if one.path == folder / "a.eml")

    (page,) = library.answer(ReadMarkup(mail.id))
    assert [one.style for one in page.styles].count(Style.FIELD) == 4
    assert page.text == library.answer(ReadPages(mail.id))[0].text
    inside = library.answer(ListInner(mail.id))
    assert [(one.path.name, one.is_read) for one in inside] == [("a, b.txt", True), ("c.txt", True)]
    assert library.answer(ReadPages(inside[0].document_id))[0].text == "notes"
    assert library.answer(MeasurePages(mail.id)) == ()


def test_a_file_that_has_changed_shows_nothing(library: Library, folder: Path) -> None:
    library.add_folder(folder)
    library.sync()
    mail = next(one for one in library.documents() if one.path == folder / "a.eml")
    os.utime(folder / "a.eml", (1, 1))
    for request in (ReadMarkup(mail.id), MeasurePages(mail.id)):
        with pytest.raises(DocumentError, match="Changed since it was indexed"):
            library.answer(request)
