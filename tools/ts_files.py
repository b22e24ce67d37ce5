"""Translation files of Qt Linguist (.ts), and their compiled form (.qm)."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import PySide6

from tools.texts import Text

PLURAL_FORMS: Final = {"de": 2, "en": 2, "zh_CN": 1}
"""Number of plural forms by language."""


@dataclass(frozen=True, slots=True)
class Translation:
    """The forms of a translation, one for a text without plurals; "" if missing.

    An unsure translation was copied from an equal text in another context and needs review.
    """

    forms: tuple[str, ...]
    is_unsure: bool = False

    @property
    def is_done(self) -> bool:
        return all(self.forms) and not self.is_unsure


Translations = Mapping[Text, Translation]


def read(path: Path) -> dict[Text, Translation]:
    """Return the translations in a file; none if it does not exist."""
    if not path.exists():
        return {}
    found: dict[Text, Translation] = {}
    for context in ET.parse(path).getroot().iter("context"):
        name = context.findtext("name", "")
        for message in context.iter("message"):
            text = Text(name, message.findtext("source", ""), message.findtext("comment", ""))
            translation = message.find("translation")
            assert translation is not None
            forms = [one.text or "" for one in translation.iter("numerusform")]
            is_unfinished = translation.get("type") == "unfinished"
            translated = tuple(forms or [translation.text or ""])
            found[text] = Translation(translated, is_unsure=is_unfinished and all(translated))
    return found


def merged(texts: Iterable[Text], before: Translations, language: str) -> dict[Text, Translation]:
    """Return a translation for each of `texts`, from the previous ones if possible.

    Drops translations of removed texts. Copies those of equal texts in another context.
    """
    by_source = {
        text.source: translation for text, translation in before.items() if translation.is_done
    }
    found = {}
    for text in sorted(texts):
        count = PLURAL_FORMS[language] if text.has_plurals else 1
        translation_ = before.get(text)
        if translation_ is None and text.source in by_source:
            translation_ = Translation(by_source[text.source].forms, is_unsure=True)
        if translation_ is None or len(translation_.forms) != count:
            translation_ = Translation(("",) * count)
        found[text] = translation_
    return found


def write(path: Path, translations: Translations, language: str) -> None:
    """Write a file in Linguist's format."""
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    contexts: dict[str, ET.Element] = {}
    for text, entry in sorted(translations.items(), key=lambda item: item[0]):
        if text.context not in contexts:
            contexts[text.context] = ET.SubElement(root, "context")
            ET.SubElement(contexts[text.context], "name").text = text.context
        message = ET.SubElement(contexts[text.context], "message")
        ET.SubElement(message, "source").text = text.source
        if text.comment:
            ET.SubElement(message, "comment").text = text.comment
        translation = ET.SubElement(message, "translation")
        if not entry.is_done:
            translation.set("type", "unfinished")
        if text.has_plurals:
            message.set("numerus", "yes")
            for form in entry.forms:
                ET.SubElement(translation, "numerusform").text = form
        else:
            translation.text = entry.forms[0]
    ET.indent(root, "    ")
    indented = ET.tostring(root, encoding="unicode", short_empty_elements=False)
    # Linguist does not indent contexts.
    body = indented.replace("\n    ", "\n")
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
    path.write_text(f"{head}{body}\n", encoding="utf-8")


def release(source: Path, target: Path) -> None:
    """Compile a .ts file to the .qm file that the program loads."""
    suffix = ".exe" if sys.platform == "win32" else ""
    program = Path(PySide6.__file__).parent / f"lrelease{suffix}"
    subprocess.run([program, "-silent", source, "-qm", target], check=True)
