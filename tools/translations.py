"""Update the translations from the code, and list missing ones.

Run by `dev.py translations`. New texts are added to the .ts files without a translation. Translate
them there, by hand or with Qt Linguist, and run this again to compile the .qm files.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from tools import consistency, ts_files
from tools.sentences import sentences_of_engine
from tools.texts import Text, TextError, texts_of_window

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "resources" / "translations"


def texts_of(root: Path = ROOT) -> set[Text]:
    """Return all translatable texts.

    Raises:
        TextError: a text is used in a way that cannot be translated.
    """
    # Modules of the app without Qt use the engine's messages.
    sentences = sentences_of_engine(root / "core") | sentences_of_engine(root / "app")
    return texts_of_window(root / "app") | sentences


def file_of(language: str, folder: Path = FOLDER) -> Path:
    return folder / f"winnow_{language}.ts"


def texts_for(language: str, texts: set[Text]) -> set[Text]:
    """Return the texts that need a translation; in English only those with plural forms."""
    return {text for text in texts if text.has_plurals} if language == "en" else texts


def update(folder: Path, texts: set[Text]) -> None:
    """Rewrite all files for these texts, keeping existing translations."""
    for language in ts_files.PLURAL_FORMS:
        path = file_of(language, folder)
        translations = ts_files.merged(texts_for(language, texts), ts_files.read(path), language)
        ts_files.write(path, translations, language)
        ts_files.release(path, path.with_suffix(".qm"))


def problems(folder: Path) -> list[str]:
    """Return a line for each missing, unsure or inconsistent translation."""
    found = []
    for language in ts_files.PLURAL_FORMS:
        for text, translation in ts_files.read(file_of(language, folder)).items():
            place = f"{language} {text.context}: {text.source!r}"
            if translation.is_done:
                found += [
                    f"{place} {fault}" for fault in consistency.faults(text, translation.forms)
                ]
            else:
                found.append(
                    f"{place} {'is unsure' if translation.is_unsure else 'has no translation'}"
                )
    return found


def main() -> int:
    """Update and report; return 0 if everything is translated."""
    try:
        texts = texts_of()
    except TextError as error:
        print(error, file=sys.stderr)
        return 1
    update(FOLDER, texts)
    missing = problems(FOLDER)
    print("\n".join([*missing, f"{len(texts)} texts, {len(missing)} to review."]))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
