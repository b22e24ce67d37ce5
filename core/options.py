"""How a library is made and searched, where it is not as Winnow has it by itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.alignment.pairwise import AlignmentStrategy
from core.alignment.reduction import TokenReduction
from core.index.probing import ProbeParams


@dataclass(frozen=True, slots=True)
class LibraryOptions:
    """How a library's index is made and searched.

    Attributes:
        bits: of the codec, a dimension: 1, 2, 4, or 32 for uncompressed vectors; None for what the
            library's settings say. Another number than the index was made with has the next sync
            make it again.
        alignment: how a query's tokens are aligned with a passage's; None for what was adopted
            for the library, and the best one of each token until then.
        model: a built-in model's name or a model's folder; None for the library's own.
        keeping: what is kept of a passage's vectors; None for what the settings say. Another
            than the index was made with has the next sync make it again, too.
        probe_params: how much of the index a search by meaning looks at.
        is_read_only: whether the library is only searched and read: it must be there already, and
            nothing in it can be changed.
    """

    bits: int | None = None
    alignment: AlignmentStrategy | None = None
    model: str | None = None
    keeping: TokenReduction | None = None
    probe_params: ProbeParams = field(default_factory=ProbeParams)
    is_read_only: bool = False
