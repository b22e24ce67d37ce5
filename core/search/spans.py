"""Which characters the tokens of passages stand for, remembered for what was shown of late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.catalog.passages import StoredPassage
from core.encoders.encoder import TextTokens
from core.index.edition import Edition
from core.search.recent import Recent

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
        self._spans = Recent[tuple[str, int], TokenSpans](size)

    def __len__(self) -> int:
        return len(self._spans)

    def of(self, shown: Sequence[StoredPassage], edition: Edition) -> list[TokenSpans]:
        """The spans of passages, in their order, as the edition's model has their tokens."""
        keys = [(edition.row.fingerprint, one.id) for one in shown]
        found = self._spans.known(keys)
        fresh = {key: one for key, one in zip(keys, shown, strict=True) if key not in found}
        texts = [(one.context, one.text) for one in fresh.values()]
        made = [TokenSpans.of(tokens) for tokens in edition.query_encoder().passage_tokens(texts)]
        found.update(zip(fresh, made, strict=True))
        self._spans.remember(found)
        return [found[key] for key in keys]
