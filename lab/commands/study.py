"""Commands that study a model on judged data sets: tables, JSON, plots."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from core.commands import terminal
from core.errors import UsageError
from core.optional_packages import require_torch
from lab.commands import options, study_pictures, study_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.encoders.encoder import Encoder
    from core.progress import Job
    from lab.evaluation.data import DataSet

T = TypeVar("T")
_Command = TypeVar("_Command", bound="Callable[..., Any]")


def _drawable(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    if path is not None:
        from lab.evaluation import pictures

        pictures.check_path(path)
    return path


def _options(*decorators: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """Return a decorator that adds options in the order of the help text."""

    def add(command: _Command) -> _Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return add


_A_MODEL = "A built-in model, a model's folder, or ORG/NAME of a model in the Hugging Face cache."
_sets = click.argument("sets", nargs=-1, required=True, type=click.Path(path_type=Path))
_model = click.option("--model", metavar="NAME|DIR", help=_A_MODEL)
_models = click.option(
    "--model",
    "models",
    metavar="NAME|DIR",
    multiple=True,
    help=f"{_A_MODEL} Repeat it to compare several.",
)
_split = click.option("--split", default="test", show_default=True, help="The queries' split.")
_queries = click.option(
    "--queries", type=click.IntRange(min=1), help="Queries of each set, drawn at random."
)
_seed = click.option("--seed", default=0, show_default=True, help="Seed of all random draws.")
_retrieved = click.option(
    "--retrieved",
    type=click.IntRange(min=1),
    default=4000,
    show_default=True,
    help="Tokens retrieved for each token of the query.",
)
_candidates = click.option(
    "--candidates",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Passages reranked for each query.",
)
_json = click.option("--json", "as_json", is_flag=True, help="Print all figures as JSON.")


def _picture(what: str) -> Callable[[_Command], _Command]:
    return click.option(
        "--picture",
        type=click.Path(path_type=Path),
        callback=_drawable,
        help=f"Draw {what} in this file (.svg or .png).",
    )


@click.group()
def study() -> None:
    """Measure a model on judged data sets.

    A set is a folder in the layout of BEIR, Hugging Face or LoTTE. Vectors are compared in memory,
    without an index.
    """


@study.command()
@_options(_sets, _model, _split, _queries, _seed)
@click.option(
    "--retrieved",
    type=click.IntRange(min=0),
    default=4000,
    show_default=True,
    help="Tokens retrieved per query token for XTR's scores; 0 to skip them.",
)
@click.option(
    "--refined",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="Documents to rerank by all tokens after a search of reduced vectors; 0 for none.",
)
@click.option(
    "--trained",
    multiple=True,
    metavar="NAME",
    help="A set that the model was trained on, which no mean includes. May be repeated.",
)
@click.option(
    "--passage-saliences",
    is_flag=True,
    help="Also measure ALIGNER's eq. 2, which weights a passage's tokens by salience.",
)
@click.option(
    "--peers/--no-peers", default=True, help="Also measure BM25 and one vector per passage."
)
@click.option(
    "--fewer/--no-fewer",
    default=True,
    help="Also measure pruned and pooled vectors, which takes most of the time.",
)
@_options(_json, _picture("what fewer vectors cost, and token retrieval"))
def reduction(
    sets: tuple[Path, ...],
    model: str | None,
    split: str,
    queries: int | None,
    seed: int,
    retrieved: int,
    refined: int,
    trained: tuple[str, ...],
    passage_saliences: bool,
    peers: bool,
    fewer: bool,
    as_json: bool,
    picture: Path | None,
) -> None:
    """Measure the cost of pruning, pooling and compression: nDCG@10 of exact scores."""
    from lab.evaluation.study import StudyOptions
    from lab.evaluation.study import study as run
    from lab.evaluation.variants import Grid

    if picture is not None and not fewer:
        raise UsageError("--picture cannot be combined with --no-fewer.")
    name, encoder = _open_one(model)
    if passage_saliences and encoder.checkpoint.saliences is None:
        raise UsageError("{0} has no saliences; leave out --passage-saliences.", name)
    grid = Grid(
        retrieved=(retrieved,) if retrieved else (),
        refined=refined,
        weighs_passages=passage_saliences,
        seed=seed,
    )
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
        study_tables.print_study(found)
    _draw(study_pictures.draw, found, picture)


@study.command()
@_options(_sets, _model, _split, _queries, _seed, _retrieved, _candidates, options.unrelated, _json)
def forms(
    sets: tuple[Path, ...],
    model: str | None,
    unrelated: tuple[Path, ...],
    as_json: bool,
    **sampling: Any,
) -> None:
    """Rerank the same candidates by each of the papers' own forms.

    They are DPR, ME-BERT, COIL, ColBERT, XTR and the differentiable alignment.
    """
    from lab.reference.forms import measure_forms

    _, encoder = _open_one(model)
    compared = _of_each(
        sets, lambda data, job: measure_forms(encoder, data, **sampling, job=job), unrelated
    )
    study_tables.print_forms(compared, as_json=as_json, is_sorted=True)


@study.command()
@_options(_sets, _model, _split, _queries, _seed, _retrieved, _candidates, options.unrelated, _json)
def differentiable(
    sets: tuple[Path, ...],
    model: str | None,
    unrelated: tuple[Path, ...],
    as_json: bool,
    **sampling: Any,
) -> None:
    """Rerank the same candidates by ALIGNER's alignments, by k and epsilon.

    They are top-k, and the differentiable alignment.
    """
    from lab.reference.forms import differentiable_forms, measure_forms

    _, encoder = _open_one(model)
    swept = differentiable_forms()
    compared = _of_each(
        sets,
        lambda data, job: measure_forms(encoder, data, **sampling, job=job, compared=swept),
        unrelated,
    )
    study_tables.print_forms(compared, as_json=as_json, is_sorted=False)


@study.command()
@_options(_sets, _models, _split, _queries, _seed, _retrieved, options.unrelated)
@click.option(
    "--equal-weights",
    is_flag=True,
    help="Weight all tokens of a query alike, as in the paper, instead of as in a search.",
)
@_options(_json, _picture("recall and MRR by the number of retrieved tokens"))
def imputation(
    sets: tuple[Path, ...],
    models: tuple[str, ...],
    unrelated: tuple[Path, ...],
    equal_weights: bool,
    as_json: bool,
    picture: Path | None,
    **sampling: Any,
) -> None:
    """Score passages from retrieved tokens alone, and count the operations.

    The number of tokens grows up to --retrieved; missing ones are imputed in each of XTR's ways.
    """
    from lab.reference.retrieved import measure_retrieved

    measure = partial(measure_retrieved, **sampling, is_weighted=not equal_weights)
    scored = _of_each_model(models, sets, measure, unrelated)
    study_tables.print_retrieved(scored, as_json=as_json)
    _draw(study_pictures.draw_retrieved, scored, picture)


@study.command()
@_options(_sets, _models, _split, _queries, _seed, _retrieved, _json)
@_picture("scores of retrieved tokens by rank, and their kinds")
def token_retrieval(
    sets: tuple[Path, ...],
    models: tuple[str, ...],
    as_json: bool,
    picture: Path | None,
    **sampling: Any,
) -> None:
    """Measure the tokens that a query's tokens retrieve, by rank.

    Figures are the scores, the share from relevant documents, and that of the same token.
    """
    from lab.reference.token_scores import measure_token_scores

    spread = _of_each_model(models, sets, partial(measure_token_scores, **sampling))
    study_tables.print_token_scores(spread, as_json=as_json)
    _draw(study_pictures.draw_token_scores, spread, picture)


@study.command()
@_options(_sets, _models, _split)
@click.option(
    "--queries", type=click.IntRange(min=1), default=3, show_default=True, help="Queries to print."
)
@_options(_seed, _json)
def examples(
    sets: tuple[Path, ...],
    models: tuple[str, ...],
    split: str,
    queries: int,
    seed: int,
    as_json: bool,
) -> None:
    """Print the tokens that each token of some queries retrieves, with their contexts."""
    from lab.reference.token_examples import measure_examples

    measure = partial(measure_examples, count=queries, split=split, seed=seed)
    study_tables.print_examples(_of_each_model(models, sets, measure), as_json=as_json)


@study.command()
@_options(_sets, _model)
@click.option("--count", type=click.IntRange(min=1), required=True, help="The number of clusters.")
@_options(_split, _seed, _json)
@_picture("how many tokens share a cluster, and how many clusters share a token")
def clusters(
    sets: tuple[Path, ...],
    model: str | None,
    count: int,
    split: str,
    seed: int,
    as_json: bool,
    picture: Path | None,
) -> None:
    """Count the tokens that share a cluster of the passages' vectors, and of random vectors."""
    from lab.reference.clusters import measure_clusters

    name, encoder = _open_one(model)
    measure = partial(measure_clusters, split=split, seed=seed)
    parted = _of_each(sets, lambda data, job: measure(encoder, data, count, job=job))
    study_tables.print_clusters(parted, as_json=as_json)
    _draw(partial(study_pictures.draw_clusters, model=name), parted, picture)


@study.command()
@_options(_sets, _split, _json, _picture("words and answers"))
def sizes(sets: tuple[Path, ...], split: str, as_json: bool, picture: Path | None) -> None:
    """Count the words of documents and queries, and the answers of queries; needs no model."""
    from lab.evaluation.sizes import measure_sizes

    counted = _of_each(sets, lambda data, job: measure_sizes(data, split=split, job=job))
    study_tables.print_sizes(counted, as_json=as_json)
    _draw(study_pictures.draw_sizes, counted, picture)


def _open_one(model: str | None) -> tuple[str, Encoder]:
    ((name, encoder),) = _open([model] if model else []).items()
    return name, encoder


def _open(models: Sequence[str]) -> dict[str, Encoder]:
    """Open models by name, with enough of their folders to make the names distinct."""
    from core.encoders.encoder import Encoder
    from core.encoders.folders.layouts import load_checkpoint
    from core.encoders.runtimes import open_runtime
    from core.encoders.tokens import Tokenizer
    from core.model_names import BUILT_IN

    require_torch("Studying a model", "train")
    chosen = list(dict.fromkeys(models)) or [BUILT_IN]
    checkpoints = [load_checkpoint(model) for model in chosen]
    names = [checkpoint.name for checkpoint in checkpoints]
    depth = 0
    while len(set(names)) < len(names):
        depth += 1
        names = ["/".join(Path(model).parts[-depth:]) for model in chosen]
    return {
        name: Encoder(checkpoint, Tokenizer.of(checkpoint), open_runtime(checkpoint))
        for name, checkpoint in zip(names, checkpoints, strict=True)
    }


def _of_each(
    folders: Sequence[Path],
    measure: Callable[[DataSet, Job], T],
    unrelated: tuple[Path, ...] = (),
) -> dict[str, T]:
    """Measure the data set in each folder and return the results by name."""
    from lab.evaluation.data import DataSet

    with terminal.job() as job:
        sets = (DataSet(folder, unrelated) for folder in folders)
        return {data.name: measure(data, job) for data in sets}


def _of_each_model(
    models: Sequence[str],
    folders: Sequence[Path],
    measure: Callable[..., T],
    unrelated: tuple[Path, ...] = (),
) -> dict[str, dict[str, T]]:
    """Measure each data set with each model; `measure` takes an encoder, a data set and a job."""
    from lab.evaluation.data import DataSet

    encoders = _open(models)
    with terminal.job() as job:
        sets = [DataSet(folder, unrelated) for folder in folders]
        return {
            name: {data.name: measure(encoder, data, job=job) for data in sets}
            for name, encoder in encoders.items()
        }


def _draw(draw: Callable[..., Sequence[Path]], study: object, picture: Path | None) -> None:
    if picture is not None:
        for path in draw(study, path=picture):
            terminal.say(f"winnow: drew {path}", is_error=True)
