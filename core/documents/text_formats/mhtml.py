"""Web pages that a browser saved in one file (.mhtml, .mht): a mail with the page as its root."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path

from core.documents.dates import iso_date
from core.documents.decoding import decode_as, decode_markup
from core.documents.document import Document
from core.documents.files import read_bytes
from core.documents.text_formats.html import document_of
from core.documents.titles import real_title
from core.errors import DocumentError

_PAGES = frozenset({"text/html", "application/xhtml+xml"})


def read(path: Path) -> Document:
    """Read a saved web page: the text of its root, nothing of the parts beside it.

    Raises:
        DocumentError: It cannot be read, is too large, or holds no web page.
    """
    data = read_bytes(path)
    message = message_from_bytes(data)
    root = _root(message)
    if root is None:
        if b"<html" in data[:10_000].lower():
            return document_of(decode_markup(data))  # a page under another name
        raise DocumentError("holds no web page")
    payload = root.get_payload(decode=True)
    body = payload if isinstance(payload, bytes) else b""
    charset = root.get_content_charset()
    document = document_of((decode_as(body, charset) if charset else None) or decode_markup(body))
    title = document.title or real_title(_words(message["Subject"]))
    return replace(document, title=title, date=document.date or iso_date(_words(message["Date"])))


def _root(message: Message) -> Message | None:
    """Return the part that the message names as its root, or else the first that is a page."""
    pages = [part for part in message.walk() if part.get_content_type() in _PAGES]
    start = message.get_param("start")
    named = (part for part in pages if start and part["Content-ID"] == start)
    return next(named, pages[0] if pages else None)


def _words(header: object) -> str:
    """Return a header as a person reads it."""
    raw = "" if header is None else str(header)
    try:
        return str(make_header(decode_header(raw)))
    except (MessageError, LookupError, ValueError):
        return raw  # not encoded by the rules: as it stands
