"""Names of the families of file types; the side bar lists types by family."""

from PySide6.QtCore import QCoreApplication

from core.documents.formats import OTHERS


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
