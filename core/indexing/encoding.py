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


def encode_waiting(catalog: Catalog, index: TokenIndex, encoder: Encoder, job: Job) -> int:
    """Encode all passages that want their vectors, and publish them; gives how many.

    Raises:
        Cancelled: the person cancelled; what was published stays.
    """
    counted = passages.counts(catalog.connection())
    began_s = time.monotonic()
    done = 0

    def report(in_batch: int) -> None:
        job.checkpoint()
        now = done + in_batch
        total = max(counted.waiting, now)
        left_s = (time.monotonic() - began_s) / now * (total - now) if now else None
        findable = counted.passages - counted.waiting + done
        job.report(Progress(Stage.ENCODING, now, total, "", findable, left_s))

    while batch := passages.waiting(catalog.connection(), PASSAGES_PER_SEGMENT):
        report(0)
        tokens = encoder.passage_tokens([(context, text) for _, context, text in batch])
        vectors = encoder.encode([one.ids for one in tokens], report)
        index.publish(list(zip((number for number, *_ in batch), vectors, strict=True)))
        done += len(batch)
    report(0)
    return done
