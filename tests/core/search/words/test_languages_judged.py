"""A judged set in twelve languages: by both together no less is found than by words."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from core.library.library import Library
from core.responses import Mode
from lab.evaluation import measures
from tests.core.search.test_search import fill

JUDGED: Final[dict[str, dict[str, tuple[str, str]]]] = tomllib.loads(
    Path(__file__).with_name("multilingual.toml").read_text(encoding="utf-8")
)


def test_both_together_are_nowhere_below_words(open_library: Callable[..., Library]) -> None:
    assert len(JUDGED) == 12
    assert len({frozenset(subjects) for subjects in JUDGED.values()}) == 1
    library = open_library()
    passages = {
        f"{language}_{subject}": passage
        for language, subjects in JUDGED.items()
        for subject, (passage, _) in subjects.items()
    }
    ids = {number: name for name, number in fill(library, **passages).items()}
    library.sync()
    found = {mode: measured(library, mode, ids) for mode in (Mode.WORDS, Mode.HYBRID)}
    for language, by_words in found[Mode.WORDS].items():
        assert found[Mode.HYBRID][language] >= by_words - 1e-9, language
    assert min(found[Mode.HYBRID].values()) > 0.5


def measured(library: Library, mode: Mode, ids: dict[int, str]) -> dict[str, float]:
    """Return nDCG@10 by language: a question's answer is the passage of its subject."""
    found = {}
    for language, subjects in JUDGED.items():
        rankings = {}
        for subject, (_, question) in subjects.items():
            ranked = library.rank(question, mode=mode, limit=10)
            rankings[subject] = [ids[number] for number, _ in ranked]
        judged = {subject: {f"{language}_{subject}": 1} for subject in subjects}
        found[language] = measures.mean(measures.ndcg, rankings, judged, 10)
    return found
