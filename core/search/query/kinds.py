"""Names of file types as people write them in German and Chinese, besides the English keys."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from core.catalog.normalisation import fold
from core.errors import Message

# The keys of all formats; the translations list names from below.
KINDS: Final = Message(
    "text, code, markdown, rst, asciidoc, org, latex, table, json, xml, notebook, subtitles, web, "
    "saved, word, presentation, spreadsheet, opendocument, calendar, contacts, iwork, rtf, ebook, "
    "pdf, picture, sound, film, mail, mailbox, archive"
)
_NAMES: Final[Mapping[str, str]] = {
    "code": "Quelltext Programmcode 代码 源代码",
    "table": "CSV-Tabelle 表格",
    "notebook": "笔记本",
    "subtitles": "Untertitel 字幕",
    "web": "Webseite 网页",
    "saved": "Webarchiv 保存的网页",
    "presentation": "Präsentation 演示文稿 幻灯片",
    "spreadsheet": "Tabelle 电子表格",
    "calendar": "Kalender 日历",
    "contacts": "Kontakte 联系人",
    "ebook": "E-Book 电子书",
    "picture": "Bild 图片",
    "sound": "Audio 音频",
    "film": "Video 视频",
    "mail": "E-Mail Email 邮件",
    "mailbox": "Postfach 邮箱",
    "archive": "Archiv 压缩包",
    "text": "纯文本 文本",
}


def kind_named(name: str) -> str:
    """Return the key of a file type from its name in another language; else `name` itself.

    >>> [kind_named(name) for name in ("Präsentation", "praesentation", "邮件", "docx")]
    ['presentation', 'presentation', 'mail', 'docx']
    """
    return _keys().get(fold(name), name)


@cache
def _keys() -> Mapping[str, str]:
    found = {}
    for key, line in _NAMES.items():
        for word in line.split():
            for spelt in (word, word.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")):
                found[fold(spelt)] = key
    return found
