"""The views of a library's documents."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.documents.document import Style
from core.errors import DocumentError
from core.library.library import Library
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

    (page,) = library.views.pages(mail.id)
    assert [one.style for one in page.styles].count(Style.FIELD) == 4
    assert page.text == library.page_texts(mail.id)[0].text
    inside = library.views.inside(mail.id)
    assert [(one.path.name, one.is_read) for one in inside] == [("a, b.txt", True), ("c.txt", True)]
    assert library.page_texts(inside[0].document_id)[0].text == "notes"
    assert library.views.sizes(mail.id) == ()


def test_a_file_that_has_changed_shows_nothing(library: Library, folder: Path) -> None:
    library.add_folder(folder)
    library.sync()
    mail = next(one for one in library.documents() if one.path == folder / "a.eml")
    os.utime(folder / "a.eml", (1, 1))
    for ask in (library.views.pages, library.views.sizes):
        with pytest.raises(DocumentError, match="Changed since it was indexed"):
            ask(mail.id)
