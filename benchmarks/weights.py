"""Choose the weights of the summary and of the words on some sets, and measure them on others.

    python3 dev.py bench weights --choose SET[:SPLIT] ... --report SET[:SPLIT] ... [--model M]
        [--queries 200] [--json FILE]

Computes nDCG@10 for each pair of weights: of the summary, relative to all other tokens of a query,
and of the words, as a share of the score. The pair that is best on average over the `--choose` sets
is reported on the others, with the best pair there and the model's own pair. Scores are exact, of
uncompressed vectors; a document's score is the sum of its best passage by meaning and its best
passage by words, which equals the program's score for documents of one passage.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from core.arrays import Floats
from core.encoders.encoder import Encoder
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.runtimes import open_runtime
from core.encoders.tokens import Tokenizer
from core.model_names import BUILT_IN
from core.progress import Job
from core.search.ranking import RankingConfig
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import EncodedSet, encode_set
from lab.evaluation.results import ALL_TOKENS, QueryTokens, Variant
from lab.evaluation.scoring import Bags, Collection
from lab.evaluation.study import rank_by_words
from lab.evaluation.variants import summarised, weights_of

SUMMARY: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
WORDS: Final = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
# Ten documents, and one that may be the query.
_DEPTH: Final = 11


@dataclass(frozen=True, slots=True)
class Weights:
    """A pair of weights: of a query's summary, and the words' share of a score."""

    summary: float
    words: float

    def __str__(self) -> str:
        """Return the label in the table."""
        return f"summary {self.summary:g}, words {self.words:g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--choose", nargs="+", required=True, metavar="SET[:SPLIT]")
    parser.add_argument("--report", nargs="+", required=True, metavar="SET[:SPLIT]")
    parser.add_argument("--model", default=BUILT_IN)
    parser.add_argument(
        "--queries", type=int, default=200, help="queries drawn at random from each set"
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    if shared := {name.partition(":")[0] for name in options.choose} & {
        name.partition(":")[0] for name in options.report
    }:
        parser.error(f"{', '.join(sorted(shared))} cannot be chosen by and reported at once")
    checkpoint = load_checkpoint(options.model)
    encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), open_runtime(checkpoint))
    own = Weights(checkpoint.summary_weight, RankingConfig.of_model(checkpoint.folder).words)
    # Without summaries in the model, their weight has no effect.
    summaries = SUMMARY if checkpoint.summary_weight else (own.summary,)
    pairs = [*dict.fromkeys([*grid(summaries), own])]
    tables: dict[str, Floats] = {}
    for name in [*options.choose, *options.report]:
        folder, _, split = name.partition(":")
        tables[name] = measured(Path(folder), split or "test", options.queries, encoder, pairs)
        best = pairs[int(tables[name].argmax())]
        print(f"{name}: {tables[name].max():.4f} by {best}", flush=True)
    chosen = pairs[int(mean(tables, options.choose).argmax())]
    argmax = pairs[int(mean(tables, options.report).argmax())]
    show(
        tables,
        pairs,
        options.choose,
        options.report,
        {"chosen": chosen, "argmax": argmax, "own": own},
    )
    if options.json:
        found = {name: [round(float(one), 4) for one in row] for name, row in tables.items()}
        described = {"pairs": [[one.summary, one.words] for one in pairs], "ndcg@10": found}
        options.json.write_text(json.dumps(described) + "\n", encoding="utf-8")


def grid(summaries: Sequence[float]) -> Iterator[Weights]:
    """Yield each combination of a summary weight and a words' share."""
    for summary in summaries:
        for words in WORDS:
            yield Weights(summary, words)


def mean(tables: dict[str, Floats], names: Sequence[str]) -> Floats:
    """Return the mean nDCG@10 (w,) over sets, for each pair."""
    averages: Floats = np.mean([tables[name] for name in names], axis=0, dtype=np.float32)
    return averages


def measured(
    folder: Path, split: str, queries: int, encoder: Encoder, pairs: Sequence[Weights]
) -> Floats:
    """Return the nDCG@10 (w,) on one set, for each pair."""
    data = DataSet(folder)
    encoded = encode_set(encoder, data, split=split, queries=queries)
    shares = bm25_shares(encoded, data)
    passages = encoded.passages
    collection = Collection(Bags(passages.vectors, passages.offsets), encoded.starts)
    queries_encoded = encoded.encoded_queries
    bags = Bags(queries_encoded.vectors, queries_encoded.offsets)
    weights = weights_of(queries_encoded, Variant(ALL_TOKENS))[QueryTokens.ALL]
    found: dict[Weights, float] = {}
    summaries = list(dict.fromkeys(pair.summary for pair in pairs))
    # All weights together, because the slow part, each token's best similarity, is the same.
    weightings = [summarised(queries_encoded, weights, summary) for summary in summaries]
    for summary, similarity in zip(summaries, collection.scores(bags, weightings), strict=True):
        for pair in pairs:
            if pair.summary == summary:
                scores = (1 - pair.words) * similarity + pair.words * shares
                best = np.argsort(-scores, axis=1, kind="stable")[:, :_DEPTH]
                names = [[encoded.documents[one] for one in row] for row in best.tolist()]
                found[pair] = encoded.ndcg(names)
    return np.array([found[pair] for pair in pairs], dtype=np.float32)


def bm25_shares(encoded: EncodedSet, data: DataSet) -> Floats:
    """Return each document's best BM25 score (q, n), relative to the query's best one."""
    places = {name: place for place, name in enumerate(encoded.documents)}
    shares = np.zeros((len(encoded.queries), len(places)), dtype=np.float32)
    for row, found in enumerate(rank_by_words(encoded, data, len(places), Job())):
        most = max((score for _, score in found), default=0.0)
        for name, score in found:
            if most > 0 and name in places:
                shares[row, places[name]] = score / most
    return shares


def show(
    tables: dict[str, Floats],
    pairs: Sequence[Weights],
    choose: Sequence[str],
    report: Sequence[str],
    picked: dict[str, Weights],
) -> None:
    """Print a table: each set's nDCG@10 for the chosen pairs, and both averages."""
    columns = {name: pairs.index(pair) for name, pair in picked.items()}
    for name, pair in picked.items():
        print(f"{name}: {pair}")
    print(f"{'':24}" + "".join(f"{name:>10}" for name in columns))
    for title, names in (("chosen by", choose), ("reported", report)):
        for name in names:
            figures = "".join(f"{tables[name][column]:10.4f}" for column in columns.values())
            print(f"{Path(name).name:24}{figures}")
        averages = mean(tables, names)
        figures = "".join(f"{averages[column]:10.4f}" for column in columns.values())
        print(f"{title + ', average':24}{figures}")


if __name__ == "__main__":
    main()
