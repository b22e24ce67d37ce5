"""A query's words weigh by how rare they are in the library."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Page
from core.federation.folder_source import FolderSource
from core.federation.published import PublishedSource
from core.federation.source import Source
from core.library.library import Library, LibraryOptions
from core.publishing.cache import SnapshotCache
from core.requests import Explain, Search
from core.responses import Mode
from core.search.rarity import rarity
from tests.core.tiny_models import save_tiny_colbert

# "insulin" is in all of these passages, "owls" in one.
COMMON = [
    f"Note {number}: insulin lowers the sugar in blood after {meal}."
    for number, meal in enumerate(["bread", "rice", "fruit", "soup", "milk", "honey"] * 20)
]


def library_of(open_library: Callable[..., Library], texts: list[str], **options: str) -> Library:
    library = open_library(options=LibraryOptions(**options))  # type: ignore[arg-type] # the caller's
    library.add_collection(
        "made", [(str(number), Document("", (Page(1, text),))) for number, text in enumerate(texts)]
    )
    library.sync()
    return library


def shares(library: Library, query: str) -> dict[str, float]:
    return {token.text: token.share for token in library.search(query, mode=Mode.MEANING).tokens}


@given(
    st.lists(st.integers(-1, 3), min_size=1, max_size=8),
    st.lists(st.integers(0, 500), min_size=4, max_size=4),
    st.integers(0, 10_000),
)
def test_rarer_words_weigh_more_and_others_keep_their_weight(
    words: list[int], holders: list[int], total: int
) -> None:
    known = {word: min(count, total) for word, count in enumerate(holders)}
    factors = rarity(tuple(words), known, total)
    assert np.isfinite(factors).all()
    assert (factors > 0).all()
    for one, factor in zip(words, factors.tolist(), strict=True):
        if one < 0:
            assert factor == 1
        for other, other_factor in zip(words, factors.tolist(), strict=True):
            alike = words.count(one) == words.count(other)
            if min(one, other) >= 0 and alike and known[one] <= known[other]:
                assert factor >= other_factor - 1e-6


def test_a_word_of_every_passage_weighs_less_than_the_model_says(
    open_library: Callable[..., Library],
) -> None:
    query = "insulin for owls"
    library = library_of(open_library, [*COMMON, "Owls hunt mice at night in the old barn."])
    encoded = library._caches.queries.of(query, library._generations.answering())
    plain = {
        query[start:end]: weight / encoded.weights.sum()
        for (start, end), weight in zip(encoded.tokens.spans, encoded.weights.tolist(), strict=True)
    }
    weighed = shares(library, query)
    owls = [text for text in weighed if text.startswith("owl")]
    insulin = [text for text in weighed if "insulin".startswith(text) or text in "insulin"]
    assert owls
    assert insulin
    assert all(weighed[text] > plain[text] for text in owls)
    assert all(weighed[text] < plain[text] for text in insulin)
    # The summary keeps its share.
    assert 1 - sum(weighed.values()) == pytest.approx(plain[""], abs=1e-5)
    explanation = library.answer(
        Explain(query, library.search(query).hits[0].passages[0].passage.id)
    )
    assert {token.text: token.share for token in explanation.tokens if token.text} == weighed


def test_the_weights_follow_changes_of_the_library(
    open_library: Callable[..., Library], folder: Path
) -> None:
    (folder / "owls.txt").write_text("Owls hunt mice at night.", encoding="utf-8")
    for number, text in enumerate(COMMON):
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    library = open_library()
    library.add_folder(folder)
    library.sync()
    before = shares(library, "insulin owls")
    for number in range(len(COMMON)):
        text = "Owls hunt mice at night." if number % 2 else COMMON[number]
        (folder / f"{number}.txt").write_text(f"{text} Again.", encoding="utf-8")
    library.sync()
    after = shares(library, "insulin owls")
    owls = next(text for text in after if text.startswith("owl"))
    assert after[owls] < before[owls]


def test_published_and_foreign_libraries_weigh_by_their_own_counts(
    open_library: Callable[..., Library], tmp_path: Path
) -> None:
    query = "insulin for owls"
    library = library_of(open_library, [*COMMON, "Owls hunt mice at night in the old barn."])
    library.publish(str(tmp_path / "share"), "Notes")
    cache = SnapshotCache(tmp_path / "cache", 1 << 30)
    sources: tuple[Source, ...] = (
        PublishedSource("Notes", str(tmp_path / "share"), cache),
        FolderSource("Notes", library.home),
    )
    for source in sources:
        with contextlib.closing(source):
            source.refresh()
            tokens = source.answer(Search(query, Mode.MEANING)).tokens
        assert {token.text: token.share for token in tokens} == pytest.approx(
            shares(library, query)
        )


def test_ten_passages_change_the_weights_a_little(open_library: Callable[..., Library]) -> None:
    query = "insulin owls"
    library = library_of(open_library, [*COMMON[:9], "Owls hunt mice at night."])
    encoded = library._caches.queries.of(query, library._generations.answering())
    plain = encoded.weights[1:] / encoded.weights.sum()
    weighed = np.array(list(shares(library, query).values()))
    assert weighed == pytest.approx(plain, rel=0.15)
    assert weighed != pytest.approx(plain, rel=1e-3)


def test_a_model_without_weights_keeps_them_equal(
    open_library: Callable[..., Library], tmp_path: Path
) -> None:
    model = str(save_tiny_colbert(tmp_path / "models" / "plain"))
    library = library_of(open_library, COMMON, model=model)
    assert len({round(share, 6) for share in shares(library, "insulin owls").values()}) == 1


def test_every_mode_adds_up_with_similar_passages(open_library: Callable[..., Library]) -> None:
    library = library_of(open_library, [*COMMON, "Owls hunt mice at night in the old barn."])
    for mode, names in (
        (
            Mode.HYBRID,
            [
                *("meaning", "words", "similar", "name", "document", "passage", "folder", "date"),
                "quoted",
            ],
        ),
        (Mode.MEANING, ["meaning", "similar", "quoted"]),
    ):
        hits = library.answer(Search("owls and insulin", mode=mode)).hits
        assert hits
        for hit in hits:
            for passage in hit.passages:
                assert [term.name for term in passage.terms] == names
                assert sum(
                    term.weight for term in passage.terms[: names.index("similar") + 1]
                ) == pytest.approx(1)
                added = sum(term.adds for term in passage.terms)
                assert added == pytest.approx(passage.score, abs=1e-5)
