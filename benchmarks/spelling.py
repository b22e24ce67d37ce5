"""Measure how often the first spelling suggestion is right, and how long it takes.

    python3 dev.py bench spelling FOLDER [FOLDER ...] [--typos 500] [--seed 1] [--words 1000000]
        [--known FOLDER] [--real FILE] [--queries FOLDER]

FOLDER holds a data set in BEIR's layout, whose documents are put into a library without vectors.
Words of at least five letters that are in at least two passages are drawn with equal probability
and misspelt: letters are swapped, left out, inserted, replaced by a neighbouring key, doubled, or
written as they sound, and one word in seven has two mistakes. A misspelling that the library
contains is replaced by another. The time is that of a whole search by words. Then the vocabulary is
enlarged to `--words` words by a Markov chain over its letters, and timed again.

KNOWN is another set: counts how many of its most common words that the library lacks, all spelt
correctly, get a suggestion, and how many of those that the library has in one or two passages. FILE
has a line for each mistake made by people, `recieve->receive`.

QUERIES is a set whose correct queries are asked, once in the library of FOLDER, and counts those
that are changed or for which a change is offered. Of the queries of FOLDER itself, one word or two
are misspelt, and the corrections that restore the query are counted. With `--queries`, nothing else
is measured.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Final

import numpy as np

from core.catalog.text.index_terms import indexed
from core.documents.document import Document, Page
from core.library.library import Library
from core.requests import CORRECTED
from core.responses import Mode
from core.search.words.edit_distance import SpellingIndex, _replaced

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_HEARD: Final = (
    ("ph", "f"), ("f", "ph"), ("ie", "ei"), ("ei", "ie"), ("c", "k"), ("k", "c"), ("s", "c"),
    ("y", "i"), ("i", "y"), ("qu", "kw"), ("x", "ks"), ("sch", "sh"), ("th", "t"), ("gh", "g"),
    ("ch", "k"), ("rh", "r"), ("ou", "u"), ("ea", "ee"), ("ee", "ea"), ("ai", "ei"),
    ("ant", "ent"), ("ent", "ant"), ("able", "ible"), ("ible", "able"), ("tion", "sion"),
    ("sion", "tion"), ("z", "s"), ("s", "z"),
)  # fmt: skip
_TWICE: Final = 0.15
# The share of mistakes in the first letter.
_FIRST: Final = 0.05


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, help="data sets in BEIR's layout")
    parser.add_argument("--typos", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--known", type=Path, metavar="FOLDER")
    parser.add_argument("--real", type=Path, metavar="FILE")
    parser.add_argument("--queries", type=Path, metavar="FOLDER")
    parser.add_argument("--vectors", action="store_true", help="search by meaning, too")
    parser.add_argument("--show", action="store_true", help="print all changed queries")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        texts = read(folder)
        counts = words_of(texts)
        known = set(map(indexed, counts))
        if arguments.queries:
            judge_queries(folder, texts, counts, known, arguments)
            continue
        typos = list(mistyped(counts, known, arguments.typos, arguments.seed))
        print(f"{folder.name}: {len(texts):,} texts, {len(counts):,} words")
        with (
            tempfile.TemporaryDirectory(prefix="winnow-spelling-") as home,
            Library.open(Path(home)) as library,
        ):
            fill(library, texts)
            judge(library, "made typos", typos)
            if arguments.real:
                judge(library, "people's typos", mistakes(arguments.real, counts, known, arguments))
            if arguments.known:
                nagging(library, counts, known, words_of(read(arguments.known)), arguments)
        blown = blown_up(counts, arguments.words, arguments.seed)
        began_s = time.perf_counter()
        vocabulary = SpellingIndex(blown)
        took_s = time.perf_counter() - began_s
        print(f"  {len(blown):,} words, made ready in {took_s:.1f} s")
        fresh = [pair for pair in typos if pair[0] not in blown]
        print_accuracy("the word alone", fresh, partial(first_like, vocabulary))


def read(folder: Path) -> list[str]:
    lines = (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    entries = map(json.loads, lines)
    return [f"{entry.get('title', '')}\n{entry['text']}" for entry in entries]


def words_of(texts: Sequence[str]) -> dict[str, float]:
    """Return the number of texts that contain each word."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(set(re.findall(r"\w+", text.lower())))
    return {
        word: float(count)
        for word, count in counts.items()
        if word.isascii() and word.isalpha() and len(word) > 2
    }


def fill(library: Library, texts: Sequence[str]) -> None:
    library.add_collection(
        "texts",
        [(str(number), Document("", (Page(1, text),))) for number, text in enumerate(texts)],
    )


def mistyped(
    counts: dict[str, float], known: set[str], count: int, seed: int
) -> Iterator[tuple[str, str]]:
    """Yield misspelt words that the library does not contain, and the correct words."""
    chance = random.Random(seed)
    words = sorted(word for word, held in counts.items() if held >= 2 and len(word) >= 5)
    while count:
        word = chance.choice(words)
        typed = mistake(word, chance)
        if len(word) >= 7 and chance.random() < _TWICE:
            typed = mistake(typed, chance)
        if indexed(typed) not in known and len(typed) >= 4:
            count -= 1
            yield typed, word


def mistake(word: str, chance: random.Random) -> str:
    """Return a word with one mistake of a kind that people make."""
    place = 0 if chance.random() < _FIRST else chance.randrange(1, len(word))
    before, letter, behind = word[:place], word[place], word[place + 1 :]
    neighbours = [one for one in _LETTERS if one + letter in _replaced()]
    match chance.choices(range(6), [20, 22, 16, 22, 10, 10])[0]:
        case 0 if behind:
            return before + behind[0] + letter + behind[1:]
        case 1:
            return before + behind
        case 2:
            added: str = chance.choice([letter, *neighbours, *_LETTERS[::5]])
            return before + added + letter + behind
        case 3:
            vowels = "aeiou" if letter in "aeiou" else ""
            hit: str = chance.choice([*vowels, *neighbours, *_LETTERS[::5]])
            return before + hit + behind
        case 4:
            doubled = [at for at in range(1, len(word)) if word[at] == word[at - 1]]
            at = chance.choice(doubled) if doubled else place
            return word[:at] + word[at + 1 :] if doubled else word[:at] + word[at] + word[at:]
    heard = [(match.start(), old, new) for old, new in _HEARD for match in re.finditer(old, word)]
    if not heard:
        return before + behind
    at, old, new = chance.choice(heard)
    return word[:at] + new + word[at + len(old) :]


def mistakes(
    file: Path, counts: dict[str, float], known: set[str], arguments: argparse.Namespace
) -> list[tuple[str, str]]:
    """Return mistakes of people in words of the library, read from a file."""
    pairs = [
        (typed, meant)
        for line in file.read_text(encoding="utf-8").lower().splitlines()
        for typed, _, meant in [line.partition("->")]
        if counts.get(meant, 0) >= 2 and len(meant) >= 5 and indexed(typed) not in known
    ]
    random.Random(arguments.seed).shuffle(pairs)
    return pairs[: arguments.typos]


def judge(library: Library, name: str, pairs: Sequence[tuple[str, str]]) -> None:
    def offered(word: str) -> str:
        return library.search(word, mode=Mode.WORDS, limit=1).offered

    began_s = time.perf_counter()
    offered("qzxvqjk")
    print(f"  the first took {time.perf_counter() - began_s:.2f} s")
    print_accuracy(name, pairs, offered)


def print_accuracy(
    name: str, pairs: Sequence[tuple[str, str]], offered: Callable[[str], str]
) -> None:
    """Print how many suggestions are right, and the wall-clock and processor time of one."""
    right = same = none = 0
    wall_ms, own_ms = [], []
    for typed, meant in pairs:
        began = time.perf_counter(), time.thread_time()
        found = offered(typed)
        wall_ms.append((time.perf_counter() - began[0]) * 1000)
        own_ms.append((time.thread_time() - began[1]) * 1000)
        right += found == meant
        same += bool(found) and indexed(found) == indexed(meant)
        none += not found
    count = len(pairs)
    times = "; ".join(
        f"{kind} p50 {np.percentile(ms, 50):.1f}, p95 {np.percentile(ms, 95):.1f} ms"
        for kind, ms in (("clock", wall_ms), ("processor", own_ms))
    )
    print(
        f"  {name}: {count}, first offer right {right / count:.1%},"
        f" of the same stem {same / count:.1%}, none {none / count:.1%}; {times}",
        flush=True,
    )


def nagging(
    library: Library,
    counts: dict[str, float],
    known: set[str],
    other_counts: dict[str, float],
    arguments: argparse.Namespace,
) -> None:
    """Print how many correct words get a suggestion."""
    right = [word for word, held in other_counts.items() if held >= 15 and len(word) >= 4]
    random.Random(arguments.seed).shuffle(right)
    absent = [word for word in right if indexed(word) not in known]
    rare = [word for word in right if counts.get(word, 9) <= 2]
    for name, words in (("that it lacks", absent), ("that it has once or twice", rare)):
        drawn = words[: arguments.typos]
        found = [library.search(word, mode=Mode.WORDS, limit=1) for word in drawn]
        offered = sum(one.suggestion is not None for one in found)
        needed = sum(one.suggestion is not None and one.suggestion.is_needed for one in found)
        print(
            f"  right words {name}: {len(drawn)}, another is offered for {offered},"
            f" searched for instead of {needed}"
        )


# Queries that are asked as they are, and with one word or two misspelt.
_CORRECT: Final = 500
_MISSPELT: Final = 300


def judge_queries(
    folder: Path,
    texts: Sequence[str],
    counts: dict[str, float],
    known: set[str],
    arguments: argparse.Namespace,
) -> None:
    """Print how many correct queries are changed, and how many misspelt ones are restored."""
    mode = Mode.HYBRID if arguments.vectors else Mode.WORDS
    with (
        tempfile.TemporaryDirectory(prefix="winnow-spelling-") as home,
        Library.open(Path(home)) as library,
    ):
        fill(library, texts)
        if arguments.vectors:
            library.sync()
        mistaken: set[str] = set()
        if arguments.real:
            lines = arguments.real.read_text(encoding="utf-8").lower().splitlines()
            mistaken = {line.partition("->")[0] for line in lines}
        for source in dict.fromkeys([folder, arguments.queries]):
            # People misspell words in judged sets, too.
            correct = [
                query
                for query in queries_of(source)
                if mistaken.isdisjoint(re.findall(r"\w+", query.lower()))
            ]
            random.Random(arguments.seed).shuffle(correct)
            offered, changed = [], []
            for query in correct[:_CORRECT]:
                results = library.search(query, mode=mode, limit=5, rewrites=CORRECTED)
                if results.is_corrected:
                    changed.append((query, results.query))
                elif results.offered:
                    offered.append((query, results.offered))
            print(
                f"{folder.name}: {len(correct[:_CORRECT])} correct queries of {source.name}:"
                f" {len(changed)} are changed, for {len(offered)} a change is offered",
                flush=True,
            )
            if arguments.show:
                for before, after in [*changed, *offered]:
                    print(f"    {before} -> {after}")
        pairs = list(misspelt_queries(queries_of(folder), counts, known, arguments.seed))
        right = shown = 0
        for typed, meant in pairs:
            results = library.search(typed, mode=mode, limit=5, rewrites=CORRECTED)
            suggested = results.suggestion.query if results.suggestion else ""
            is_right = words_in(suggested) == words_in(meant)
            right += is_right
            shown += is_right and results.is_corrected
            if arguments.show and not is_right:
                print(f"    {typed} -> {suggested or '-'}")
        print(
            f"{folder.name}: {len(pairs)} queries with one or two misspellings: {right} right"
            f" corrections, {shown} of them searched for at once",
            flush=True,
        )


def words_in(query: str) -> list[str]:
    return re.findall(r"\w+", query.lower())


def queries_of(folder: Path) -> list[str]:
    """Return the distinct queries of a set in one line each, in a fixed order."""
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return sorted({" ".join(json.loads(line)["text"].split()) for line in lines})


def misspelt_queries(
    queries: Sequence[str], counts: dict[str, float], known: set[str], seed: int
) -> Iterator[tuple[str, str]]:
    """Yield queries with one misspelt word, or two in every third, and the correct queries."""
    chance = random.Random(seed)
    drawn = list(queries)
    chance.shuffle(drawn)
    left = _MISSPELT
    for query in drawn:
        words = sorted(set(re.findall(r"\b[a-z]{5,}\b", query)))
        words = [word for word in words if counts.get(word, 0) >= 2]
        wanted = 2 if left % 3 == 0 else 1
        if len(words) < wanted or not left:
            continue
        typed = query
        for word in chance.sample(words, wanted):
            wrong = mistake(word, chance)
            while indexed(wrong) in known or len(wrong) < 4:
                wrong = mistake(word, chance)
            typed = re.sub(rf"\b{word}\b", wrong, typed)
        left -= 1
        yield typed, query


def first_like(vocabulary: SpellingIndex, word: str) -> str:
    """Return the best suggestion, or ""."""
    found = vocabulary.like(word, 1)
    return vocabulary.words[found[0].word_index] if found else ""


def blown_up(counts: dict[str, float], wanted: int, seed: int) -> dict[str, float]:
    """Return the words and generated ones made of their letters, each in one passage."""
    chance = random.Random(seed)
    follows: dict[str, Counter[str]] = defaultdict(Counter)
    for word in counts:
        framed = f"^^{word}$"
        for place in range(2, len(framed)):
            follows[framed[place - 2 : place]][framed[place]] += 1
    drawn = {pair: (list(one), list(accumulate(one.values()))) for pair, one in follows.items()}
    found = dict(counts)
    while len(found) < wanted:
        generated = "^^"
        while len(generated) < 22:
            letters, weights = drawn[generated[-2:]]
            letter = chance.choices(letters, cum_weights=weights)[0]
            if letter == "$":
                break
            generated += letter
        if len(generated) > 5:
            found.setdefault(generated[2:], 1.0)
    return found


if __name__ == "__main__":
    main()
