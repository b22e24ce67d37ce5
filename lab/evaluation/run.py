"""Index a judged data set as in the product and measure the search."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from core.alignment.pairwise import AlignmentStrategy
from core.documents.document import Document, Page
from core.documents.text import normalise
from core.encoders.folders.layouts import load_checkpoint
from core.index.probing import ProbeParams
from core.indexing.build.index_sizes import storage_of
from core.library.library import Library, LibraryOptions
from core.model_names import BUILT_IN
from core.progress import Job
from core.responses import Mode
from core.settings import Settings
from lab.evaluation import measures
from lab.evaluation.data import CorpusDocument, DataSet

_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Results of one run. Latencies are in milliseconds, from query text to ranking."""

    dataset: str
    queries: int
    documents: int
    mode: Mode
    alignment: str
    bits: int
    is_refined: bool
    beta_q: float
    beta_d: float
    ndcg_at_10: float
    mrr_at_10: float
    recall_at_100: float
    success_at_5: float
    bytes_per_token: float
    p50_ms: float
    p95_ms: float


def evaluate(
    folder: Path,
    split: str = "test",
    modes: tuple[Mode, ...] = (Mode.HYBRID,),
    options: LibraryOptions | None = None,
    job: Job | None = None,
    *,
    refined: tuple[bool, ...] = (True,),
    unrelated: tuple[Path, ...] = (),
) -> list[Evaluation]:
    """Index the data set in `folder` in a temporary library and search it in each mode.

    A document scores as its best passage; one whose id is the query's is left out, as in BEIR.
    `refined` lists whether the best documents are reranked by all their tokens. `unrelated` are
    folders of other sets, whose documents are indexed as well (see `DataSet`).

    Raises:
        UsageError: the data set is malformed, with file and line.
        Cancelled: the job was cancelled.
    """
    options = options or LibraryOptions()
    job = job or Job()
    checkpoint = load_checkpoint(options.model or BUILT_IN)
    data = DataSet(folder, unrelated)
    judged = data.split(split)
    with (
        tempfile.TemporaryDirectory(prefix="winnow-evaluate-") as home,
        Library.open(Path(home), options) as library,
    ):
        ids = library.add_collection(data.name, _documents(data))
        report = library.sync(job)
        library.warm_up()
        _, bits = storage_of(checkpoint, Settings().index_size)
        params = options.probe_params or ProbeParams()
        evaluations = []
        for mode, is_refined in product(modes, refined):
            rankings: dict[str, list[str]] = {}
            took_ms = []
            for query in judged.queries:
                job.checkpoint()
                began_s = time.perf_counter()
                # One more than needed: the query itself may be among the documents.
                found = library.rank(query.text, mode=mode, limit=_DEPTH + 1, is_refined=is_refined)
                took_ms.append((time.perf_counter() - began_s) * 1000)
                ranking = [ids[number] for number, _ in found]
                rankings[query.id] = [one for one in ranking if one != query.id][:_DEPTH]
            p50, p95 = np.percentile(took_ms, [50, 95])
            evaluations.append(
                Evaluation(
                    dataset=data.name,
                    queries=len(judged.queries),
                    documents=len(ids),
                    mode=mode,
                    alignment=str(options.alignment or AlignmentStrategy()),
                    bits=options.bits or bits,
                    is_refined=is_refined and mode is not Mode.WORDS,
                    beta_q=params.beta_q,
                    beta_d=report.tokens_kept / max(report.tokens, 1),
                    ndcg_at_10=measures.mean(measures.ndcg, rankings, judged.judgements, 10),
                    mrr_at_10=measures.mean(measures.mrr, rankings, judged.judgements, 10),
                    recall_at_100=measures.mean(measures.recall, rankings, judged.judgements, 100),
                    success_at_5=measures.mean(measures.success, rankings, judged.judgements, 5),
                    bytes_per_token=report.index_bytes / max(report.tokens, 1),
                    p50_ms=float(p50),
                    p95_ms=float(p95),
                )
            )
    return evaluations


def as_document(entry: CorpusDocument) -> Document:
    """Return a corpus document as a reader would. A document with only a title has it as text."""
    text = normalise(entry.text) or normalise(entry.title)
    title = " ".join(entry.title.split())
    return Document("" if text == title else title, (Page(1, text),))


def _documents(data: DataSet) -> Iterator[tuple[str, Document]]:
    for entry in data.documents():
        yield entry.id, as_document(entry)
