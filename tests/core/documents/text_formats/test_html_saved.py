from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.text_formats import html
from core.errors import DocumentError


@pytest.fixture
def read(tmp_path: Path):
    def read_source(source: bytes) -> Document:
        path = tmp_path / "page.mhtml"
        path.write_bytes(source)
        return html.read_saved(path)

    return read_source


def _saved(markup: str, charset: str = "utf-8", encoding: str = "quoted-printable") -> bytes:
    message = EmailMessage()
    message["From"] = "<Saved by Blink>"
    message["Subject"] = "Müllers Seite"
    message["Date"] = "Sun, 30 Jun 2024 12:05:00 -0000"
    message.set_content("p { color: red }", subtype="css")
    message.make_related()
    message.add_related(markup, subtype="html", charset=charset, cte=encoding)
    message.add_related(b"GIF89a", "image", "gif")
    return message.as_bytes()


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64"])
@pytest.mark.parametrize("charset", ["utf-8", "latin-1"])
def test_the_page_within_is_read(read, charset: str, encoding: str) -> None:
    document = read(_saved("<h2>Über Krähen</h2><p>Sie sind <b>klug</b>.", charset, encoding))
    assert document.pages[0].text == "Über Krähen\n\nSie sind klug."
    assert (document.title, document.date) == ("Müllers Seite", "2024-06-30T12:05:00")


def test_a_title_in_an_unknown_character_set_is_read(read) -> None:
    source = _saved("x").replace(b"=?utf-8?", b"=?x-unknown?")
    assert read(source).title == "Müllers Seite"


def test_the_page_s_own_title_goes_first(read) -> None:
    assert read(_saved("<title>Crows</title>x")).title == "Crows"


def test_the_part_that_is_named_as_root_is_the_page(read) -> None:
    source = (
        b'MIME-Version: 1.0\nContent-Type: multipart/related; boundary=B; start="<b@x>"\n\n'
        b"--B\nContent-Type: text/html\nContent-ID: <a@x>\n\nframe\n"
        b"--B\nContent-Type: text/html\nContent-ID: <b@x>\n\nroot\n--B--\n"
    )
    assert read(source).pages[0].text == "root"


def test_a_page_under_the_wrong_name_is_read(read) -> None:
    assert read(b"<!doctype html><html><p>Crows").pages[0].text == "Crows"


@pytest.mark.parametrize("source", [b"", b"just text", b"Content-Type: image/png\n\nx"])
def test_a_file_without_a_page_has_a_reason(read, source: bytes) -> None:
    with pytest.raises(DocumentError, match=r"^No web page found$"):
        read(source)
