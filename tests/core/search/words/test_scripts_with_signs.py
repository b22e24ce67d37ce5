"""Words of scripts whose vowels are signs are found whole, also where no spaces part them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog.text.normalisation import SEAM, pieces, set_apart
from core.library.library import Library
from core.responses import Mode
from tests.core.search.test_search import fill, names

# A text without spaces, a word inside it, and one that shares its letters only.
RUNS: Final = {
    "Thai": ("เมื่อวานฉันไปห้องสมุดประชาชนกับเพื่อน", "ห้องสมุด", "หองสมด"),
    "Lao": ("ມື້ວານຂ້ອຍໄປຫ້ອງສະໝຸດກັບໝູ່", "ຫ້ອງສະໝຸດ", "ຫອງສະໝດ"),
    "Khmer": ("ម្សិលមិញខ្ញុំទៅបណ្ណាល័យជាមួយមិត្ត", "បណ្ណាល័យ", "បណាលយ"),
    "Burmese": ("မနေ့ကစာကြည့်တိုက်သို့သွားသည်", "စာကြည့်တိုက်", "စာကညတက"),
}
# A text, a word of it, and that word without its signs.
SPACED: Final = {
    "Hindi": ("यहाँ किताबें और पत्र हैं", "किताबें", "कतब"),
    "Tamil": ("இங்கே புத்தகங்கள் உள்ளன", "புத்தகங்கள்", "பததகஙகள"),
    "Bengali": ("এখানে বইগুলি আছে", "বইগুলি", "বইগল"),
}


@pytest.mark.parametrize("script", RUNS)
def test_a_word_inside_a_run_is_found_and_highlighted(
    script: str, open_library: Callable[..., Library]
) -> None:
    text, word, other = RUNS[script]
    library = open_library()
    fill(library, run=text, owl="The owl was seen.")
    for query in (word, f'"{word}"'):
        found = library.search(query, mode=Mode.WORDS)
        assert names(found) == ["run"]
        (hit,) = found.hits[0].passages
        start, end = hit.words[0][0], hit.words[-1][1]
        assert hit.passage.text[start:end] == word
    assert names(library.search(f'"{other}"', mode=Mode.WORDS)) == []


@pytest.mark.parametrize("script", SPACED)
def test_a_word_is_whole_with_its_signs(script: str, open_library: Callable[..., Library]) -> None:
    text, word, letters = SPACED[script]
    library = open_library()
    fill(library, signed=text, owl="The owl was seen.")
    found = library.search(word, mode=Mode.WORDS)
    assert names(found) == ["signed"]
    (hit,) = found.hits[0].passages
    assert [hit.passage.text[start:end] for start, end in hit.words] == [word]
    assert names(library.search(letters, mode=Mode.WORDS)) == []


_letters = st.sampled_from([*"".join(text for text, _, _ in RUNS.values()), *"a 1東か"])


@given(st.text(_letters, max_size=30))
def test_nothing_of_a_text_is_lost(text: str) -> None:
    assert set_apart(text).replace(SEAM, "") == text
    assert set(text) == set("".join(pieces(text)))
