"""Families of file types, so that the side bar lists a few of them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

# The keys of formats by family.
_KEYS: Final = {
    "documents": "pdf word opendocument rtf iwork ebook latex",
    "text": "text markdown rst asciidoc org subtitles",
    "tables": "spreadsheet table",
    "slides": "presentation",
    "mail": "mail mailbox calendar contacts",
    "web": "web saved",
    "code": "code notebook json xml",
    "images": "picture",
    "media": "sound film",
    "archives": "archive",
}
_FAMILIES: Final = {key: family for family, keys in _KEYS.items() for key in keys.split()}
OTHERS: Final = "others"


def family_of(kind: str) -> str:
    """Return the family of a format by its key; `OTHERS` for a plug-in's.

    >>> family_of("word"), family_of("scores")
    ('documents', 'others')
    """
    return _FAMILIES.get(kind, OTHERS)


def family_name(family: str) -> str:
    """Return the translated name of a family."""
    return {
        "documents": _tr("Documents"),
        "text": _tr("Text"),
        "tables": _tr("Tables"),
        "slides": _tr("Slides"),
        "mail": _tr("Mail and contacts"),
        "web": _tr("Web pages"),
        "code": _tr("Code and data"),
        "images": _tr("Images"),
        "media": _tr("Audio and video"),
        "archives": _tr("Archives"),
        OTHERS: _tr("Other types"),
    }[family]


def _tr(text: str) -> str:
    return QCoreApplication.translate("filters", text)
