"""The command that studies a model: tables for a person, JSON, pictures."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from core.commands import terminal
from core.errors import UsageError
from core.optional_packages import require_torch
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rich.table import Table

    from core.progress import Job
    from lab.evaluation.data import DataSet
    from lab.evaluation.results import QueryTokens, Study
    from lab.reference.clusters import Clusters
    from lab.reference.forms import FormFigure
    from lab.reference.retrieved import RetrievedFigure

T = TypeVar("T")


@click.command()
@click.argument("sets", nargs=-1, required=True, type=click.Path(path_type=Path))
@terminal.model_option
@click.option("--split", default="test", show_default=True, help="Whose queries are asked.")
@click.option(
    "--queries", type=click.IntRange(min=1), help="At most so many of each set, drawn at random."
)
@click.option("--seed", default=0, show_default=True, help="Of all that is drawn.")
@click.option(
    "--retrieved",
    type=click.IntRange(min=0),
    default=4000,
    show_default=True,
    help="Tokens that XTR's scores are made of, for each of the query's; 0 leaves them out.",
)
@click.option(
    "--refined",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Documents found by few or compressed vectors that are put in order by all; 0 for none.",
)
@click.option(
    "--trained",
    multiple=True,
    metavar="NAME",
    help="A set that the model was trained on: it counts in no mean. May be given several times.",
)
@click.option("--peers/--no-peers", default=True, help="Measure BM25 and one vector a passage too.")
@click.option(
    "--fewer/--no-fewer",
    default=True,
    help="Measure fewer vectors too, pruned and pooled; it takes most of the time.",
)
@click.option(
    "--forms",
    is_flag=True,
    help="Instead rerank the same candidates by each of the papers' own forms: DPR, ME-BERT, COIL,"
    " ColBERT, XTR, the differentiable alignment.",
)
@click.option(
    "--imputation",
    is_flag=True,
    help="Instead score passages from retrieved tokens alone, for numbers of tokens up to"
    " --retrieved, with what is missing imputed in each of XTR's ways.",
)
@click.option(
    "--clusters",
    type=click.IntRange(min=1),
    help="Instead part the passages' token vectors into so many clusters, and say how many tokens"
    " share one, beside random vectors.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all figures as JSON.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    help="Draw what pruning costs in this file (.svg or .png), and token retrieval beside it; with"
    " --imputation recall by the number of retrieved tokens, and MRR beside it; with --clusters how"
    " many tokens share one, and in how many a token is.",
)
def study(
    sets: tuple[Path, ...],
    model: str | None,
    split: str,
    queries: int | None,
    seed: int,
    retrieved: int,
    refined: int,
    trained: tuple[str, ...],
    peers: bool,
    fewer: bool,
    forms: bool,
    imputation: bool,
    clusters: int | None,
    as_json: bool,
    picture: Path | None,
) -> None:
    """Measure what pruning, pooling and compressing cost on judged data SETS.

    A set is a folder in BEIR's layout or LoTTE's. All is measured on vectors in memory, without an
    index: nDCG@10 of exact scores.
    """
    from core.encoders.checkpoint import BUILT_IN
    from core.encoders.encoder import Encoder
    from core.encoders.layouts import load_checkpoint
    from core.encoders.runtimes import open_runtime
    from core.encoders.tokens import Tokenizer
    from lab.evaluation import pictures
    from lab.evaluation.study import StudyOptions
    from lab.evaluation.study import study as run
    from lab.evaluation.variants import Grid
    from lab.reference.clusters import measure_clusters
    from lab.reference.forms import measure_forms
    from lab.reference.retrieved import measure_retrieved

    if picture is not None:
        pictures.check_path(picture)
        if not (fewer or imputation or clusters):
            raise UsageError("A picture shows what fewer vectors cost; leave out --no-fewer.")
    if forms and picture is not None:
        raise UsageError("There is no picture of the papers' forms; leave out --picture.")
    if forms and not retrieved:
        raise UsageError("The papers' forms need candidates; leave out --retrieved 0.")
    if forms + imputation + (clusters is not None) > 1:
        raise UsageError("--forms, --imputation and --clusters go one at a time.")
    if imputation and not retrieved:
        raise UsageError("Scores from retrieved tokens need some; leave out --retrieved 0.")
    require_torch("Studying a model")
    checkpoint = load_checkpoint(model or BUILT_IN)
    encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), open_runtime(checkpoint))
    if forms:
        compared = _of_each(
            sets,
            lambda data, job: measure_forms(
                encoder,
                data,
                split=split,
                queries=queries,
                retrieved=retrieved,
                seed=seed,
                job=job,
            ),
        )
        print_forms(compared, as_json=as_json)
        return
    if imputation:
        scored = _of_each(
            sets,
            lambda data, job: measure_retrieved(
                encoder,
                data,
                split=split,
                queries=queries,
                retrieved=retrieved,
                seed=seed,
                job=job,
            ),
        )
        print_retrieved(scored, as_json=as_json)
        if picture is not None:
            _say_drawn(draw_retrieved(scored, checkpoint.name, picture))
        return
    if clusters is not None:
        parted = _of_each(
            sets,
            lambda data, job: measure_clusters(
                encoder, data, clusters, split=split, seed=seed, job=job
            ),
        )
        print_clusters(parted, as_json=as_json)
        if picture is not None:
            _say_drawn(draw_clusters(parted, checkpoint.name, picture))
        return
    grid = Grid(retrieved=(retrieved,) if retrieved else (), refined=refined, seed=seed)
    options = StudyOptions(
        split=split,
        queries=queries,
        seed=seed,
        grid=grid if fewer else replace(grid, reductions=()),
        with_peers=peers,
        trained=trained,
    )
    with terminal.job() as job:
        found = run(encoder, sets, options, job)
    if as_json:
        terminal.print_json(found.fields())
    else:
        print_study(found)
    if picture is not None:
        _say_drawn(draw(found, picture))


def _of_each(folders: Sequence[Path], measure: Callable[[DataSet, Job], T]) -> dict[str, T]:
    """Measure the data set in each folder, and return what was found by the folders' names."""
    from lab.evaluation.data import DataSet

    with terminal.job() as job:
        sets = map(DataSet, folders)
        return {data.name: measure(data, job) for data in sets}


def _say_drawn(paths: Iterable[Path]) -> None:
    for path in paths:
        terminal.say(f"winnow: drew {path}", is_error=True)


def print_forms(compared: Mapping[str, Sequence[FormFigure]], *, as_json: bool) -> None:
    """Print what each form finds in each set, the best in the mean first."""
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
    rows.sort(key=lambda figures: -sum(figure.ndcg_at_10 for figure in figures))
    for figures in rows:
        values = [f"{figure.ndcg_at_10:.4f}" for figure in figures]
        table.add_row(figures[0].form, figures[0].source, *values)
    terminal.console(wraps=True, width=None).print(table)


def print_clusters(parted: Mapping[str, Clusters], *, as_json: bool) -> None:
    """Print how many tokens share a cluster, and some of them.

    JSON has for each count the number of clusters with so many tokens, and of tokens in so many
    clusters.
    """
    if as_json:
        from collections import Counter
        from dataclasses import asdict

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


def draw_clusters(parted: Mapping[str, Clusters], model: str, path: Path) -> list[Path]:
    """Draw which share of clusters has at most so many tokens in `path`; gives the files.

    `NAME-tokens` beside it has which share of tokens is in at most so many clusters.

    Source: ColBERTv2, figure 2.
    """
    from lab.evaluation import pictures

    drawn = []
    for field, end, said, what in (
        ("tokens", "", "distinct tokens of a cluster", "clusters with at most so many"),
        ("clusters", "-tokens", "clusters of a token", "tokens in at most so many"),
    ):
        curves = []
        for name, found in parted.items():
            for label, spread in ((name, found.own), (f"{name}, random", found.random)):
                counts = getattr(spread, field)
                steps = sorted(set(counts.tolist()))
                levels = [float((counts <= most).mean()) for most in steps]
                curves.append(pictures.Series(label, steps, levels))
        target = path.with_stem(path.stem + end)
        pictures.lines(
            target,
            curves,
            f"Tokens and the clusters of their vectors: {model}",
            said,
            f"share of {what}",
            log_x=True,
            from_zero=True,
            with_points=False,
        )
        drawn.append(target)
    return drawn


def print_retrieved(scored: Mapping[str, Sequence[RetrievedFigure]], *, as_json: bool) -> None:
    """Print for each set what each way to score retrieved tokens finds, by their number."""
    if as_json:
        terminal.print_json(
            {
                name: [
                    {
                        "missing": figure.missing,
                        "retrieved": figure.retrieved,
                        "mrr@10": round(figure.mrr_at_10, 4),
                        "recall@100": round(figure.recall_at_100, 4),
                        "ndcg@10": round(figure.ndcg_at_10, 4),
                    }
                    for figure in figures
                ]
                for name, figures in scored.items()
            }
        )
        return
    from rich.table import Table

    for name, figures in scored.items():
        table = Table("what is missing", title=quoted(name), title_justify="left")
        for heading in ("tokens", "MRR@10", "recall@100", "nDCG@10"):
            table.add_column(heading, justify="right")
        way = None
        for figure in figures:
            if figure.missing != way and way is not None:
                table.add_section()
            way = figure.missing
            values = (figure.mrr_at_10, figure.recall_at_100, figure.ndcg_at_10)
            table.add_row(way, f"{figure.retrieved:,}", *map(_shown, values))
        terminal.console(wraps=True, width=None).print(table)


def draw_retrieved(
    scored: Mapping[str, Sequence[RetrievedFigure]], model: str, path: Path
) -> list[Path]:
    """Draw recall@100 by k' in `path`, MRR@10 in `NAME-mrr` beside it; gives the files.

    Source: XTR, figures 5 and 6.
    """
    from lab.evaluation import pictures
    from lab.evaluation.results import mean

    first, *_ = scored.values()
    by_place = list(zip(*scored.values(), strict=True))
    counted = next(iter(scored)) if len(scored) == 1 else f"mean of {len(scored)} sets"
    counts = sorted({figure.retrieved for figure in first})
    drawn = []
    for what, end, field in (
        ("recall@100", "", "recall_at_100"),
        ("MRR@10", "-mrr", "mrr_at_10"),
    ):
        curves = []
        for way in dict.fromkeys(figure.missing for figure in first):
            rows = [row for row in by_place if row[0].missing == way]
            levels = [mean(float(getattr(figure, field)) for figure in row) for row in rows]
            curves.append(pictures.Series(way, counts, levels))
        target = path.with_stem(path.stem + end)
        pictures.lines(
            target,
            curves,
            f"Scores from retrieved tokens, by what is imputed: {model}",
            "tokens retrieved for each of the query's (k')",
            f"{what}, {counted}",
            x_ticks=counts,
            log_x=True,
        )
        drawn.append(target)
    return drawn


def print_study(found: Study) -> None:
    """The sizes of the sets, and a row of figures for each variant."""
    console = terminal.console(wraps=True)
    if not console.is_terminal:
        # A file has no edge at which a table would have to be cut.
        console = terminal.console(wraps=True, width=80 + 16 * len(found.sets))
    console.print(_sizes(found))
    console.print(_figures(found))
    terminal.say(
        f"Model {found.model}, split {found.split}, in {terminal.duration(found.seconds)}."
    )


def _sizes(found: Study) -> Table:
    from rich.table import Table

    table = Table("set", title="Data sets", title_justify="left")
    for heading in ("documents", "passages", "tokens", "queries", "their tokens"):
        table.add_column(heading, justify="right")
    for one in found.sets:
        counts = (one.documents, one.passages, one.tokens, one.queries, one.query_tokens)
        table.add_row(quoted(one.dataset), *(f"{count:,}" for count in counts))
    return table


def _figures(found: Study) -> Table:
    from rich.table import Table

    table = Table("variant", title="nDCG@10", title_justify="left")
    for one in found.sets:
        is_trained = one.dataset in found.trained
        table.add_column(quoted(one.dataset) + " (trained on)" * is_trained, justify="right")
    table.add_column("mean", justify="right")
    kept = None
    for variant in found.variants:
        if variant.kept != kept and kept is not None:
            table.add_section()
        kept = variant.kept
        values = [found.ndcg(one.dataset, variant) for one in found.sets]
        table.add_row(variant.name, *map(_shown, values), _shown(found.mean(variant)))
    return table


def _shown(value: float) -> str:
    """Return a figure, or a dash where nothing was measured.

    >>> _shown(0.39151), _shown(math.nan)
    ('.3915', '-')
    """
    return f"{value:.4f}".removeprefix("0") if math.isfinite(value) else "-"


def draw(found: Study, path: Path) -> list[Path]:
    """Draw a study beside `path`; gives the files.

    `path` itself has what reductions cost with all of the query's tokens, `NAME-half` with the
    more salient half of them, `NAME-refined` and `NAME-half-refined` the same with refinement,
    `NAME-gold` and `NAME-lexical` XTR's curves.
    """
    from lab.evaluation.results import QueryTokens

    drawn = []
    for query, end in ((QueryTokens.ALL, ""), (QueryTokens.HALF, "-half")):
        for is_refined, further in ((False, ""), (True, "-refined")):
            place = path.with_stem(path.stem + end + further)
            drawn += _draw_reductions(found, query, place, is_refined=is_refined)
    drawn += _draw_curves(found, path.with_stem(path.stem + "-gold"), "gold")
    drawn += _draw_curves(found, path.with_stem(path.stem + "-lexical"), "lexical")
    return drawn


def _draw_reductions(
    found: Study, query: QueryTokens, path: Path, *, is_refined: bool
) -> list[Path]:
    from lab.evaluation import pictures
    from lab.evaluation.results import WORDS, Variant
    from lab.evaluation.study import by_reduction

    curves = [
        pictures.Series(kept, [100 * share for share, _ in points], [ndcg for _, ndcg in points])
        for kept, points in by_reduction(found, query, is_refined=is_refined).items()
    ]
    if not any(math.isfinite(y) for curve in curves for y in curve.y):
        return []
    references = {
        "all vectors": found.mean(Variant(query=query)),
        "BM25": found.mean(Variant(WORDS)),
    }
    count = len(found.counted)
    counted = found.counted[0] if count == 1 else f"mean of {count} sets"
    asked = "" if query == "all" else ", half of the query's tokens"
    asked += ", refined" if is_refined else ""
    pictures.lines(
        path,
        curves,
        f"What few vectors cost: {found.model}{asked}",
        "vectors kept of each passage (β_d), %",
        f"nDCG@10, {counted}",
        references={name: level for name, level in references.items() if math.isfinite(level)},
        x_ticks=sorted({x for curve in curves for x in curve.x}),
    )
    return [path]


def _draw_curves(found: Study, path: Path, which: str) -> list[Path]:
    from lab.evaluation import pictures

    curves = []
    for one in found.curves:
        shares = one.gold if which == "gold" else one.lexical
        curves.append(pictures.Series(one.dataset, range(1, len(shares) + 1), shares))
    if not any(math.isfinite(y) for curve in curves for y in curve.y):
        return []
    said = "of a relevant document" if which == "gold" else "that are the query's token itself"
    pictures.lines(
        path,
        curves,
        f"Tokens retrieved {said}: {found.model}",
        "rank",
        "share of the tokens retrieved there",
        log_x=True,
        from_zero=True,
        with_points=False,
    )
    return [path]
