"""The language of the window: which one it is, and what the engine says in it.

The engine's sentences are English: they are stored in the catalog, come out of other processes and
stand at the terminal. Here the sentence that one was made of is recognised, as a translator's file
has it, and what was put into it is put into the translation.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from core.paths import RESOURCES
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


FOLDER: Final = RESOURCES / "translations"
SOURCE: Final = "en"
"""The language in which the texts stand in the code. Its file has their plural forms."""


def languages() -> tuple[str, ...]:
    """Give the languages that the window can speak, as `de` or `zh_CN`."""
    return tuple(sorted(path.stem.removeprefix("winnow_") for path in FOLDER.glob("winnow_*.qm")))


def best_language(wanted: Sequence[str], offered: Sequence[str]) -> str:
    """Give the first of `wanted` that is offered, in whatever country; the source's if none is.

    What is written in another script is another language: who asks for Chinese as in Taiwan is not
    helped by that of the mainland.

    >>> best_language(["fr-FR", "de-AT", "en"], ["de", "en"])
    'de'
    >>> best_language(["zh-Hant-TW", "zh-SG"], ["en", "zh_CN"]), best_language(["fr"], ["de"])
    ('zh_CN', 'en')
    """
    for locale in map(QLocale, wanted):
        for one in offered:
            known = QLocale(one)
            if (known.language(), known.script()) == (locale.language(), locale.script()):
                return one
    return SOURCE


def speak(application: QCoreApplication, language: str = "") -> str:
    """Have the window speak `language`, where "" is the system's, and give which it speaks.

    Call it before there are widgets: those that are made already keep their texts. Numbers and
    dates follow the system, unless that speaks another language than the window does.
    """
    for one in application.findChildren(QTranslator):
        application.removeTranslator(one)
        one.deleteLater()
    system = QLocale.system()
    wanted = [language] if language else system.uiLanguages()
    spoken = best_language(wanted, languages())
    own = QLocale(spoken)
    is_chosen = bool(language) and own.language() != system.language()
    QLocale.setDefault(own if is_chosen else system)
    # The later one is asked first.
    qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for folder, name in ((qt, f"qtbase_{spoken}"), (str(FOLDER), f"winnow_{spoken}")):
        translator = QTranslator(application)
        if translator.load(name, folder):
            application.installTranslator(translator)
        else:  # Qt has none for English
            translator.deleteLater()
    return spoken


def own_names() -> list[tuple[str, str]]:
    """Give the languages as those call them who speak them, each with what names its file."""
    # Of English Qt would say in which country.
    names = {SOURCE: "English"}
    return [(names.get(one) or QLocale(one).nativeLanguageName(), one) for one in languages()]


def spoken() -> str:
    """Give the language that the window speaks."""
    application = QCoreApplication.instance()
    found = application.findChildren(QTranslator) if application is not None else []
    return found[-1].language() if found else SOURCE


def file_of(language: str) -> Path:
    """Give the file that holds the texts of a language."""
    return FOLDER / f"winnow_{language}.qm"


FILE: Final = FOLDER / "sentences.txt"
"""All sentences, one a line, with numbered gaps; written by `dev.py translations`."""
_GAP: Final = re.compile(r"\{(\d+)\}")
_END_OF_SENTENCE: Final = re.compile(r"(?<=[^\W\d])\. (?=[^\W\d_])")


def said(sentence: str) -> str:
    """Give a sentence of the engine as the person reads it; one that is not known as it is."""
    # It may quote a name, which says what it is here as everywhere.
    return quoted((_translated(sentence) or sentence) if spoken() != SOURCE else sentence)


def _translated(sentence: str) -> str:
    """Give the translation; "" for a sentence that is not known."""
    if (whole := QCoreApplication.translate("core", sentence)) != sentence:
        return whole
    for template, pattern in _patterns():
        if (match := pattern.fullmatch(sentence)) is not None:
            gaps = [_translated(gap) or gap for gap in match.groups()]
            return QCoreApplication.translate("core", template).format(*gaps)
    return _one_by_one(sentence)


def _one_by_one(sentences: str) -> str:
    """Translate several sentences, of which each but the first begins with a capital."""
    pieces = _END_OF_SENTENCE.split(sentences)
    if len(pieces) == 1:
        return _with_capital(sentences)
    first, rest = pieces[0], sentences[len(pieces[0]) + 2 :]
    done = _translated(f"{first}.") or _translated(first), _translated(rest)
    if not any(done):
        return ""
    before, after = done[0] or first, done[1] or rest
    if before.endswith((".", "。")):
        return _tr("{0} {1}").format(before, after)
    return _tr("{0}. {1}").format(before, after)


def _with_capital(sentence: str) -> str:
    lower = sentence[:1].lower() + sentence[1:]
    translated = _translated(lower) if lower != sentence else ""
    return translated[:1].upper() + translated[1:]


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Give the sentences with gaps and how each is recognised, those that say most first."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    templates = sorted((one for one in lines if _GAP.search(one)), key=_letters, reverse=True)
    return tuple((one, _pattern_of(one)) for one in templates)


def _letters(template: str) -> int:
    return len(_GAP.sub("", template))


def _pattern_of(template: str) -> re.Pattern[str]:
    """Give what matches a sentence made of `template`, with a group for each gap.

    >>> _pattern_of("has {0} pages, more than {1}").fullmatch("has 7 pages, more than 5").groups()
    ('7', '5')
    """
    pieces = _GAP.split(template)
    # Every other piece is the number of a gap.
    fixed = [re.escape(piece) for piece in pieces[::2]]
    return re.compile("(.+?)".join(fixed), re.DOTALL)


def _tr(text: str) -> str:
    return QCoreApplication.translate("sentences", text)
