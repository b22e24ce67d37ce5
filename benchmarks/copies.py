"""Measure how reliably versions of texts and unrelated texts are distinguished, and the cost.

    python3 dev.py bench copies FOLDER [FOLDER ...] [--texts 400] [--search QUERIES]

Each FOLDER is a set in BEIR's layout: texts of at least 400 words are drawn from its corpus.jsonl.
With --search, a library of the first set, with every fifth document twice, is searched with that
number of its queries, by words and by both, alternately with and without folded copies.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from _machine import Machine

from core.catalog.copies import Signed
from core.catalog.text import minhash
from core.documents.document import Document, Page
from core.indexing.read.copy_detection import families_of
from core.library.library import Library
from core.responses import Mode

_WORDS: Final = 400
_THRESHOLDS: Final = (0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
_MANY: Final = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, help="folders with corpus.jsonl")
    parser.add_argument("--texts", type=int, default=400, help="texts drawn from all folders")
    parser.add_argument("--search", type=int, default=0, metavar="QUERIES")
    options = parser.parse_args()
    draw = random.Random(0)
    found = [text for folder in options.folders for text in _long_texts(folder / "corpus.jsonl")]
    texts = draw.sample(found, min(options.texts, len(found)))
    print(f"{len(texts)} of {len(found)} texts of {_WORDS} words and more")
    _print_cost(texts)
    versions = _versions(draw, texts)
    print(f"\n{'made of each text':44}{'found':>7}" + "".join(f"{one:>7}" for one in _THRESHOLDS))
    for name, change in versions.items():
        _print_rates(name, [(text, change(text)) for text in texts])
    print("\nnot versions")
    for name, pairs in _similar_pairs(draw, texts).items():
        _print_rates(name, pairs)
    _print_detected_pairs(texts)
    _print_large_scale()
    if options.search:
        _print_search_times(options.folders[0], options.search)


def _long_texts(corpus: Path) -> Iterable[str]:
    with corpus.open(encoding="utf-8") as lines:
        for line in lines:
            text = json.loads(line)["text"]
            if len(text.split()) >= _WORDS:
                yield text


def _signature(text: str) -> minhash.Signatures:
    signature = minhash.signature(minhash.words_of([text]))
    return np.frombuffer(signature.ljust(minhash.SIZE, b"\0"), dtype=np.uint8)


def _print_cost(texts: Sequence[str]) -> None:
    words = sum(len(text.split()) for text in texts)
    began_s = time.process_time()
    for text in texts:
        _signature(text)
    each_us = (time.process_time() - began_s) / len(texts) * 1e6
    print(
        f"{minhash.SIZE} bytes and {each_us:,.0f} µs a document of {words / len(texts):,.0f} words"
    )


def _versions(draw: random.Random, texts: Sequence[str]) -> dict[str, Callable[[str], str]]:
    """Return functions that make a version of a text."""
    replacements = [sentence for text in texts for sentence in _sentences(text)]

    def sentences(share: float) -> Callable[[str], str]:
        return lambda text: _changed(draw, text, share, lambda _: draw.choice(replacements))

    def words(share: float) -> Callable[[str], str]:
        return lambda text: _changed(draw, text, share, lambda word: _with_another_word(draw, word))

    shares = (0.01, 0.05, 0.1, 0.2)
    return {
        **{f"{share:.0%} of its sentences are others": sentences(share) for share in shares},
        **{f"a word is another in {share:.0%} of them": words(share) for share in shares},
        "100 other words in front of it": lambda text: (
            " ".join(draw.choice(texts).split()[:100]) + "\n" + text
        ),
        "as pages with heads and numbers": _as_pages,
        "in capitals, without accents, one line": lambda text: " ".join(text.upper().split()),
    }


def _similar_pairs(draw: random.Random, texts: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Return pairs of texts that have much in common but are not versions."""

    def bills(length: int, fields: int) -> list[tuple[str, str]]:
        return [_two_bills(draw, text, length, fields) for text in texts]

    pairs = list(pairwise(texts))
    boilerplate = texts[0].split()[:200]
    return {
        "bills: 10 fields in 150 words": bills(150, 10),
        "bills: 10 fields in 300 words": bills(300, 10),
        "bills: 20 fields in 800 words": bills(800, 20),
        "half of it the same boilerplate": [
            (
                " ".join([*boilerplate, *one.split()[:200]]),
                " ".join([*boilerplate, *other.split()[:200]]),
            )
            for one, other in pairs[1:]
        ],
    }


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", text)


def _changed(draw: random.Random, text: str, share: float, change: Callable[[str], str]) -> str:
    sentences = _sentences(text)
    count = max(1, round(share * len(sentences)))
    for place in draw.sample(range(len(sentences)), count):
        sentences[place] = change(sentences[place])
    return " ".join(sentences)


def _with_another_word(draw: random.Random, sentence: str) -> str:
    words = sentence.split() or [""]
    words[draw.randrange(len(words))] = draw.choice(("another", "amended", "revised", "former"))
    return " ".join(words)


def _as_pages(text: str) -> str:
    """Return a text as extracted from a PDF: lines, page headers and page numbers."""
    words = text.split()
    lines = [" ".join(words[first : first + 12]) for first in range(0, len(words), 12)]
    pages = [lines[first : first + 40] for first in range(0, len(lines), 40)]
    return "\n".join(
        "\n".join(["Annual report of the society", *page, str(number)])
        for number, page in enumerate(pages, 1)
    )


def _two_bills(draw: random.Random, text: str, length: int, fields: int) -> tuple[str, str]:
    words = (text.split() * (length // _WORDS + 1))[:length]
    places = draw.sample(range(length), fields)
    bills = []
    for _ in range(2):
        for place in places:
            words[place] = str(draw.randrange(100_000))
        bills.append(" ".join(words))
    return bills[0], bills[1]


def _print_rates(name: str, pairs: Sequence[tuple[str, str]]) -> None:
    signed = [(_signature(one), _signature(other)) for one, other in pairs]
    detected = statistics.fmean(bool(minhash.are_versions(*pair)) for pair in signed)
    resemblances = np.array([minhash.resemblance(*pair) for pair in signed])
    rates = "".join(f"{(resemblances >= one).mean():7.3f}" for one in _THRESHOLDS)
    print(f"{name:44}{detected:7.3f}{rates}", flush=True)


def _print_detected_pairs(texts: Sequence[str]) -> None:
    """Print how many pairs of different texts are detected as versions."""
    signed = np.array([_signature(text) for text in texts])
    pairs = detected = 0
    for place in range(len(signed) - 1):
        are = minhash.are_versions(signed[place], signed[place + 1 :])
        pairs, detected = pairs + len(are), detected + int(are.sum())
    print(f"of all {pairs:,} pairs of texts of the sets {detected} are detected as versions")


def _print_large_scale() -> None:
    """Print the time to find the families of very many documents, and of one more."""
    numbers = np.random.default_rng(0)
    rows = numbers.integers(1, 256, (_MANY, minhash.SIZE), dtype=np.uint8)
    rows[1::10] = rows[::10]  # every tenth is a version of the one before
    signed = [Signed(number, row.tobytes(), None) for number, row in enumerate(rows, 1)]
    began_s = time.process_time()
    families = families_of([], signed, {})
    all_s = time.process_time() - began_s
    heads = [one for one in signed if families[one.id] == one.id]
    began_s = time.process_time()
    families_of(heads, [Signed(_MANY + 1, rows[0].tobytes(), None)], {})
    one_s = time.process_time() - began_s
    count = len(signed) - len(heads)
    print(
        f"\n{_MANY:,} documents: {count:,} joined others in {all_s:.1f} s of the processor;"
        f" one more: {one_s:.2f} s"
    )


def _print_search_times(folder: Path, queries: int) -> None:
    """Print the time of searches with and without folded copies."""
    with (
        tempfile.TemporaryDirectory(prefix="winnow-copies-") as home,
        Library.open(Path(home)) as library,
    ):
        entries = [
            json.loads(line)
            for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        twice = [*entries, *({**one, "_id": f"again {one['_id']}"} for one in entries[::5])]
        library.add_collection(
            "made",
            [(one["_id"], Document(one["title"], (Page(1, one["text"]),))) for one in twice],
        )
        library.sync()
        lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
        questions = [json.loads(line)["text"] for line in lines][:queries]
        print(f"\n{Machine.this().line()}")
        print(f"{library.status().passages:,} passages, {len(questions)} questions, p50 in ms")
        for mode in (Mode.WORDS, Mode.HYBRID):
            took = {False: [0.0] * 0, True: [0.0] * 0}
            for question in questions:
                for is_folded in (False, True):
                    results = library.search(
                        question, mode=mode, is_refined=False, is_folded=is_folded
                    )
                    took[is_folded].append(results.took_ms)
            before, after = (statistics.median(took[one]) for one in (False, True))
            print(f"{mode:8} not folded {before:7.2f}   folded {after:7.2f}")


if __name__ == "__main__":
    main()
