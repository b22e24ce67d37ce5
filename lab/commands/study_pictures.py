"""Results of a study as plots."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lab.evaluation import pictures
from lab.evaluation.results import WORDS, QueryTokens, Variant, mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from lab.evaluation.results import Curve, Study
    from lab.evaluation.sizes import Sizes
    from lab.reference.clusters import Clusters
    from lab.reference.retrieved import RetrievedStudy
    from lab.reference.token_scores import TokenScores


def draw(study: Study, path: Path) -> list[Path]:
    """Draw the plots of a study and return their paths.

    `path` shows the cost of reductions with all query tokens, `NAME-half` with the more salient
    half, `NAME-refined` and `NAME-half-refined` the same with refinement, `NAME-gold` and
    `NAME-lexical` XTR's curves.
    """
    drawn = []
    for query, end in ((QueryTokens.ALL, ""), (QueryTokens.HALF, "-half")):
        for is_refined, further in ((False, ""), (True, "-refined")):
            place = path.with_stem(path.stem + end + further)
            drawn += _draw_reductions(study, query, place, is_refined=is_refined)
    curves = [(one.dataset, one) for one in study.curves]
    for which in ("gold", "lexical"):
        target = path.with_stem(f"{path.stem}-{which}")
        drawn += _draw_curves(curves, f": {study.model}", target, which)
    return drawn


def _draw_reductions(
    study: Study, query: QueryTokens, path: Path, *, is_refined: bool
) -> list[Path]:
    from lab.evaluation.study import by_reduction

    curves = [
        pictures.Series(
            reduction, [100 * share for share, _ in points], [ndcg for _, ndcg in points]
        )
        for reduction, points in by_reduction(study, query, is_refined=is_refined).items()
    ]
    if not any(math.isfinite(y) for curve in curves for y in curve.y):
        return []
    references = {
        "all vectors": study.mean(Variant(query=query)),
        "BM25": study.mean(Variant(WORDS)),
    }
    suffix = "" if query == "all" else ", half of the query's tokens"
    suffix += ", refined" if is_refined else ""
    pictures.lines(
        path,
        curves,
        f"What few vectors cost: {study.model}{suffix}",
        "vectors kept of each passage (β_d), %",
        f"nDCG@10, {_counted(study.counted)}",
        references={name: level for name, level in references.items() if math.isfinite(level)},
        x_ticks=sorted({x for curve in curves for x in curve.x}),
    )
    return [path]


def _draw_curves(
    named_curves: Sequence[tuple[str, Curve]], title: str, path: Path, which: str
) -> list[Path]:
    """Draw one of XTR's two kinds of curves, with labels."""
    curves = []
    for label, one in named_curves:
        shares = one.gold if which == "gold" else one.lexical
        curves.append(pictures.Series(label, range(1, len(shares) + 1), shares))
    if not any(math.isfinite(y) for curve in curves for y in curve.y):
        return []
    description = (
        "of a relevant document" if which == "gold" else "that are the query's token itself"
    )
    pictures.lines(
        path,
        curves,
        f"Tokens retrieved {description}{title}",
        "rank",
        "share of the tokens retrieved there",
        log_x=True,
        from_zero=True,
        with_points=False,
    )
    return [path]


def draw_clusters(parted: Mapping[str, Clusters], model: str, path: Path) -> list[Path]:
    """Draw the cumulative share of clusters by their number of tokens; return the paths.

    `NAME-tokens` shows the cumulative share of tokens by their number of clusters.

    Source: ColBERTv2, figure 2.
    """
    drawn = []
    for field, end, title, what in (
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
            title,
            f"share of {what}",
            log_x=True,
            from_zero=True,
            with_points=False,
        )
        drawn.append(target)
    return drawn


def draw_retrieved(scored: Mapping[str, Mapping[str, RetrievedStudy]], path: Path) -> list[Path]:
    """Draw recall@100 by k' in `path` and MRR@10 in `NAME-mrr`; return the paths.

    For one model there is a curve for each scoring method. For several, there is one for each model
    with the paper's imputation.

    Source: XTR, figures 5 and 6.
    """
    from lab.reference.imputation import Imputation

    model, *other_models = scored
    drawn = []
    for what, end, field in (
        ("recall@100", "", "recall_at_100"),
        ("MRR@10", "-mrr", "mrr_at_10"),
    ):
        curves = []
        for name, of_sets in scored.items():
            first, *_ = of_sets.values()
            ways = list(dict.fromkeys(figure.missing for figure in first.figures))
            counts = sorted({figure.retrieved for figure in first.figures})
            by_place = list(zip(*(found.figures for found in of_sets.values()), strict=True))
            for way in [Imputation.LAST] if other_models else ways:
                rows = [row for row in by_place if row[0].missing == way]
                levels = [mean(float(getattr(figure, field)) for figure in row) for row in rows]
                curves.append(pictures.Series(name if other_models else way, counts, levels))
        target = path.with_stem(path.stem + end)
        pictures.lines(
            target,
            curves,
            "Scores from retrieved tokens, by "
            + ("model" if other_models else f"imputation: {model}"),
            "tokens retrieved for each of the query's (k')",
            f"{what}, {_counted(list(scored[model]))}",
            x_ticks=counts,
            log_x=True,
        )
        drawn.append(target)
    return drawn


def draw_token_scores(
    scores_by_set: Mapping[str, Mapping[str, TokenScores]], path: Path
) -> list[Path]:
    """Draw the distribution of retrieved tokens' scores in `path`; return the paths.

    `NAME-ranks` shows their mean and deviation by rank, `NAME-gold` and `NAME-lexical` the shares
    of tokens from relevant documents and of tokens equal to the query's.

    Source: XTR, figures 2 and 4.
    """
    from lab.reference.token_scores import EDGES

    named = [
        (_label(scores_by_set, model, name), scores)
        for model, of_sets in scores_by_set.items()
        for name, scores in of_sets.items()
    ]
    middles = (EDGES[:-1] + EDGES[1:]) / 2
    seen = [place for _, scores in named for place in scores.density.nonzero()[0].tolist()]
    shown = slice(min(seen), max(seen) + 1)
    pictures.lines(
        path,
        [
            pictures.Series(label, middles[shown].tolist(), scores.density[shown].tolist())
            for label, scores in named
        ],
        "How the scores of retrieved tokens are spread",
        f"similarity of the first {max(len(scores.means) for _, scores in named):,} tokens",
        "density",
        from_zero=True,
        with_points=False,
    )
    ranks = path.with_stem(path.stem + "-ranks")
    pictures.lines(
        ranks,
        [
            pictures.Series(
                label,
                range(1, len(scores.means) + 1),
                scores.means.tolist(),
                scores.deviations.tolist(),
            )
            for label, scores in named
        ],
        "The scores of retrieved tokens, and their standard deviation",
        "rank",
        "similarity",
        log_x=True,
        with_points=False,
    )
    curves = [(label, scores.curve) for label, scores in named]
    title = ": " + next(iter(scores_by_set)) if len(scores_by_set) == 1 else ""
    drawn = [path, ranks]
    for which in ("gold", "lexical"):
        drawn += _draw_curves(curves, title, path.with_stem(f"{path.stem}-{which}"), which)
    return drawn


def draw_sizes(counted: Mapping[str, Sizes], path: Path) -> list[Path]:
    """Draw words per document in `path`, and further plots next to it; return the paths.

    `NAME-queries` shows words per query, `NAME-answers` answers per query.

    Source: ColBERTv2, figures 4 to 6.
    """
    drawn = []
    for end, field, what in (
        ("", "document_words", "words a document"),
        ("-queries", "query_words", "words a query"),
        ("-answers", "answers", "answers a query"),
    ):
        target = path.with_stem(path.stem + end)
        rows = {name: getattr(sizes, field).tolist() for name, sizes in counted.items()}
        pictures.boxes(target, rows, what.capitalize(), what)
        drawn.append(target)
    return drawn


def _label(by_set: Mapping[str, Mapping[str, object]], model: str, name: str) -> str:
    """Return a curve's distinguishing label: its model, its set, or both."""
    if len(by_set) == 1:
        return name
    return f"{model}, {name}" if len(by_set[model]) > 1 else model


def _counted(sets: Sequence[str]) -> str:
    return sets[0] if len(sets) == 1 else f"mean of {len(sets)} sets"
