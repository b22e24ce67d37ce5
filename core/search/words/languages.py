"""Language detection for stemming, by script and by function words.

Available detectors take 5 MB and more and over a second to load, which would delay each search at a
terminal; a wrong guess costs little (docs/decisions/0035-languages.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from core.catalog.text.normalisation import WORD

# Languages have the names of Snowball's stemmers.
ENGLISH: Final = "english"
# Languages that write compounds as one word.
COMPOUNDING: Final = frozenset({"danish", "dutch", "german", "norwegian", "swedish"})

_FUNCTION_WORDS: Final = {
    "catalan": "els les amb és per que una dels del són aquest aquesta al com més va ser pel i no"
    " també on quan",
    "czech": "a je na se v že s z do jsou to jako který která které byl byla bylo pro od za by po"
    " nebo také ve už",
    "danish": "og i at det en den til er som på de med han af for ikke der var et fra har blev"
    " ligger efter eller",
    "dutch": "de het een en van in is dat op te zijn voor met die niet aan er om ook als bij door"
    " maar naar werd wordt staan deze",
    ENGLISH: "the of and to in is that for it was on with as are by be this at from or an which"
    " have has not were their what who how when where why did does a i you he she we they",
    "estonian": "ja on ei see et ka oli mis kui oma aga siis või tema seda ning kes",
    "finnish": "ja on ei se että oli hän mutta ovat joka kun kuin myös sen tai ole mikä missä"
    " milloin kuka",
    "french": "le la les de des du un une et est en que qui dans pour pas sur au aux avec ce cette"
    " il elle ils sont par plus où quel quelle comment quand à",
    "german": "der die das und ist in den von zu mit dem nicht ein eine des auf für im sich als"
    " auch es an werden wird wurde sind am aus bei war wie was wer wo wann einer einem einen nach"
    " hat steht stehen viele",
    "hungarian": "a az és hogy nem egy is van volt ez azt meg de ha csak mint vagy ki mi hol mikor"
    " voltak",
    "indonesian": "yang dan di dari untuk dengan pada adalah ini itu dalam tidak oleh sebagai ke"
    " akan telah apa",
    "irish": "an na agus is tá ar go bhí le do sé sí den ag ó nach raibh",
    "italian": "il lo la gli le di del della dei delle un una e è in che per con non sono da nel"
    " nella al alla si come più quale chi dove quando",
    "lithuanian": "ir yra kad su į iš tai kaip buvo bet ne jis už po apie nuo arba",
    "norwegian": "og i at det en den til er som på de med han av for ikke der var et fra har ble"
    " ligger etter eller hvem hva",
    "polish": "i w na się z do jest nie to że jak są o po od przez dla który która które był była"
    " było oraz przy czy kto co gdzie kiedy",
    "portuguese": "o os as de do da dos das um uma e é em no na nos nas que para com não por mais"
    " são foi ao pelo pela quem qual onde quando",
    "romanian": "și în de la cu pe un o este nu din că care pentru sunt fost mai prin ale au cel"
    " cea ce cine unde când al lui ca sau fi au le dintre după această"
    " acest doar era unei unui ar avea",
    "spanish": "el la los las de del un una y es en que por con para no se al lo más su sus como"
    " son fue está qué quién dónde cuándo cuál",
    "swedish": "och i att det en den till är som på de med han av för inte var ett från har blev"
    " ligger efter eller vem vad när",
    "turkish": "ve bir bu için ile da de olarak olan çok daha ne gibi kadar sonra değil en var"
    " hangi kim nerede nasıl ise olduğu tarafından yılında ancak sahip büyük ilk her iki"
    " göre birçok arasında içinde bunun onun oldu edilen üzere diğer",
}
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
