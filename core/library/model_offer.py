"""Offers the multilingual model for texts that are not in English."""

from collections.abc import Iterable, Sequence
from typing import Final

from core.catalog import passages
from core.catalog.catalog import Catalog
from core.encoders.folders.layouts import load_checkpoint
from core.errors import ModelError
from core.indexing.build.generations import Generations
from core.model_names import BUILT_IN, MULTILINGUAL
from core.search.query.language import parse
from core.search.words.languages import ENGLISH, languages_of
from core.settings import Settings

# Number of passages sampled from a library.
_SAMPLE: Final = 64
# Texts in a recognised language that are needed, and the share of them in another than English.
_LEAST_TEXTS: Final = 3
_LEAST_SHARE: Final = 0.1
# The last letter of the Latin alphabet with its extensions.
_LAST_LATIN: Final = 0x24F


def share_in_other_languages(texts: Iterable[str]) -> float:
    """Return the share of texts in another language than English; 0 for too few or a small share.

    Texts without function words of any language (tables) do not count.

    >>> share_in_other_languages(["Der Hund schläft unter dem Tisch.", "Le chat", "狗", "The dog."])
    0.75
    """
    known = [is_english for is_english in map(_is_english, texts) if is_english is not None]
    if len(known) < _LEAST_TEXTS:
        return 0.0
    share = known.count(False) / len(known)
    return share if share >= _LEAST_SHARE else 0.0


def _is_english(text: str) -> bool | None:
    """Return whether a text is in English; None if its language is unknown."""
    letters = [letter for letter in text if letter.isalpha()]
    if sum(ord(letter) > _LAST_LATIN for letter in letters) > len(letters) / 2:
        return False
    languages = languages_of(text)
    return ENGLISH in languages if languages else None


def offered_share(
    catalog: Catalog,
    generations: Generations,
    settings: Settings,
    texts: Sequence[str] | None,
) -> float:
    """Return the share of texts that the multilingual model would understand better.

    Without texts, of the library's passages.

    0 if a model was chosen already, the one in use is not for English alone, the multilingual one
    is not installed, or hardly anything is in another language.
    """
    if not _may_offer(generations, settings):
        return 0.0
    if texts is not None:
        return share_in_other_languages(texts)
    with catalog.reading() as db:
        return share_in_other_languages(passages.spread(db, _SAMPLE))


def is_offered_for(query: str, generations: Generations, settings: Settings) -> bool:
    """Return whether the multilingual model would understand a query better.

    The query is in another language than English, and the model may be offered.
    """
    text = parse(query).text
    return _is_english(text) is False and _may_offer(generations, settings)


def _may_offer(generations: Generations, settings: Settings) -> bool:
    if settings.model or generations.target.checkpoint.name != BUILT_IN:
        return False
    try:
        load_checkpoint(MULTILINGUAL)
    except ModelError:
        return False
    return True
