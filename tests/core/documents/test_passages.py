from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Heading, Page
from core.documents.passages import PassageSpan, split
from core.documents.text import normalise


def _words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) for text in texts]


def _letters(texts: Sequence[str]) -> list[int]:
    return [sum(not character.isspace() for character in text) for text in texts]


def _split(text: str, *headings: Heading, title: str = "", limit: int = 12, target: int = 8):
    page = Page(1, text, headings)
    return split(Document(title, (page,)), _words, limit=limit, target=target)


def _shown(text: str, spans: Sequence[PassageSpan]) -> list[str]:
    return [text[span.start : span.end] for span in spans]


_PROSE = st.lists(
    st.one_of(
        st.sampled_from(
            ["word", "Two words.", "Ends!\n\n", "x" * 40, "猫である。", "\n", " ", "…"]
        ),
        st.sampled_from(["e.g. this", "Is it?” Yes", "- item\n", "1 … 7\n", "\u3000"]),
        st.text(max_size=30),
    ),
    max_size=40,
).map(lambda parts: normalise("".join(parts)))


@st.composite
def _documents(draw: st.DrawFn) -> Document:
    pages = []
    for number, text in enumerate(draw(st.lists(_PROSE, min_size=1, max_size=3)), 1):
        position = 0
        headings = []
        for line in text.split("\n"):
            if line.strip() and draw(st.integers(0, 4)) == 0:
                start = position + len(line) - len(line.lstrip())
                headings.append(Heading(start, draw(st.integers(1, 3)), line.strip()))
            position += len(line) + 1
        pages.append(Page(number, text, tuple(headings)))
    return Document(draw(st.sampled_from(["", "A Title"])), tuple(pages))


@pytest.mark.parametrize("count", [_words, _letters], ids=["words", "letters"])
@given(document=_documents(), limit=st.integers(1, 60), share=st.floats(0.1, 1))
def test_passages_tile_the_pages_and_keep_the_limit(document, limit, share, count) -> None:
    target = max(1, int(limit * share))
    spans = split(document, count, limit=limit, target=target)
    assert spans == split(document, count, limit=limit, target=target)
    for page in document.pages:
        tile_start = 0
        tiles = []
        for span in spans:
            if span.page == page.number:
                shown = page.text[span.start : span.end]
                assert shown
                assert shown == shown.strip()
                assert tile_start <= span.start < span.end <= span.tile_end
                assert count([shown])[0] <= limit
                tiles.append(page.text[tile_start : span.tile_end])
                tile_start = span.tile_end
        assert "".join(tiles) == page.text


def test_paragraphs_are_joined_into_passages_of_like_lengths_and_not_cut() -> None:
    text = "one two three.\n\nfour five six.\n\nseven eight nine.\n\nten eleven twelve."
    assert _shown(text, _split(text, limit=11)) == [
        "one two three.\n\nfour five six.",
        "seven eight nine.\n\nten eleven twelve.",
    ]


def test_a_short_rest_goes_with_what_is_before_it() -> None:
    text = "one two three.\n\nfour five six.\n\nseven eight nine.\n\nten."
    assert _shown(text, _split(text)) == [text]
    assert _shown(text, _split(text, limit=9)) == [text[:14], text[16:]]


def test_long_paragraphs_are_cut_between_sentences() -> None:
    text = 'A b c d e f g. "H i j k l?" M n o p e.g. q r s. T u.'
    assert _shown(text, _split(text)) == [
        'A b c d e f g. "H i j k l?"',
        "M n o p e.g. q r s. T u.",
    ]


def test_sentences_of_chinese_and_japanese_need_no_space() -> None:
    text = "吾輩は猫である。名前はまだ無い。「何？」泣いていた。"
    page = Page(1, text)
    spans = split(Document("", (page,)), _letters, limit=12, target=8)
    assert _shown(text, spans) == ["吾輩は猫である。", "名前はまだ無い。", "「何？」泣いていた。"]


def test_long_sentences_are_cut_between_lines_then_words() -> None:
    lines = "\n".join(f"the name of item number {i} is quite long, indeed" for i in range(4))
    assert all(
        not shown.startswith("number")
        for shown in _shown(lines, _split(lines, limit=20, target=15))
    )
    words = " ".join("word" for _ in range(50))
    assert max(_words(_shown(words, _split(words)))) <= 12
    assert " ".join(_shown(words, _split(words))) == words


def test_a_word_longer_than_a_passage_is_cut() -> None:
    text = "before " + "x" * 1_000_000 + " after"
    spans = _split(text, limit=180, target=120)
    # The counter calls it one token; its length tells that no passage should hold it.
    assert max(len(shown) for shown in _shown(text, spans)) <= 180 * 16
    assert len(spans) < 1000


def test_a_heading_begins_a_passage_and_stays_with_its_text() -> None:
    text = "Some text that stands above.\n\nOwls\n\nThey hunt at night, all of them do."
    spans = _split(text, Heading(text.index("Owls"), 1, "Owls"))
    assert _shown(text, spans)[1] == "Owls\n\nThey hunt at night, all of them do."
    for limit in range(9, 30):
        for shown in _shown(text, _split(text, Heading(30, 1, "Owls"), limit=limit, target=4)):
            assert not shown.endswith("Owls")


def test_the_context_is_the_text_above_the_passage() -> None:
    first = "Birds\n\nOwls\n\n" + "They hunt by night. " * 6
    first = first.strip() + "\n\nCrows\n\nThey do not."
    headings = (
        Heading(0, 1, "Birds"),
        Heading(7, 2, "Owls"),
        Heading(first.index("Crows"), 2, "Crows"),
    )
    document = Document("My Book", (Page(1, first, headings), Page(2, "And so on.")))
    spans = split(document, _words, limit=12, target=8)
    assert [(span.page, span.context) for span in spans] == [
        (1, "My Book"),
        (1, "My Book › Birds › Owls"),
        (1, "My Book › Birds › Owls"),
        (1, "My Book › Birds"),
        (2, "My Book › Birds › Crows"),
    ]


def test_a_title_that_is_also_the_heading_is_named_once() -> None:
    text = "BIRDS\n\n" + "They fly. " * 8
    spans = _split(text.strip(), Heading(0, 1, "BIRDS"), title="Birds")
    assert [span.context for span in spans] == ["", "Birds"]


def test_a_long_context_keeps_the_ends() -> None:
    names = [f"{'h' * 60}{level}" for level in range(1, 6)]
    headings = tuple(Heading(63 * i, i + 1, name) for i, name in enumerate(names))
    pages = (Page(1, "\n\n".join(names), headings), Page(2, "Text."))
    context = split(Document("T" * 300, pages), _words)[-1].context
    assert len(context) <= 300
    assert context.startswith("TTT")
    assert context.endswith("5")


def test_pages_without_text_have_no_passages() -> None:
    assert split(Document("t", (Page(1, ""), Page(2, ""))), _words) == []


def test_a_page_is_counted_in_a_small_number_of_calls() -> None:
    calls = []

    def count(texts: Sequence[str]) -> list[int]:
        calls.append(len(texts))
        return _words(texts)

    split(Document("", (Page(1, "One sentence. " * 5000 + "End"),)), count)
    assert calls == [5001]


def test_a_target_beyond_the_limit_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="target"):
        _split("x", limit=5, target=6)
