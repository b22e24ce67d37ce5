"""Compare the size and speed of Winnow's index with other late-interaction engines.

All engines get the same token vectors: those of Winnow's model for a judged data set in BEIR's
layout, every token of every passage. First all indexes are built, then the engines are searched in
turns, `--rounds` times, so that other load on the machine affects all of them; the round with the
lowest median counts. Each engine runs in separate processes with the given number of threads; the
processor is printed with the table. Quality is measured by the judgements, with a document's score
being that of its best passage.

    python3 dev.py bench engines DATA --vectors FOLDER [--queries 150] [--threads 1]
        [--build-threads 1] [--rounds 1] [--reuse] [--only NAME] [--peers PYTHON] [--json FILE]
        [--picture FILE.svg]

The vectors are computed once and stored in the folder with the indexes: `--reuse` searches existing
indexes. `--peers` names the Python of an environment with the other engines, created by hand
because they take gigabytes:

    python3 -m venv PEERS
    PEERS/bin/pip install torch==2.11.0 fast-plaid==1.7.0.2110 xtr-warp-rs==2.1.0.2110
    PEERS/bin/pip install faiss-cpu lancedb qdrant-edge-py colbert-ai ninja

`peers_at_size.py` measures the needs of each engine as a library grows.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _machine import Machine

from core.alignment.pooling import offsets_of
from core.encoders.encoder import Encoder
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.runtimes import open_runtime
from core.encoders.tokens import Tokenizer
from core.model_names import BUILT_IN
from lab.evaluation import measures
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import EncodedTexts, encode_set
from lab.evaluation.results import QueryTokens, Variant
from lab.evaluation.variants import weights_of

ROOT = Path(__file__).resolve().parent
PEERS = ROOT / "peers"
# Name, and arguments of the script.
WINNOW: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("winnow-40-2", ("--keep", "weighted-pooling:0.4", "--bits", "2")),
    # The same lists, with the scores that XTR and ColBERTv2 impute to tokens without a match.
    ("winnow-40-2-xtr", ("--keep", "weighted-pooling:0.4", "--bits", "2", "--procedure", "xtr")),
    (
        "winnow-40-2-colbert",
        ("--keep", "weighted-pooling:0.4", "--bits", "2", "--procedure", "colbert"),
    ),
    ("winnow-38-1-own", ("--keep", "weighted-pooling:0.38", "--bits", "1", "--own")),
    ("winnow-40-1", ("--keep", "weighted-pooling:0.4", "--bits", "1")),
    ("winnow-28-1", ("--keep", "weighted-pooling:0.28", "--bits", "1")),
    ("winnow-20-2", ("--keep", "weighted-pooling:0.2", "--bits", "2")),
    ("winnow-20-1", ("--keep", "weighted-pooling:0.2", "--bits", "1")),
    # As shipped: Fast, whose refinement store has finer codes of more vectors; and Small, which
    # encodes the best passages again, in the search time.
    ("winnow-fast", ("--keep", "weighted-pooling:0.2+0.3", "--bits", "1")),
    ("winnow-20-1-refined", ("--keep", "weighted-pooling:0.2", "--bits", "1", "--refined", "20")),
    (
        "winnow-20-1-wide",
        ("--keep", "weighted-pooling:0.2", "--bits", "1", "--lists", "16", "--candidates", "1000"),
    ),
    ("winnow-all-2", ("--keep", "all", "--bits", "2")),
)


def prepare(data: DataSet, folder: Path, queries: int, model: str) -> None:
    """Encode the data set, and write all input of the engines to the folder."""
    if (folder / "judged.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = load_checkpoint(model)
    encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), open_runtime(checkpoint))
    encoded = encode_set(encoder, data, queries=queries)
    np.save(folder / "vectors.npy", encoded.passages.vectors)
    np.save(folder / "offsets.npy", encoded.passages.offsets)
    saliences = encoded.passages.saliences
    np.save(
        folder / "saliences.npy",
        np.ones(len(encoded.passages.ids), np.float32) if saliences is None else saliences,
    )
    passage_tokens = encoded.passage_tokens
    np.savez(
        folder / "given.npz",
        framed=np.concatenate([np.array(text.framed, np.int32) for text in passage_tokens]),
        framed_offsets=offsets_of([len(text.framed) for text in passage_tokens]),
        attended=np.array([text.attended for text in passage_tokens], np.int32),
        places=np.concatenate([np.array(text.positions, np.int32) for text in passage_tokens]),
    )
    queries_encoded: EncodedTexts = encoded.encoded_queries
    weights = weights_of(queries_encoded, Variant())[QueryTokens.ALL]
    np.save(folder / "queries.npy", queries_encoded.vectors.astype(np.float32) * weights[:, None])
    np.save(folder / "query_offsets.npy", queries_encoded.offsets)
    settings = {"model": model, "has_summary": encoded.passages.has_summaries}
    (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    documents = np.repeat(np.arange(len(encoded.documents)), np.diff(encoded.starts))
    judged = {
        "set": data.name,
        "documents": [encoded.documents[one] for one in documents.tolist()],
        "queries": [query.id for query in encoded.queries],
        "judgements": {query.id: encoded.judgements[query.id] for query in encoded.queries},
    }
    # Last, because its presence marks the folder as complete.
    (folder / "judged.json").write_text(json.dumps(judged), encoding="utf-8")


def measure(report: Mapping[str, Any], judged: Mapping[str, Any], tokens: int) -> dict[str, Any]:
    """Return the figures of one engine."""
    rankings = {}
    for query, passages in zip(judged["queries"], report["results"], strict=True):
        documents = dict.fromkeys(judged["documents"][passage] for passage in passages)
        rankings[query] = [one for one in documents if one != query]
    p50, p95 = np.percentile(report["latencies_ms"], [50, 95])
    return {
        "engine": report["engine"],
        "version": report["version"],
        "settings": report["settings"],
        "build_s": round(report["build_s"], 1),
        "bytes_per_token": round(report["disk_bytes"] / tokens, 2),
        "resident_mb": round(report["resident_mb"]),
        "anonymous_mb": round(report["anonymous_mb"]),
        "p50_ms": round(float(p50), 2),
        "p95_ms": round(float(p95), 2),
        "ndcg@10": round(measures.mean(measures.ndcg, rankings, judged["judgements"], 10), 4),
        "recall@100": round(measures.mean(measures.recall, rankings, judged["judgements"], 100), 4),
    }


@dataclass(frozen=True)
class Contestant:
    """An engine with its settings and the location of its index."""

    name: str
    python: Path
    script: Path
    own: tuple[str, ...]
    source: Path

    @property
    def work(self) -> Path:
        return self.source / "indexes" / self.name

    def build(self, threads: int) -> bool:
        """Build its index from scratch; print the reason and return False if that fails."""
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        return self._run("build", threads)

    def ask(self, threads: int) -> dict[str, Any] | None:
        """Return its results and times; print the reason and return None if it fails."""
        if not self._run("ask", threads):
            return None
        found: dict[str, Any] = json.loads(self.report.read_text(encoding="utf-8"))
        return found

    @property
    def report(self) -> Path:
        return self.work / "report.json"

    def command(self, step: str, threads: int) -> list[str | Path]:
        """Return the command that builds or searches the index."""
        command: list[str | Path] = [self.python, self.script, *self.own]
        return [
            *command,
            *(self.source, self.work, self.report),
            *("--threads", str(threads), "--only", step),
        ]

    def _run(self, step: str, threads: int) -> bool:
        done = subprocess.run(
            self.command(step, threads),
            check=False,
            env=environment(),
            capture_output=True,
            text=True,
        )
        if done.returncode:
            reason = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no output"]
            print(f"{self.name} could not be run ({step}): {reason[0]}", flush=True)
        return done.returncode == 0


def environment() -> dict[str, str]:
    """Return the environment of an engine's process.

    The path is for Winnow's script only; the peers do not use `core`.
    """
    return os.environ | {"PYTHONPATH": str(ROOT.parent)}


def contestants(
    source: Path, peers: Path | None, only: Sequence[str] | None
) -> Iterator[Contestant]:
    """Yield Winnow with each of its settings, then the peers if there is a Python for them."""
    here = Path(sys.executable)
    for name, own in WINNOW:
        if not only or name in only:
            yield Contestant(name, here, PEERS / "winnow_index.py", own, source)
    for path in sorted(PEERS.glob("*.py")) if peers else ():
        if path.stem not in {"harness", "winnow_index"} and (not only or path.stem in only):
            yield Contestant(path.stem, peers or here, path, (), source)


def ask_in_turns(
    engines: Sequence[Contestant], rounds: int, threads: int
) -> Iterator[tuple[Contestant, dict[str, Any]]]:
    """Yield each engine's report of the round with its lowest median."""
    reports: dict[Contestant, list[dict[str, Any]]] = {engine: [] for engine in engines}
    for _ in range(rounds):
        for engine, found in reports.items():
            report = engine.ask(threads)
            if report is not None:
                found.append(report)
    for engine, found in reports.items():
        if found:
            yield engine, min(found, key=lambda report: np.median(report["latencies_ms"]))


def draw(rows: Sequence[Mapping[str, Any]], path: Path, title: str) -> None:
    """Draw quality over latency; the area of a point shows the bytes per token."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 4.4))
    # Labels alternate above and below from left to right, so that neighbours do not overlap.
    for number, row in enumerate(sorted(rows, key=lambda row: float(row["p50_ms"]))):
        colour = "#0072B2" if row["engine"].startswith("Winnow") else "#D55E00"
        point = (row["p50_ms"], row["ndcg@10"])
        area = 4 * row["bytes_per_token"]
        axes.scatter(*point, s=area, color=colour, alpha=0.5)
        away = (area**0.5 / 2 + 4) * (-1 if number % 2 else 1)
        label = f"{row['name']} · {row['bytes_per_token']:.3g} B"
        axes.annotate(
            label,
            point,
            xytext=(0, away),
            textcoords="offset points",
            fontsize=7,
            ha="center",
            va="top" if number % 2 else "bottom",
        )
    axes.set_xscale("log")
    axes.margins(0.18)
    axes.set_xlabel("median search, ms")
    axes.set_ylabel("nDCG@10")
    axes.set_title(title, fontsize=9)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--vectors", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--queries", type=int, default=150)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--build-threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--reuse", action="store_true")
    parser.add_argument("--model", default=BUILT_IN)
    parser.add_argument("--only", action="append", metavar="NAME")
    parser.add_argument("--peers", type=Path, metavar="PYTHON")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    options = parser.parse_args()
    folder = options.vectors.resolve()
    prepare(DataSet(options.data), folder, options.queries, options.model)
    judged = json.loads((folder / "judged.json").read_text(encoding="utf-8"))
    tokens = int(np.load(folder / "offsets.npy")[-1])
    engines = [
        engine
        for engine in contestants(folder, options.peers, options.only)
        if (options.reuse and (engine.work / "build.json").exists())
        or engine.build(options.build_threads)
    ]
    machine = Machine.this()
    print(machine.line(options.threads), flush=True)
    rows: list[dict[str, Any]] = []
    for engine, report in ask_in_turns(engines, options.rounds, options.threads):
        rows.append({"name": engine.name, **measure(report, judged, tokens)})
        print(line(rows[-1]), flush=True)
    if options.json:
        table = {"machine": machine.with_threads(options.threads), "rows": rows}
        options.json.write_text(json.dumps(table, indent=1), encoding="utf-8")
    if options.picture:
        title = f"{judged['set']}, {tokens:,} tokens\n{machine.line(options.threads)}"
        draw(rows, options.picture, title)


def line(row: Mapping[str, Any]) -> str:
    """Return one row of the table."""
    return (
        f"{row['name']:18} nDCG@10 {row['ndcg@10']:.4f}  recall@100 {row['recall@100']:.4f}"
        f"  p50 {row['p50_ms']:8.2f} ms  p95 {row['p95_ms']:8.2f} ms"
        f"  {row['bytes_per_token']:7.2f} bytes a token  {row['resident_mb']:6,} MB resident"
        f"  built in {row['build_s']:7.1f} s"
    )


if __name__ == "__main__":
    main()
