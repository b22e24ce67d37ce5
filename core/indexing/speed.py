"""How long a library takes to be encoded, measured on a few of its own passages."""

from __future__ import annotations

import time
from typing import Final

from core.alignment.reduction import TokenReduction
from core.catalog import passages
from core.catalog.catalog import Catalog
from core.encoders.encoder import Encoder
from core.encoders.runtimes import open_runtime
from core.index.reduction import reduce_passages
from core.indexing.wanted import Wanted
from core.progress import Job

_SAMPLE: Final = 48
"""Passages: a second or two on a laptop."""
_WARMING: Final = 16


def encoding_s(catalog: Catalog, wanted: Wanted, job: Job) -> float:
    """The seconds that all passages take to be encoded, at the speed of this moment.

    Loads the model anew, so that no query waits behind it.

    Args:
        catalog: the library's.
        wanted: the index as it is to be.
        job: may be cancelled.

    Raises:
        ModelError: the model cannot be loaded.
        Cancelled: the job was cancelled.
    """
    with catalog.reading() as db:
        texts = [(context, text) for _, context, text in passages.sample(db, _SAMPLE)]
        count = passages.count(db)
    if not texts:
        return 0.0
    job.checkpoint()
    runtime = open_runtime(wanted.checkpoint, device=wanted.device)
    encoder = Encoder(wanted.checkpoint, wanted.tokenizer, runtime)

    def encode(some: list[tuple[str, str]]) -> None:
        encoded = encoder.encode_passages(
            encoder.passage_tokens(some), lambda _done: job.checkpoint()
        )
        has_summary = wanted.checkpoint.passages.gives_summary
        reduce_passages(encoded, TokenReduction.parse(wanted.row.keeping), has_summary=has_summary)

    # A runtime's first batch takes longer than all that follow.
    encode(texts[:_WARMING])
    began_s = time.monotonic()
    encode(texts)
    return (time.monotonic() - began_s) / len(texts) * count
