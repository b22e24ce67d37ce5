"""The kinds of files as the person reads them."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def kind_name(key: str) -> str:
    """Give the name of a kind; one that another package adds is called by its key."""
    return _names().get(key, key)


def _names() -> dict[str, str]:
    return {
        "text": _tr("Plain text"),
        "code": _tr("Source code"),
        "markdown": _tr("Markdown"),
        "rst": _tr("reStructuredText"),
        "asciidoc": _tr("AsciiDoc"),
        "org": _tr("Org"),
        "latex": _tr("LaTeX"),
        "table": _tr("Table of text"),
        "json": _tr("JSON"),
        "xml": _tr("XML"),
        "notebook": _tr("Notebook"),
        "subtitles": _tr("Subtitles"),
        "web": _tr("Web page"),
        "saved": _tr("Saved web page"),
        "word": _tr("Word"),
        "presentation": _tr("Presentation"),
        "spreadsheet": _tr("Spreadsheet"),
        "opendocument": _tr("OpenDocument text"),
        "rtf": _tr("Rich text"),
        "ebook": _tr("E-book"),
        "pdf": _tr("PDF"),
        "picture": _tr("Picture"),
        "mail": _tr("Mail"),
        "mailbox": _tr("Mailbox"),
        "archive": _tr("Archive"),
    }


def _tr(text: str) -> str:
    return QCoreApplication.translate("kinds", text)
