"""Brings the translations up to date with the code, and says what is missing.

Started by `dev.py translations`. Texts that are new come to the .ts files without a translation;
write it there, by hand or with Qt Linguist, and start this once more for the .qm files.
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
    """Give all that is translated.

    Raises:
        TextError: a text stands in the code as no translation would find it.
    """
    # What of the app knows no Qt speaks as the engine does.
    sentences = sentences_of_engine(root / "core") | sentences_of_engine(root / "app")
    return texts_of_window(root / "app") | sentences


def file_of(language: str, folder: Path = FOLDER) -> Path:
    return folder / f"winnow_{language}.ts"


def texts_for(language: str, texts: set[Text]) -> set[Text]:
    """Give those of `texts` that a language has to say: of its own English has the plurals."""
    return {text for text in texts if text.has_plurals} if language == "en" else texts


def update(folder: Path, texts: set[Text]) -> None:
    """Write all files anew for these texts; translations that there are stay."""
    for language in ts_files.PLURAL_FORMS:
        path = file_of(language, folder)
        translations = ts_files.merged(texts_for(language, texts), ts_files.read(path), language)
        ts_files.write(path, translations, language)
        ts_files.release(path, path.with_suffix(".qm"))


def problems(folder: Path) -> list[str]:
    """Give what is wrong with the translations, a line for each text."""
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
    """Update, then report; the status says whether all is translated."""
    try:
        texts = texts_of()
    except TextError as error:
        print(error, file=sys.stderr)
        return 1
    update(FOLDER, texts)
    missing = problems(FOLDER)
    print("\n".join([*missing, f"{len(texts)} texts, {len(missing)} to be looked at."]))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
