"""Codebooks of a library's own: learned from its passages, written beside its index."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from core import private
from core.catalog import passages
from core.catalog.catalog import Catalog
from core.catalog.manifest import IndexRow
from core.errors import LibraryError
from core.index.codebook import learn_own
from core.index.codec import UNCOMPRESSED
from core.index.edition import Edition, codebook_folder, codebook_name, learned_at
from core.index.reduction import reduce_passages
from core.indexing.recoding import Arrays
from core.indexing.wanted import Wanted
from core.progress import Job
from core.whole_files import write_whole

_log = logging.getLogger(__name__)

SAMPLE_PASSAGES: Final = 4096
"""From about so many a codebook is learned at most."""
_GROWTH: Final = 4
"""A library's own codebook is learned anew when it has grown so many times over: each passage is
encoded again a third of a time on average, however large the library becomes."""


def learn(home: Path, catalog: Catalog, wanted: Wanted, row: IndexRow, job: Job) -> Arrays:
    """Learn a codebook from what is kept of a sample of the library's own passages.

    Args:
        home: the library's folder.
        catalog: its catalog.
        wanted: the model, and what it runs on.
        row: the index that the codebook is for.
        job: to cancel.

    Raises:
        ModelError: the model cannot be loaded.
        Cancelled: the job was cancelled.
    """
    with catalog.reading() as db:
        texts = [(context, text) for _, context, text in passages.sample(db, SAMPLE_PASSAGES)]
    uncompressed = replace(row, bits=UNCOMPRESSED)
    plain = Edition(home, catalog, wanted.checkpoint, uncompressed, device=wanted.device)
    encoder = plain.index_encoder()
    encoded = encoder.encode_passages(encoder.passage_tokens(texts), lambda _done: job.checkpoint())
    has_summary = wanted.checkpoint.passages.gives_summary
    kept = reduce_passages(encoded, plain.keeping, has_summary=has_summary)
    vectors = np.concatenate([one.vectors for one in kept])
    job.checkpoint()
    arrays, report = learn_own(vectors, row.bits)
    _log.info("a codebook of %d centroids: %s", len(arrays["points"]), report)
    return dict(arrays)


def write(home: Path, model: str, arrays: Arrays, count: int) -> str:
    """Write a codebook, learned when the library had so many passages; gives its name.

    It is there whole or not at all.

    Raises:
        LibraryError: it cannot be written.
    """
    from safetensors.numpy import save

    data = save(arrays)
    name = codebook_name(model, data, count)
    path = codebook_folder(home) / name
    try:
        private.make_folder(path.parent)
        write_whole(path, data, private.OWN_FILE)
    except OSError as error:
        raise LibraryError(
            f"The library's codebook {path} cannot be written ({error.strerror}); "
            "make room, or check your rights to that folder."
        ) from error
    return name


def is_outgrown(codebook: str, count: int) -> bool:
    """Whether a library of so many passages has outgrown a codebook of its own.

    >>> is_outgrown("my-model-0123-1271cf25-3000.safetensors", 11_999)
    False
    >>> is_outgrown("my-model-0123-1271cf25-3000.safetensors", 12_000)
    True
    """
    return learned_at(codebook) * _GROWTH <= count
