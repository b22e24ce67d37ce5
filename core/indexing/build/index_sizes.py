"""The sizes of an index: how each stores a model's vectors, and how much space it takes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from core.alignment.reduction import TokenReduction
from core.catalog.passages import PassageCounts
from core.encoders.folders.checkpoint import Checkpoint
from core.index.codec import UNCOMPRESSED
from core.index.refinement_store import BITS as REFINEMENT_BITS
from core.settings import IndexSize

# The share of vectors in the refinement store of `IndexSize.FAST`, unless the model has its own
# (docs/measurements/refinement-store.md).
_STORED_SHARE: Final = 0.3
# The share of the free space up to which a fast index stays, and up to which one is begun. They
# differ, so that an index is not rebuilt whenever the free space changes a little.
LARGEST_SHARE: Final = 0.1
_SHARE_TO_BEGIN: Final = 0.05
# Bytes per vector in addition to its residual: in the lists, an estimate for a library with too few
# vectors of its own; in the refinement store, its centroid, scale and position.
OVERHEAD_BYTES: Final = 4.0
STORE_OVERHEAD_BYTES: Final = 4.0
# Of a passage, before the first one has been encoded.
_USUAL_TOKENS: Final = 150


def storage_of(checkpoint: Checkpoint, size: IndexSize) -> tuple[TokenReduction, int]:
    """Return the token reduction and the bits per dimension for a model and an index size.

    An index that keeps more vectors than a refinement store would have needs none.
    """
    keeping, bits = checkpoint.keeping, checkpoint.bits
    if size is IndexSize.EXACT or not can_be_compressed(checkpoint):
        return (
            TokenReduction() if size is IndexSize.EXACT else replace(keeping, stored=0.0)
        ), UNCOMPRESSED
    stored = keeping.stored
    if size is IndexSize.FAST:
        stored = stored or (_STORED_SHARE if keeping.listed < _STORED_SHARE else 0.0)
    else:
        stored = 0.0
    return replace(keeping, stored=stored), bits


def sizes_of(checkpoint: Checkpoint) -> Mapping[IndexSize, tuple[TokenReduction, int]]:
    """Return the sizes that differ for a model, with their reductions and bits."""
    sizes: dict[IndexSize, tuple[TokenReduction, int]] = {}
    for size in IndexSize:
        storage = storage_of(checkpoint, size)
        if storage not in sizes.values():
            sizes[size] = storage
    return sizes


def can_be_compressed(checkpoint: Checkpoint) -> bool:
    """Return whether a model's vectors fill whole bytes when compressed."""
    return checkpoint.dimensions % 8 == 0


def residual_bytes(checkpoint: Checkpoint, bits: int) -> float:
    """Return the bytes of a residual."""
    return checkpoint.dimensions * bits / 8


def bytes_per_token(checkpoint: Checkpoint, keeping: TokenReduction, bits: int) -> float:
    """Return the expected size of an index per token of its passages, without summaries."""
    per_vector = residual_bytes(checkpoint, bits) + OVERHEAD_BYTES
    per_stored = residual_bytes(checkpoint, REFINEMENT_BITS) + STORE_OVERHEAD_BYTES
    return keeping.listed * per_vector + keeping.stored * per_stored


def token_count(counted: PassageCounts) -> int:
    """Return the expected number of tokens of all passages, encoded or not.

    >>> token_count(PassageCounts(passages=10, waiting=6, tokens=400, vectors=80, unstaged=10))
    1000
    """
    encoded = counted.passages - counted.waiting
    return round(counted.passages * (counted.tokens / encoded if encoded else _USUAL_TOKENS))


def has_room(needed_bytes: float, room_bytes: float, *, has_store: bool) -> bool:
    """Return whether a fast index fits into a reasonable share of a disk.

    Args:
        needed_bytes: of the fast index.
        room_bytes: free, or taken up by the present index.
        has_store: whether the present index is a fast one, or there is none.

    >>> has_room(8e9, 100e9, has_store=True), has_room(8e9, 100e9, has_store=False)
    (True, False)
    """
    return needed_bytes <= room_bytes * (LARGEST_SHARE if has_store else _SHARE_TO_BEGIN)
