"""Write the list of common words that spelling suggestions never change.

    python3 -m tools.common_words WHEEL

WHEEL is the wheel of pyspellchecker (MIT): its frequency lists have the words of an English and a
German dictionary, and common words of five more languages. The vocabulary of Winnow's model adds
names. The list is sorted and without accents, as `core.common_words` searches it.
"""

from __future__ import annotations

import gzip
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.common_words import FEWEST_LETTERS, FILE
from core.files.paths import RESOURCES
from core.search.words.stems import bare

# Frequencies from which words are listed. That of a word which pyspellchecker knows only from a
# dictionary is 50; of languages that fewer people use with Winnow only words from texts are listed.
_LEAST: Final = {"en": 0, "de": 0, "es": 100, "fr": 100, "it": 100, "nl": 100, "pt": 100}
_WORDS_OF_PART: Final = 5_000
# Words that are younger than the lists.
_NEW: Final = "bitcoin blog covid ebook email emoji facebook iphone podcast smartphone wifi wlan"


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("Usage: python3 -m tools.common_words WHEEL")
    words = {bare(word) for word in _words(Path(sys.argv[1]))}
    listed = sorted(word for word in words if word.isalpha() and len(word) >= FEWEST_LETTERS)
    write(listed)
    print(f"{len(listed):,} words, {FILE.stat().st_size:,} bytes")


def write(listed: list[str]) -> None:
    """Write the file, with the same bytes for the same words."""
    FILE.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(FILE, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for start in range(0, len(listed), _WORDS_OF_PART):
            part = listed[start : start + _WORDS_OF_PART]
            archive.writestr(
                zipfile.ZipInfo(part[0]), "\n".join(["", *part, ""]), zipfile.ZIP_DEFLATED
            )


def _words(wheel: Path) -> Iterator[str]:
    with zipfile.ZipFile(wheel) as archive:
        for language, least in _LEAST.items():
            data = archive.read(f"spellchecker/resources/{language}.json.gz")
            counts = json.loads(gzip.decompress(data))
            yield from (word for word, count in counts.items() if count >= least)
    tokenizer = RESOURCES / "models" / "winnow-mini" / "tokenizer.json"
    yield from json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]
    yield from _NEW.split()


if __name__ == "__main__":
    main()
