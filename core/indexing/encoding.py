"""From passages in the catalog to vectors in the index, by codebooks of the library's own too."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core import private
from core.atomic_write import atomic_write
from core.catalog import passages
from core.catalog.catalog import Catalog
from core.catalog.manifest import IndexRow
from core.encoders.checkpoint import load_arrays
from core.errors import LibraryError
from core.index.codebook import LIST_COUNTS, LIST_RESIDUALS, LIST_SCALES, learn_own
from core.index.codec import UNCOMPRESSED, ResidualCodec
from core.index.edition import Edition, codebook_folder, codebook_name, learned_at
from core.index.inverted_lists import joined
from core.index.library_lists import are_alike, learn_library_lists
from core.index.reduction import reduce_passages
from core.index.token_index import TokenIndex
from core.indexing.wanted import Wanted
from core.progress import Job, Progress, Stage

_log = logging.getLogger(__name__)
SAMPLE_PASSAGES: Final = 4096
"""From about so many a codebook is learned at most."""
_GROWTH: Final = 4
"""A library's own codebook is learned anew when it has grown so many times over: each passage is
encoded again a third of a time on average, however large the library becomes."""


def learn_codebook(home: Path, catalog: Catalog, wanted: Wanted, row: IndexRow, job: Job) -> Arrays:
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


def write_codebook(home: Path, model: str, arrays: Arrays, count: int) -> str:
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
        atomic_write(path, data, private.OWN_FILE)
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


_SAMPLE_FOR_LISTS: Final = 1 << 16
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
    sample = joined(edition.index.sample(_SAMPLE_FOR_LISTS)).codes
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


PASSAGES_PER_SEGMENT: Final = 256
"""A few seconds of encoding on a laptop: the most that being killed can cost.

The vectors of all their tokens are in memory at once: 1,024 take some 400 MB more, and as long.
"""


def encode_waiting(
    catalog: Catalog,
    edition: Edition,
    job: Job,
    *,
    is_staged: bool = False,
    also: Edition | None = None,
) -> int:
    """Encode all passages that want their vectors, and publish them; gives how many.

    Args:
        catalog: of the library.
        edition: into whose index the vectors are put.
        job: is told how far it is, and may cancel.
        is_staged: whether the index does not answer yet; the vectors that do stay as they are.
        also: the one in the making, where it differs from `edition` in its codebook alone; the
            vectors are put there too.

    Raises:
        Cancelled: the person cancelled; what was published stays.
        ModelError: the model cannot be loaded.
    """
    counted = passages.counts(catalog.connection())
    wanting = counted.unstaged if is_staged else counted.waiting
    if not wanting:
        edition.index.merge(job, is_at_rest=True)
        return 0
    encoder = edition.index_encoder()
    has_summary = edition.checkpoint.passages.gives_summary
    select = passages.unstaged if is_staged else passages.waiting
    began_s = time.monotonic()
    done = 0

    def report(in_batch: int) -> None:
        job.checkpoint()
        now = done + in_batch
        total = max(wanting, now)
        left_s = (time.monotonic() - began_s) / now * (total - now) if now else None
        findable = counted.passages - counted.waiting + (0 if is_staged else done)
        job.report(Progress(Stage.ENCODING, now, total, "", findable, left_s))

    while batch := select(catalog.connection(), PASSAGES_PER_SEGMENT):
        report(0)
        tokens = encoder.passage_tokens([(context, text) for _, context, text in batch])
        encoded = encoder.encode_passages(tokens, report)
        numbers = (number for number, *_ in batch)
        kept = reduce_passages(encoded, edition.keeping, has_summary=has_summary)
        vectors = list(zip(numbers, kept, strict=True))
        edition.index.publish(vectors, is_staged=is_staged)
        edition.index.merge(job)
        if also is not None:
            also.index.publish(vectors, is_staged=True)
            also.index.merge(job)
        done += len(batch)
    edition.index.merge(job, is_at_rest=True)
    report(0)
    return done
