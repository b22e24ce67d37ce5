"""Which characters the tokens of passages stand for, remembered for what was shown of late."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.catalog.passages import StoredPassage
from core.encoders.encoder import TextTokens
from core.index.edition import Edition

_REMEMBERED: Final = 1000
"""Passages; some 2 kB each."""


@dataclass(frozen=True, slots=True)
class TokenSpans:
    """The characters of a passage's m tokens.

    Attributes:
        places: (m, 2) int32, start and end: in the context for the first `context` tokens, in the
            text for the rest; equal for a token that stands for no characters.
        context: how many tokens come before the text's own.
    """

    places: npt.NDArray[np.int32]
    context: int

    @classmethod
    def of(cls, tokens: TextTokens) -> TokenSpans:
        """Those of a passage's tokens."""
        places = np.array(tokens.spans, dtype=np.int32).reshape(-1, 2)
        return cls(places, tokens.context)


class RecentSpans:
    """The spans of one library's passages; for any number of threads at once.

    While a person types, most of what is found was found a word before, and need not be split
    into tokens again. A passage never changes, and its number never comes back.
    """

    def __init__(self, size: int = _REMEMBERED) -> None:
        """Remember `size` passages, the last ones that were asked for."""
        self._size = size
        self._spans: OrderedDict[tuple[str, int], TokenSpans] = OrderedDict()
        self._guard = threading.Lock()

    def __len__(self) -> int:
        return len(self._spans)

    def of(self, shown: Sequence[StoredPassage], edition: Edition) -> list[TokenSpans]:
        """The spans of passages, in their order, as the edition's model has their tokens."""
        model = edition.row.fingerprint
        with self._guard:
            known = {one.id: self._spans.get((model, one.id)) for one in shown}
        fresh = [one for one in shown if known[one.id] is None]
        texts = [(one.context, one.text) for one in fresh]
        made = [TokenSpans.of(tokens) for tokens in edition.query_encoder().passage_tokens(texts)]
        found = {one: spans for one, spans in known.items() if spans is not None}
        found.update(zip((one.id for one in fresh), made, strict=True))
        with self._guard:
            for number, spans in found.items():
                self._spans[model, number] = spans
                self._spans.move_to_end((model, number))
            while len(self._spans) > self._size:
                self._spans.popitem(last=False)
        return [found[one.id] for one in shown]
