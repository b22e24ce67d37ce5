"""The person's folder: all generated files, and three hundred questions for them."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import Final

from known_items import correspondence, household, texts
from known_items.items import Item, PersonFile, Question
from known_items.words import misspelt

PART: Final = "person's folder"
# Questions of each kind.
_QUOTA: Final = 24
KINDS: Final = (
    "exact name",
    "part of a name",
    "title",
    "heading",
    "sender and topic",
    "topic and date",
    "number or code",
    "phrase",
    "paraphrase",
    "all words",
    "misspelt",
    "near copy",
    "another language",
)
_SOURCES: Final = (
    household.bills,
    household.statements,
    household.manuals,
    household.near_copies,
    household.bookings,
    household.certificates,
    household.sheets,
    correspondence.mails,
    correspondence.minutes,
    correspondence.letters,
    correspondence.appointments,
    correspondence.contacts,
    texts.notes,
    texts.house_logs,
    texts.recipes,
    texts.code,
    texts.reading,
    texts.small_papers,
)
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
# Words of a quoted phrase, and signs of one in Chinese.
_PHRASE_WORDS, _PHRASE_SIGNS = 5, 7
# Kinds of questions that are also asked misspelt.
_MISSPELT: Final = ("title", "sender and topic", "all words")
# Kinds of files whose names consist of a number or are the same for many.
_UNNAMED: Final = frozenset({"mail", "appointment", "contact", "ticket"})


def files_with_questions(today: date, seed: int) -> list[Item]:
    """Return the files of the folder with their questions; `today` is the day of the questions."""
    chance = random.Random(seed)
    return [item for source in _SOURCES for item in source(today, chance)]


def questions(items: Sequence[Item], seed: int) -> list[Question]:
    """Return the questions of each kind, at most `_QUOTA` of them, drawn by the seed."""
    chance = random.Random(seed + 1)
    files = [item.file for item in items]
    answers: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for item in items:
        for kind, wordings in item.wordings.items():
            for wording in wordings:
                answers[kind][wording].add(item.file.path)
    derived = {
        "exact name": _exact_names(files, chance),
        "part of a name": _parts_of_names(files, chance),
        "heading": _headings(files),
        "phrase": _phrases(files, chance),
    }
    for kind, pairs in derived.items():
        for wording, path in pairs:
            answers[kind][wording].add(path)
    for wording, paths in list(_misspellings(answers, chance)):
        answers["misspelt"][wording] |= paths
    return [question for kind in KINDS for question in _drawn(kind, answers[kind], chance)]


def _drawn(kind: str, answers: Mapping[str, set[str]], chance: random.Random) -> Iterator[Question]:
    """Draw questions of one kind, first those with one answer."""
    wordings = sorted(answers)
    chance.shuffle(wordings)
    wordings.sort(key=lambda wording: len(answers[wording]))
    for wording in wordings[:_QUOTA]:
        yield Question(PART, kind, wording, frozenset(answers[wording]))


def _exact_names(files: Sequence[PersonFile], chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield names that only one file has, with and without their suffix."""
    stems = Counter(PurePosixPath(file.path).stem for file in files)
    for file in files:
        path = PurePosixPath(file.path)
        if stems[path.stem] == 1 and file.kind not in _UNNAMED:
            yield chance.choice((path.stem, path.name)), file.path


def _words_of_name(file: PersonFile) -> list[str]:
    return re.findall(r"[^\W_]+", PurePosixPath(file.path).stem.lower())


def _parts_of_names(
    files: Sequence[PersonFile], chance: random.Random
) -> Iterator[tuple[str, str]]:
    """Yield two parts of a name, at least one of them a word, that no other name has both of."""
    names = [set(_words_of_name(file)) for file in files]
    for file in files:
        words = _words_of_name(file)
        if len(words) < 2 or file.kind in _UNNAMED:
            continue
        first, second = sorted(chance.sample(range(len(words)), 2))
        chosen = {words[first], words[second]}
        is_worded = any(len(word) > 2 and word.isalpha() for word in chosen)
        if is_worded and sum(chosen <= name for name in names) == 1:
            yield f"{words[first]} {words[second]}", file.path


def _headings(files: Sequence[PersonFile]) -> Iterator[tuple[str, str]]:
    """Yield headings, other than the title, that are in no other file."""
    texts = [f"{file.path}\n{file.text}".lower() for file in files]
    for file in files:
        for heading in (section.heading.lower() for section in file.sections):
            is_own = heading and heading not in file.title.lower() and not heading[0].isdigit()
            if is_own and sum(heading in text for text in texts) == 1:
                yield heading, file.path


def _phrases(files: Sequence[PersonFile], chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield quoted phrases from the middle of sentences that only one file has."""
    whole = [file.text for file in files]
    for file in files:
        paragraphs = [text for section in file.sections for text in section.paragraphs]
        if file.kind in {"mail", "code"} or not paragraphs:
            continue
        paragraph = chance.choice(paragraphs)
        if _HAN.search(paragraph):
            begin = chance.randrange(max(1, len(paragraph) - _PHRASE_SIGNS))
            phrase = paragraph[begin : begin + _PHRASE_SIGNS]
            is_phrase = len(_HAN.findall(phrase)) == _PHRASE_SIGNS
        else:
            words = paragraph.split()
            begin = chance.randrange(max(1, len(words) - _PHRASE_WORDS))
            phrase = " ".join(words[begin : begin + _PHRASE_WORDS])
            is_phrase = len(words) > _PHRASE_WORDS and not re.search(r"[^\w ]", phrase)
        if is_phrase and sum(phrase in text for text in whole) == 1:
            yield f'"{phrase}"', file.path


def _misspellings(
    answers: Mapping[str, Mapping[str, set[str]]], chance: random.Random
) -> Iterator[tuple[str, set[str]]]:
    for kind in _MISSPELT:
        for wording, paths in sorted(answers[kind].items()):
            wrong = misspelt(wording, chance)
            if wrong and wrong != wording and len(paths) == 1:
                yield wrong, paths


def kinds_of_files(items: Iterable[Item]) -> Counter[str]:
    """Return the number of files of each kind."""
    return Counter(item.file.kind for item in items)
