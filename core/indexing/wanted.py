"""The index that is asked for: by which model, in how many bits, and what of its vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.alignment.reduction import ReductionPolicy, TokenReduction
from core.catalog.manifest import IndexRow
from core.encoders.checkpoint import BUILT_IN, Checkpoint
from core.encoders.layouts import load_checkpoint
from core.encoders.tokens import Tokenizer
from core.errors import ModelError, UsageError
from core.index.codebook import check_bits
from core.index.codec import BITS, UNCOMPRESSED
from core.index.edition import lacks_codebook
from core.settings import Settings

BEST_BITS: Final = 2
"""Bits a dimension, where nobody says otherwise (docs/decisions/0005-codec.md)."""

_ENOUGH_PASSAGES: Final = 2048
"""From so many on a library has lists of its own, and at 1 bit its own codebook is better than the
model's."""
_BITS_OF_OWN: Final = 1


@dataclass(frozen=True, slots=True)
class Asked:
    """What a program asks for when it opens a library; the settings say the rest.

    Attributes:
        model: a built-in model's name or a model's folder, which the library is to remember.
        bits: a dimension.
        keeping: what is kept of a passage's vectors.
    """

    model: str = ""
    bits: int | None = None
    keeping: TokenReduction | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """An index as it is to be.

    Attributes:
        checkpoint: the model.
        tokenizer: the model's.
        row: the index in the catalog's words, without a codebook of its own.
        device: what the model runs on, as `core.encoders.devices` names it.
        problem: why the model that was chosen is not there, "" if it is. The built-in one stands in
            for it, with which documents are read, but not encoded.
    """

    checkpoint: Checkpoint
    tokenizer: Tokenizer
    row: IndexRow
    device: str = ""
    problem: str = ""


def want(known: IndexRow | None, asked: Asked, settings: Settings) -> Wanted:
    """Find out what is asked for.

    The model that a program asks for comes first, then the one that the person's settings name,
    then the one that the library remembers, then the built-in one. Settings that the model cannot
    meet give way: they may have been made for another.

    Args:
        known: the index in the making, or the one that answers.
        asked: by the program.
        settings: the person's.

    Raises:
        ModelError: the model that is asked for, or the built-in one, is missing.
        UsageError: its vectors cannot be kept in so many bits, or in that way.
    """
    remembered = known.source if known is not None and known.is_chosen else ""
    problem = ""
    try:
        checkpoint = load_checkpoint(asked.model or settings.model or remembered or BUILT_IN)
    except ModelError as error:
        if asked.model or not (settings.model or remembered):
            raise
        # Its drive may be unplugged. Documents are still read, and found by words.
        problem = str(error)
        checkpoint = load_checkpoint(BUILT_IN)
    bits = asked.bits or possible_bits(checkpoint, settings.bits)
    check_bits(checkpoint, bits)
    keeping = asked.keeping or keeping_of(checkpoint, settings.share)
    if checkpoint.saliences is None and keeping.policy.needs_salience:
        raise UsageError(
            f"The model {checkpoint.name} has no saliences, by which {keeping} chooses; "
            "write all, or pooling with a share."
        )
    row = IndexRow(
        source=checkpoint.source,
        name=checkpoint.name,
        fingerprint=checkpoint.fingerprint,
        bits=bits,
        keeping=str(keeping),
        is_chosen=bool(asked.model or (remembered and not settings.model)),
    )
    return Wanted(checkpoint, Tokenizer.of(checkpoint), row, settings.device, problem)


def choices_of_bits(checkpoint: Checkpoint) -> tuple[int, ...]:
    """In how many bits a dimension a model's vectors can be kept."""
    return (*BITS, UNCOMPRESSED) if checkpoint.dimensions % 8 == 0 else (UNCOMPRESSED,)


def possible_bits(checkpoint: Checkpoint, bits: int) -> int:
    """So many bits if the model's vectors can be kept in them; 0 stands for the best."""
    possible = choices_of_bits(checkpoint)
    wanted = bits or BEST_BITS
    return wanted if wanted in possible else possible[-1]


def keeping_of(checkpoint: Checkpoint, share: float) -> TokenReduction:
    """What is kept where the person chose a share; 0 stands for what the model is made for.

    Of the ways to keep few, the one that loses least with the model
    (docs/decisions/0012-keeping.md).
    """
    if not share:
        return checkpoint.keeping
    has_saliences = checkpoint.saliences is not None
    return TokenReduction(
        ReductionPolicy.WEIGHTED_POOLING if has_saliences else ReductionPolicy.POOLING, share
    )


def wants_own_codebook(checkpoint: Checkpoint, bits: int, count: int) -> bool:
    """Whether a library of so many passages is to learn a codebook of its own.

    The model's is as good at 2 bits and more, and needs no waiting for; at 1 bit a library's
    own is better, once there is enough to learn it from (docs/decisions/0005-codec.md).
    """
    is_better = bits == _BITS_OF_OWN and is_large(count)
    return is_better or lacks_codebook(checkpoint)


def is_large(count: int) -> bool:
    """Whether so many passages are enough to learn from."""
    return count >= _ENOUGH_PASSAGES
