"""Results of a study as tables or JSON."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, TypeVar

from core.commands import terminal
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.table import Table

    from lab.evaluation.results import Study
    from lab.evaluation.sizes import Sizes
    from lab.reference.clusters import Clusters
    from lab.reference.forms import FormFigure
    from lab.reference.retrieved import RetrievedStudy
    from lab.reference.scoring_cost import ScoringCost
    from lab.reference.token_examples import QueryExample
    from lab.reference.token_scores import TokenScores

T = TypeVar("T")

_RANKS = (1, 10, 100, 1000, 10_000)


def print_study(study: Study) -> None:
    """Print the sizes of the sets, and a row of figures for each variant."""
    console = terminal.console(wraps=True)
    if not console.is_terminal:
        # Tables in a file are not truncated.
        console = terminal.console(wraps=True, width=80 + 16 * len(study.sets))
    console.print(_sizes(study))
    console.print(_figures(study))
    terminal.say(
        f"Model {study.model}, split {study.split}, in {terminal.duration(study.seconds)}."
    )


def _sizes(study: Study) -> Table:
    from rich.table import Table

    table = Table("set", title="Data sets", title_justify="left")
    for heading in ("documents", "passages", "tokens", "queries", "their tokens"):
        table.add_column(heading, justify="right")
    for one in study.sets:
        counts = (one.documents, one.passages, one.tokens, one.queries, one.query_tokens)
        table.add_row(quoted(one.dataset), *(f"{count:,}" for count in counts))
    return table


def _figures(study: Study) -> Table:
    from rich.table import Table

    table = Table("variant", title="nDCG@10", title_justify="left")
    for one in study.sets:
        is_trained = one.dataset in study.trained
        table.add_column(quoted(one.dataset) + " (trained on)" * is_trained, justify="right")
    table.add_column("mean", justify="right")
    reduction = None
    for variant in study.variants:
        if variant.reduction != reduction and reduction is not None:
            table.add_section()
        reduction = variant.reduction
        values = [study.ndcg(one.dataset, variant) for one in study.sets]
        table.add_row(variant.name, *map(_shown, values), _shown(study.mean(variant)))
    return table


def _shown(value: float) -> str:
    """Return a figure, or a dash if it was not measured.

    >>> _shown(0.39151), _shown(math.nan)
    ('.3915', '-')
    """
    return f"{value:.4f}".removeprefix("0") if math.isfinite(value) else "-"


def print_forms(
    compared: Mapping[str, Sequence[FormFigure]], *, as_json: bool, is_sorted: bool
) -> None:
    """Print the results of each form on each set; if `is_sorted`, the best mean first."""
    if as_json:
        terminal.print_json(
            {
                name: [
                    {
                        "form": figure.form,
                        "source": figure.source,
                        "ndcg@10": round(figure.ndcg_at_10, 4),
                        "seconds": round(figure.seconds, 2),
                    }
                    for figure in figures
                ]
                for name, figures in compared.items()
            }
        )
        return
    from rich.table import Table

    table = Table("form", "source", title="nDCG@10", title_justify="left")
    for name in compared:
        table.add_column(quoted(name), justify="right")
    rows = list(zip(*compared.values(), strict=True))
    if is_sorted:
        rows.sort(key=lambda figures: -sum(figure.ndcg_at_10 for figure in figures))
    for figures in rows:
        values = [f"{figure.ndcg_at_10:.4f}" for figure in figures]
        table.add_row(figures[0].form, figures[0].source, *values)
    terminal.console(wraps=True, width=None).print(table)


def print_clusters(parted: Mapping[str, Clusters], *, as_json: bool) -> None:
    """Print how many tokens share a cluster, and some of them.

    JSON has two histograms: clusters by their number of tokens, and tokens by their number of
    clusters.
    """
    if as_json:
        from collections import Counter

        terminal.print_json(
            {
                name: {
                    **{
                        key: {
                            what: dict(sorted(Counter(counts.tolist()).items()))
                            for what, counts in asdict(spread).items()
                        }
                        for key, spread in (("own", found.own), ("random", found.random))
                    },
                    "examples": found.examples,
                }
                for name, found in parted.items()
            }
        )
        return
    from rich.table import Table

    for name, found in parted.items():
        table = Table("at most", title=quoted(name), title_justify="left")
        for heading in ("clusters with so many tokens", "random", "tokens in so many", "random"):
            table.add_column(heading, justify="right")
        columns = (found.own.tokens, found.random.tokens, found.own.clusters, found.random.clusters)
        for most in (1, 2, 4, 8, 16, 32, 64, 128, 256):
            shares = [f"{(column <= most).mean():.0%}" for column in columns]
            table.add_row(str(most), *shares)
        terminal.console(wraps=True, width=None).print(table)
        for tokens in found.examples:
            terminal.say(f"  {', '.join(map(quoted, tokens))}")


def print_retrieved(scored: Mapping[str, Mapping[str, RetrievedStudy]], *, as_json: bool) -> None:
    """Print quality and cost of each scoring method of retrieved tokens, by model and set."""
    if as_json:
        terminal.print_json(
            {
                model: {
                    name: {
                        "figures": [
                            {
                                "missing": figure.missing,
                                "retrieved": figure.retrieved,
                                "mrr@10": round(figure.mrr_at_10, 4),
                                "recall@100": round(figure.recall_at_100, 4),
                                "ndcg@10": round(figure.ndcg_at_10, 4),
                            }
                            for figure in found.figures
                        ],
                        "scoring": [asdict(cost) for cost in found.costs],
                    }
                    for name, found in of_sets.items()
                }
                for model, of_sets in scored.items()
            }
        )
        return
    from rich.table import Table

    console = terminal.console(wraps=True, width=None)
    for title, found in _titled(scored):
        table = Table("what is missing", title=title, title_justify="left")
        for heading in ("tokens", "MRR@10", "recall@100", "nDCG@10"):
            table.add_column(heading, justify="right")
        way = None
        for figure in found.figures:
            if figure.missing != way and way is not None:
                table.add_section()
            way = figure.missing
            values = (figure.mrr_at_10, figure.recall_at_100, figure.ndcg_at_10)
            table.add_row(way, f"{figure.retrieved:,}", *map(_shown, values))
        console.print(table)
        console.print(_costs(f"FLOPs of scoring: {title}", found.costs))


def _costs(title: str, costs: Sequence[ScoringCost]) -> Table:
    """Return the operations of ColBERT and XTR, as counted and as estimated in the paper.

    Source: XTR, table 1.
    """
    from rich.table import Table

    title += "".join(
        f", n = {cost.query_tokens:.1f}, d = {cost.dimensions:.0f}" for cost in costs[:1]
    )
    note = "m: tokens of a candidate; r: those that were retrieved; at worst: all of other passages"
    table = Table(title=title, title_justify="left", caption=note, caption_justify="left")
    for heading in ("k'", "candi-\ndates", "m", "r", "ColBERT", "XTR", "ratio"):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in ("ColBERT,\nat worst", "XTR,\nat worst"):
        table.add_column(heading, justify="right", no_wrap=True)
    for cost in costs:
        table.add_row(
            f"{cost.retrieved:,.0f}",
            f"{cost.candidates:,.0f}",
            f"{cost.passage_tokens:.0f}",
            f"{cost.tokens_retrieved:.1f}",
            _power(cost.colbert),
            _power(cost.xtr),
            f"{cost.colbert / cost.xtr:,.0f}",
            _power(cost.colbert_worst),
            _power(cost.xtr_worst),
        )
    return table


def _power(value: float) -> str:
    """Return a large number in short notation.

    >>> _power(361881600.0), _power(0.0)
    ('3.6e8', '0')
    """
    digits, _, power = f"{value:.1e}".partition("e")
    return f"{digits}e{int(power)}" if value else "0"


def print_token_scores(
    scores_by_set: Mapping[str, Mapping[str, TokenScores]], *, as_json: bool
) -> None:
    """Print properties of retrieved tokens at some ranks; JSON includes the histogram."""
    if as_json:
        terminal.print_json(
            {
                model: {
                    name: {
                        "density": [round(value, 4) for value in scores.density.tolist()],
                        "mean_by_rank": [round(value, 4) for value in scores.means.tolist()],
                        "deviation_by_rank": [
                            round(value, 4) for value in scores.deviations.tolist()
                        ],
                        "gold": [_number(share) for share in scores.curve.gold],
                        "lexical": [_number(share) for share in scores.curve.lexical],
                    }
                    for name, scores in of_sets.items()
                }
                for model, of_sets in scores_by_set.items()
            }
        )
        return
    from rich.table import Table

    for title, scores in _titled(scores_by_set):
        table = Table("rank", title=title, title_justify="left")
        for heading in ("score", "±", "of a relevant document", "the same token"):
            table.add_column(heading, justify="right")
        count = len(scores.means)
        for rank in (*(rank for rank in _RANKS if rank < count), count):
            table.add_row(
                f"{rank:,}",
                _shown(scores.means[rank - 1]),
                _shown(scores.deviations[rank - 1]),
                *(
                    _shown(shares[rank - 1]) if rank <= len(shares) else ""
                    for shares in (scores.curve.gold, scores.curve.lexical)
                ),
            )
        terminal.console(wraps=True, width=None).print(table)


def print_examples(
    shown: Mapping[str, Mapping[str, Sequence[QueryExample]]], *, as_json: bool
) -> None:
    """Print the tokens that each token of some queries retrieves, in context."""
    if as_json:
        terminal.print_json(
            {
                model: {
                    name: [asdict(example) for example in examples]
                    for name, examples in of_sets.items()
                }
                for model, of_sets in shown.items()
            }
        )
        return
    from rich.table import Table
    from rich.text import Text

    console = terminal.console(wraps=True, width=None)
    for title, examples in _titled(shown):
        for example in examples:
            terminal.say(f"{title}: {quoted(example.query)}")
            for token in example.tokens:
                table = Table(
                    title=Text(
                        f"{quoted(token.token)}: of the first hundred {token.lexical:.0%} are the"
                        f" same token, {token.relevant:.0%} of a relevant document"
                    ),
                    title_justify="left",
                )
                for heading in ("rank", "score"):
                    table.add_column(heading, justify="right")
                for heading in ("token", "context", "relevant"):
                    table.add_column(heading)
                for one in token.retrieved:
                    table.add_row(
                        str(one.rank),
                        _shown(one.score),
                        Text(quoted(one.token)),
                        Text.assemble(
                            quoted(one.before),
                            (f"»{quoted(one.token)}«", "bold"),
                            quoted(one.after),
                        ),
                        "yes" if one.is_relevant else "no",
                    )
                console.print(table)


def print_sizes(counted: Mapping[str, Sizes], *, as_json: bool) -> None:
    """Print the numbers of words and answers: minimum, quartiles, maximum."""
    from lab.evaluation.sizes import QUARTILES, quartiles

    if as_json:
        terminal.print_json(
            {
                name: {what: counts.tolist() for what, counts in asdict(sizes).items()}
                for name, sizes in counted.items()
            }
        )
        return
    from rich.table import Table

    table = Table("set", "what", title="Sizes", title_justify="left")
    for share in QUARTILES:
        table.add_column({0: "least", 50: "median", 100: "most"}.get(share, f"{share} %"))
    for name, sizes in counted.items():
        for what, counts in (
            ("words a document", sizes.document_words),
            ("words a query", sizes.query_words),
            ("answers a query", sizes.answers),
        ):
            table.add_row(quoted(name), what, *(f"{value:,g}" for value in quartiles(counts)))
        table.add_section()
    terminal.console(wraps=True, width=None).print(table)


def _titled(by_set: Mapping[str, Mapping[str, T]]) -> Iterator[tuple[str, T]]:
    """Yield the results by set, and by model if there are several."""
    for model, of_sets in by_set.items():
        for name, one in of_sets.items():
            yield quoted(f"{model}, {name}" if len(by_set) > 1 else name), one


def _number(value: float) -> float | None:
    """Return a number for JSON, which has no NaN."""
    return round(value, 4) if math.isfinite(value) else None
