"""From passages in the catalog to vectors in the index."""

from __future__ import annotations

import time
from typing import Final

from core.catalog import passages
from core.catalog.catalog import Catalog
from core.encoders.encoder import Encoder
from core.index.token_index import TokenIndex
from core.progress import Job, Progress, Stage

PASSAGES_PER_SEGMENT: Final = 1024
"""Some seconds of encoding on a laptop: the most that being killed can cost."""


def encode_waiting(
    catalog: Catalog, index: TokenIndex, encoder: Encoder, job: Job, *, is_staged: bool = False
) -> int:
    """Encode all passages that want their vectors, and publish them; gives how many.

    Where `is_staged` the vectors do not answer yet, and those that do stay as they are.

    Raises:
        Cancelled: the person cancelled; what was published stays.
    """
    counted = passages.counts(catalog.connection())
    wanting = counted.unstaged if is_staged else counted.waiting
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
        vectors = [(n, one.vectors) for n, one in zip(numbers, encoded, strict=True)]
        index.publish(vectors, is_staged=is_staged)
        done += len(batch)
    report(0)
    return done
