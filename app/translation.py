"""The language of the window, and translation of the engine's messages.

The messages of the engine are English and keep their parts (`core.errors.Message`): a template,
which is the key of its translation, and the fields that are inserted.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator
from PySide6.QtGui import QGuiApplication

from core.errors import Message, filled
from core.files.paths import RESOURCES
from core.printable import quoted

FOLDER: Final = RESOURCES / "translations"
# The language of the texts in the code. Its file has their plural forms.
SOURCE: Final = "en"
# More commas than a sentence has: this text may be the list of file types. The formats are not
# imported for other sentences, because the first part of the window does not need them.
_MOST_COMMAS: Final = 20


def languages() -> tuple[str, ...]:
    """Return the available languages, for example `de` or `zh_CN`."""
    return tuple(sorted(path.stem.removeprefix("winnow_") for path in FOLDER.glob("winnow_*.qm")))


def best_language(wanted: Sequence[str], offered: Sequence[str]) -> str:
    """Return the first wanted language that is offered, of any country; else the source language.

    Another script counts as another language: simplified Chinese is no substitute for traditional
    Chinese.

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


def install_language(application: QCoreApplication, language: str = "") -> str:
    """Set the language of the window, "" for the system's, and return the one in use.

    Call it before creating widgets: existing ones keep their texts. Numbers and dates follow the
    system, unless its language differs from that of the window.
    """
    for translator in application.findChildren(QTranslator):
        application.removeTranslator(translator)
        translator.deleteLater()
    system = QLocale.system()
    wanted = [language] if language else system.uiLanguages()
    chosen = best_language(wanted, languages())
    own = QLocale(chosen)
    is_chosen = bool(language) and own.language() != system.language()
    QLocale.setDefault(own if is_chosen else system)
    # Qt searches the translator that was installed last first.
    qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    for folder, name in ((qt, f"qtbase_{chosen}"), (str(FOLDER), f"winnow_{chosen}")):
        translator = QTranslator(application)
        if translator.load(name, folder):
            application.installTranslator(translator)
        else:  # Qt has none for English
            translator.deleteLater()
    if isinstance(application, QGuiApplication):
        # Right to left for a language like Arabic, even if the window is not translated to it.
        shown = QLocale(language) if language else QLocale(wanted[0]) if wanted else system
        application.setLayoutDirection(shown.textDirection())
    return chosen


def own_names() -> list[tuple[str, str]]:
    """Return the native name and the code of each language."""
    # Qt would add the country to English.
    names = {SOURCE: "English"}
    return [
        (names.get(language) or QLocale(language).nativeLanguageName(), language)
        for language in languages()
    ]


def current_language() -> str:
    """Return the code of the language in use."""
    application = QCoreApplication.instance()
    translators = application.findChildren(QTranslator) if application is not None else []
    return translators[-1].language() if translators else SOURCE


def file_of(language: str) -> Path:
    """Return the translation file of a language."""
    return FOLDER / f"winnow_{language}.qm"


def translated(sentence: str) -> str:
    """Return the translation of a message of the engine; itself if there is none."""
    # Quoted names in it may contain misleading characters.
    return quoted(_translated(sentence) if current_language() != SOURCE else sentence)


def _translated(sentence: str) -> str:
    """Translate the template of a message and its fields."""
    if sentence.count(", ") > _MOST_COMMAS:
        from core.documents.formats import listed_keys

        if sentence == listed_keys():
            return listed_keys(current_language())
    message = Message(sentence)
    template = QCoreApplication.translate("core", message.template)
    if template == message.template:
        # Templates that occur inside sentences are translated with a lower-case initial.
        small = template[:1].lower() + template[1:]
        translation = QCoreApplication.translate("core", small)
        template = translation[:1].upper() + translation[1:] if translation != small else template
    return filled(template, [_translated(field) for field in message.fields])
