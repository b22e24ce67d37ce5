"""What an index keeps of a passage's token vectors, as a setting: which way, and how large a share.

Source: ALIGNER ("Multi-Vector Retrieval as Sparse Alignment"), section 3.2, "Pruning multi-vector
retrieval"; Clavié et al., "Token Pooling", 2024.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from core.alignment.pruning import Reduction
from core.errors import UsageError

_WAYS: Final[dict[str, Reduction]] = {str(way).replace(" ", "-"): way for way in Reduction}
_NAMES: Final = {way: name for name, way in _WAYS.items()}
EVERYTHING: Final = "all"
"""How it is written that all vectors are kept."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """How a passage's vectors become fewer: a way, and the share that is left, beta_d.

    A share of 1 keeps all of them as they are, whatever the way.

    >>> Keeping.parse("weighted-pooling:0.4")
    Keeping(way=<Reduction.WEIGHTED_POOLING: 'weighted pooling'>, share=0.4)
    >>> str(Keeping(Reduction.SALIENCE, 0.2)), str(Keeping())
    ('salience:0.2', 'all')
    """

    way: Reduction = Reduction.POOLING
    share: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise UsageError(f"The share kept is {self.share:g}; it must be above 0 and up to 1.")

    @classmethod
    def parse(cls, text: str) -> Keeping:
        """What is written `all`, or `WAY:SHARE`.

        Raises:
            UsageError: it is neither.
        """
        if text == EVERYTHING:
            return cls()
        match = re.fullmatch(r"([a-z-]+):(\d+(?:\.\d+)?|\.\d+)", text)
        if match is None or match[1] not in _WAYS:
            ways = ", ".join(f"{name}:0.4" for name in _WAYS)
            raise UsageError(f"'{text}' says not what is kept: write all, or for example {ways}.")
        return cls(_WAYS[match[1]], float(match[2]))

    @property
    def is_everything(self) -> bool:
        """Whether all vectors are kept as they are."""
        return self.share == 1

    def __str__(self) -> str:
        return EVERYTHING if self.is_everything else f"{_NAMES[self.way]}:{self.share:g}"
