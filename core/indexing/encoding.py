"""From passages in the catalog to vectors in the index."""

from __future__ import annotations

import time
from typing import Final

from core.catalog import passages
from core.catalog.catalog import Catalog
from core.index.edition import Edition
from core.index.reduction import reduce_passages
from core.progress import Job, Progress, Stage

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
