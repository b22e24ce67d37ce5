"""The language of the window: which one it is, and what the engine says in it.

The engine's sentences are English and know what they are made of (`core.errors.Message`): a
template, which is the key of its translation, and the fields that are put into it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from core.errors import Message, filled
from core.paths import RESOURCES
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


FOLDER: Final = RESOURCES / "translations"
# The language in which the texts stand in the code. Its file has their plural forms.
SOURCE: Final = "en"


def languages() -> tuple[str, ...]:
    """Return the languages that the window can speak, as `de` or `zh_CN`."""
    return tuple(sorted(path.stem.removeprefix("winnow_") for path in FOLDER.glob("winnow_*.qm")))


def best_language(wanted: Sequence[str], offered: Sequence[str]) -> str:
    """Return the first of `wanted` that is offered, in whatever country; the source's if none is.

    What is written in another script is another language: who asks for Chinese as in Taiwan is not
    helped by that of the mainland.

    >>> best_language(["fr-FR", "de-AT", "en"], ["de", "en"])
    'de'
    >>> best_language(["zh-Hant-TW", "zh-SG"], ["en", "zh_CN"]), best_language(["fr"], ["de"])
    ('zh_CN', 'en')
    """
    for locale in map(QLocale, wanted):
        for language in offered:
            known = QLocale(language)
            if (known.language(), known.script()) == (locale.language(), locale.script()):
                return language
    return SOURCE


def speak(application: QCoreApplication, language: str = "") -> str:
    """Have the window speak `language`, where "" is the system's, and give which it speaks.

    Call it before there are widgets: those that are made already keep their texts. Numbers and
    dates follow the system, unless that speaks another language than the window does.
    """
    for translator in application.findChildren(QTranslator):
        application.removeTranslator(translator)
        translator.deleteLater()
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
    """Return the languages as those call them who speak them, each with what names its file."""
    # Of English Qt would say in which country.
    names = {SOURCE: "English"}
    return [
        (names.get(language) or QLocale(language).nativeLanguageName(), language)
        for language in languages()
    ]


def spoken() -> str:
    """Return the language that the window speaks."""
    application = QCoreApplication.instance()
    found = application.findChildren(QTranslator) if application is not None else []
    return found[-1].language() if found else SOURCE


def file_of(language: str) -> Path:
    """Return the file that holds the texts of a language."""
    return FOLDER / f"winnow_{language}.qm"


def said(sentence: str) -> str:
    """Return a sentence of the engine as the person reads it; one that is not known as it is."""
    # It may quote a name, which says what it is here as everywhere.
    return quoted(_translated(sentence) if spoken() != SOURCE else sentence)


def _translated(sentence: str) -> str:
    """Return a message's template translated, with its fields, translated in turn, put in."""
    message = Message(sentence)
    template = QCoreApplication.translate("core", message.template)
    if template == message.template:
        # Of what stands within sentences elsewhere, the translators have what begins small.
        small = template[:1].lower() + template[1:]
        found = QCoreApplication.translate("core", small)
        template = found[:1].upper() + found[1:] if found != small else template
    return filled(template, [_translated(field) for field in message.fields])
