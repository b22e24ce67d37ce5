"""Language detection for stemming, by script and by function words.

Available detectors take 5 MB and more and over a second to load, which would delay each search at a
terminal; a wrong guess costs little (docs/decisions/0035-languages.md).
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from core.catalog.text.normalisation import WORD
from core.files.paths import RESOURCES

# Languages have the names of Snowball's stemmers.
ENGLISH: Final = "english"
# Languages that write compounds as one word.
COMPOUNDING: Final = frozenset({"danish", "dutch", "german", "norwegian", "swedish"})

_FUNCTION_WORDS: Final[dict[str, str]] = json.loads(
    (RESOURCES / "words" / "function.json").read_text("utf-8")
)
_LANGUAGES_OF: Final[dict[str, list[str]]] = {}
for _language, _words in _FUNCTION_WORDS.items():
    for _word in _words.split():
        _LANGUAGES_OF.setdefault(_word, []).append(_language)

_BY_SCRIPT: Final = {
    "russian": re.compile("[\u0400-\u04ff]{2}"),
    "serbian": re.compile("[\u0452\u0458-\u045b\u045f]"),
    "greek": re.compile("[\u0370-\u03ff\u1f00-\u1fff]{2}"),
    "arabic": re.compile("[\u0600-\u06ff]{2}"),
    "persian": re.compile("[\u067e\u0686\u0698\u06af\u06a9\u06cc]"),
    "armenian": re.compile("[\u0530-\u058f]{2}"),
    "hindi": re.compile("[\u0900-\u0963]{2}"),
    "tamil": re.compile("[\u0b80-\u0bcd]{2}"),
}
_PART: Final = 0.1  # share of a text's words in a script from which the text is in it
_NEARLY: Final = 0.75
_SURE: Final = 3  # different function words of a language, from which a long text is in it
_BEGINNING: Final = 300  # characters, enough to recognise nearly all texts
_SMALL_SAMPLE: Final = 50  # texts; in more, a single match may be chance


def languages_of(text: str) -> frozenset[str]:
    """Return the languages that a text may be in, those of a script by the script alone.

    Returns all languages that it has too few words to choose between; English wins if it is one.

    >>> sorted(languages_of("Die Häuser stehen am Fluss.")), sorted(languages_of("пчёлы"))
    (['german'], ['russian'])
    """
    return frozenset(_scores(text))


def is_function_word(word: str) -> bool:
    """Return whether a word is a function word of some language except English.

    >>> is_function_word("und"), is_function_word("Haus")
    (True, False)
    """
    return any(language != ENGLISH for language in _LANGUAGES_OF.get(word.casefold(), ()))


def languages_of_word(word: str) -> frozenset[str]:
    """Return the languages of which a word is a function word.

    >>> "german" in languages_of_word("war"), "english" in languages_of_word("war")
    (True, False)
    """
    return frozenset(_LANGUAGES_OF.get(word.casefold(), ()))


def is_stop_word(word: str) -> bool:
    """Return whether a word is a function word of some language.

    >>> is_stop_word("what"), is_stop_word("house")
    (True, False)
    """
    return word.casefold() in _LANGUAGES_OF


def _scores(text: str) -> dict[str, int]:
    """Return the number of function words of each language in the text."""
    words = {word for word in WORD.findall(text.casefold()) if not word.isdigit()}
    scripts = {} if text.isascii() else _BY_SCRIPT
    languages = {
        name: _SURE
        for name, script in scripts.items()
        if script.search(text) and sum(map(bool, map(script.search, words))) >= _PART * len(words)
    }
    counts = Counter(language for word in words for language in _LANGUAGES_OF.get(word, ()))
    best = max(counts.values(), default=0)
    near = {language: count for language, count in counts.items() if count >= _NEARLY * best}
    if ENGLISH in near:
        near = {ENGLISH: near[ENGLISH]}
    return languages | near


def languages_among(texts: Iterable[str]) -> frozenset[str]:
    """Return the languages of a library, by a sample of its texts; without doubtful ones.

    >>> sorted(languages_among(["The owl is in the barn.", "Les chevaux sont dans le pré."]))
    ['english', 'french']
    """
    scores = [_scores(text[:_BEGINNING]) for text in texts]
    if len(scores) <= _SMALL_SAMPLE:
        return frozenset().union(*scores)
    sure = Counter(
        name for score_of in scores for name, count in score_of.items() if count >= _SURE
    )
    return frozenset(name for name, count in sure.items() if count > 1)
