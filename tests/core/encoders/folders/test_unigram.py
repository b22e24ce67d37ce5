"""A unigram tokenizer in little memory has the tokens of the library's."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from core.encoders.folders.unigram import UnigramTokenizer

PIECES = [
    ("<s>", 0.0),
    ("</s>", 0.0),
    ("<unk>", 0.0),
    ("▁", -2.0),
    ("a", -3.0),
    ("b", -3.5),
    ("ab", -4.0),
    ("▁ab", -4.5),
    ("ба", -5.0),
    ("б", -5.5),
    ("的", -4.0),
    ("发票", -6.0),
    ("aba", -6.5),
    ("fi", -3.0),
]
PARTS = (
    normalizers.NFKC(),
    pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]),
    processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)]),
)


@pytest.fixture(scope="module")
def pair() -> tuple[UnigramTokenizer, Tokenizer]:
    library = Tokenizer(models.Unigram(PIECES, 2))
    library.normalizer, library.pre_tokenizer, library.post_processor = PARTS
    return UnigramTokenizer(PIECES, 2, *PARTS), library


@given(text=st.text(alphabet="ab ба的发票ﬁ🙂x\n", max_size=80))
def test_tokens_are_those_of_the_library(
    pair: tuple[UnigramTokenizer, Tokenizer], text: str
) -> None:
    ours, theirs = (each.encode(text) for each in pair)
    assert ours.ids == theirs.ids
    assert ours.offsets == theirs.offsets
    assert ours.word_ids == theirs.word_ids
    assert ours.special_tokens_mask == theirs.special_tokens_mask


def test_tokens_of_text_without_spaces_are_not_kept(
    pair: tuple[UnigramTokenizer, Tokenizer],
) -> None:
    ours, _ = pair
    sentences = ["的发票ба"[index % 4] * (200 + index) for index in range(200)]
    ours.encode(sentences[0])
    tracemalloc.start()
    try:
        ours.encode_batch(sentences)
        kept_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept_bytes < 200_000


def test_the_vocabulary_is_that_of_the_library(pair: tuple[UnigramTokenizer, Tokenizer]) -> None:
    ours, theirs = pair
    assert ours.get_vocab() == theirs.get_vocab()
    for each in pair:
        assert (each.token_to_id("ab"), each.token_to_id("zz")) == (6, None)
        assert (each.id_to_token(6), each.id_to_token(99)) == ("ab", None)
