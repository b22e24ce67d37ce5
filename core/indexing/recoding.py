"""Lists of a library's own: learned from its stored codes, which are then put into them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.catalog import passages
from core.catalog.catalog import Catalog
from core.encoders.checkpoint import load_arrays
from core.index.codebook import LIST_COUNTS, LIST_RESIDUALS, LIST_SCALES
from core.index.codec import ResidualCodec
from core.index.edition import Edition, codebook_folder
from core.index.inverted_lists import joined
from core.index.library_lists import are_alike, learn_library_lists
from core.index.token_index import TokenIndex
from core.progress import Job

_SAMPLE_PASSAGES: Final = 1 << 16
_PASSAGES_AT_ONCE: Final = 8192

Arrays = dict[str, npt.NDArray[Any]]


def learn_lists(edition: Edition, vectors: int, job: Job) -> Arrays:
    """The arrays of a codebook like the edition's, with lists for so many `vectors`.

    What the model's codebook has is not in it.

    Raises:
        ModelError: the edition's own codebook is missing or damaged.
        Cancelled: the job was cancelled.
    """
    codec = edition.index.codec
    assert isinstance(codec, ResidualCodec)
    sample = joined(edition.index.sample(_SAMPLE_PASSAGES)).codes
    lists = learn_library_lists(codec, sample, vectors, job.checkpoint)
    arrays: Arrays = {
        LIST_COUNTS: lists.counts.astype(np.uint16),
        LIST_RESIDUALS: lists.residuals,
        LIST_SCALES: lists.scales,
    }
    if edition.row.codebook:
        before = load_arrays(codebook_folder(edition.index.folder.parent) / edition.row.codebook)
        # As they are read they are float32; they were stored in half of that.
        halves = {"points", "parts"}
        arrays = {
            name: one.astype(np.float16) if name in halves else one
            for name, one in before.items()
            if name not in arrays
        } | arrays
    return arrays


def recode_answering(catalog: Catalog, before: TokenIndex, after: TokenIndex, job: Job) -> None:
    """Stage in one index what another has stored, if they differ in their library's lists alone.

    Raises:
        Cancelled: the job was cancelled; what was staged stays.
        DiskFullError, LibraryError: the index cannot be written; nothing is lost.
    """
    if (
        not isinstance(before.codec, ResidualCodec)
        or not isinstance(after.codec, ResidualCodec)
        or not are_alike(before.codec, after.codec)
    ):
        return
    last = 0
    while batch := passages.answering_unstaged(catalog.connection(), last, _PASSAGES_AT_ONCE):
        job.checkpoint()
        after.stage_from(before, batch)
        after.merge(job)
        before.rest()
        last = batch[-1].passage
