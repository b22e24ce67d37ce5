"""The words that say most of what a passage is about."""

from __future__ import annotations

from core.encoders.encoder import Encoder
from core.search.words import terms


def salient_words(encoder: Encoder, context: str, text: str, count: int) -> tuple[str, ...]:
    """Up to `count` different words of a passage, the most salient ones, as they stand in it.

    A word is as salient as its most salient token. Where the model has learned no salience the
    first words are given.

    Source: ALIGNER, section 3.2: the unary salience of a passage's tokens.
    """
    (seen,) = encoder.passage_tokens([(context, text)])
    (found,) = encoder.encode_passages([seen])
    best: dict[int, tuple[float, int, int]] = {}
    own = range(seen.context, len(seen))
    for token in own:
        (start, end), word = seen.spans[token], seen.words[token]
        if start == end or word < 0:
            continue
        salience = float(found.saliences[token]) if found.saliences is not None else 1.0
        before = best.get(word, (0.0, start, end))
        best[word] = (max(before[0], salience), min(before[1], start), max(before[2], end))
    chosen: dict[str, tuple[float, int, str]] = {}
    for salience, start, end in best.values():
        for term in terms(text[start:end]):
            if salience > chosen.get(term, (0.0, 0, ""))[0]:
                chosen[term] = (salience, start, term)
    telling = sorted(chosen.values(), key=lambda one: -one[0])[:count]
    return tuple(term for _, _, term in sorted(telling, key=lambda one: one[1]))
