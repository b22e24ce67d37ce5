"""The command that studies a model: tables for a person, JSON, pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar

import click

from core.commands import terminal
from core.errors import UsageError
from core.optional_packages import require_torch
from lab.commands import study_pictures, study_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from core.encoders.encoder import Encoder
    from core.progress import Job
    from lab.evaluation.data import DataSet

T = TypeVar("T")


@click.command()
@click.argument("sets", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--model",
    "models",
    metavar="NAME|DIR",
    multiple=True,
    help="A built-in model, or a folder that holds one. --token-retrieval, --examples and"
    " --imputation take several, and show them beside each other.",
)
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
@click.option(
    "--passage-saliences",
    is_flag=True,
    help="Measure the score of ALIGNER's eq. 2 too, in which a passage's tokens count as much as"
    " they are salient.",
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
    "--differentiable",
    is_flag=True,
    help="Instead rerank the same candidates by ALIGNER's differentiable alignment, with several k"
    " and epsilon.",
)
@click.option(
    "--imputation",
    is_flag=True,
    help="Instead score passages from retrieved tokens alone, for numbers of tokens up to"
    " --retrieved, with what is missing imputed in each of XTR's ways, and count the operations.",
)
@click.option(
    "--token-retrieval",
    is_flag=True,
    help="Instead say what the query's tokens retrieve, by rank: with which scores, whether from"
    " relevant documents, whether the same token.",
)
@click.option(
    "--examples",
    type=click.IntRange(min=1),
    help="Instead print for so many queries what each of their tokens retrieves, in its context.",
)
@click.option(
    "--clusters",
    type=click.IntRange(min=1),
    help="Instead part the passages' token vectors into so many clusters, and say how many tokens"
    " share one, beside random vectors.",
)
@click.option(
    "--sizes",
    is_flag=True,
    help="Instead count the words of documents and queries, and the answers of queries; without a"
    " model.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all figures as JSON.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    help="Draw what pruning costs in this file (.svg or .png), and token retrieval beside it; with"
    " another measurement draw that: recall by the number of retrieved tokens, and MRR beside it;"
    " scores of retrieved tokens, and what they are; how many tokens share a cluster, and in how"
    " many a token is; words and answers.",
)
def study(
    sets: tuple[Path, ...],
    models: tuple[str, ...],
    split: str,
    queries: int | None,
    seed: int,
    retrieved: int,
    refined: int,
    trained: tuple[str, ...],
    passage_saliences: bool,
    peers: bool,
    fewer: bool,
    forms: bool,
    differentiable: bool,
    imputation: bool,
    token_retrieval: bool,
    examples: int | None,
    clusters: int | None,
    sizes: bool,
    as_json: bool,
    picture: Path | None,
) -> None:
    """Measure what pruning, pooling and compressing cost on judged data SETS.

    A set is a folder in BEIR's layout or LoTTE's. All is measured on vectors in memory, without an
    index: nDCG@10 of exact scores.
    """
    from lab.evaluation import pictures
    from lab.evaluation.sizes import measure_sizes
    from lab.evaluation.study import StudyOptions
    from lab.evaluation.study import study as run
    from lab.evaluation.variants import Grid
    from lab.reference.clusters import measure_clusters
    from lab.reference.forms import differentiable_forms, measure_forms
    from lab.reference.retrieved import measure_retrieved
    from lab.reference.token_examples import measure_examples
    from lab.reference.token_scores import measure_token_scores

    instead = {
        "--forms": forms,
        "--differentiable": differentiable,
        "--imputation": imputation,
        "--token-retrieval": token_retrieval,
        "--examples": examples is not None,
        "--clusters": clusters is not None,
        "--sizes": sizes,
    }
    chosen = [name for name, is_chosen in instead.items() if is_chosen]
    if picture is not None:
        pictures.check_path(picture)
        if not (fewer or chosen):
            raise UsageError("A picture shows what fewer vectors cost; leave out --no-fewer.")
    if len(chosen) > 1:
        raise UsageError(f"{' and '.join(chosen)} go one at a time.")
    (mode,) = chosen or [""]
    if chosen and passage_saliences:
        raise UsageError(f"{mode} has no use for --passage-saliences; leave one of them out.")
    if mode in _WITHOUT_PICTURE and picture is not None:
        raise UsageError(f"There is no picture of {_WITHOUT_PICTURE[mode]}; leave out --picture.")
    if mode in _OF_RETRIEVED and not retrieved:
        raise UsageError(f"{_OF_RETRIEVED[mode]}; leave out --retrieved 0.")
    if mode not in _OF_SEVERAL_MODELS and len(models) > 1:
        raise UsageError(
            f"Several models are compared by {', '.join(_OF_SEVERAL_MODELS[:-1])} and"
            f" {_OF_SEVERAL_MODELS[-1]}; otherwise name one."
        )
    if sizes:
        counted = _of_each(sets, lambda data, job: measure_sizes(data, split=split, job=job))
        study_tables.print_sizes(counted, as_json=as_json)
        if picture is not None:
            _say_drawn(study_pictures.draw_sizes(counted, picture))
        return
    require_torch("Studying a model")
    encoders = _open(models)
    asked: _Asked = {"split": split, "queries": queries, "retrieved": retrieved, "seed": seed}
    if imputation:
        scored = _of_each_model(
            encoders,
            sets,
            lambda encoder, data, job: measure_retrieved(encoder, data, **asked, job=job),
        )
        study_tables.print_retrieved(scored, as_json=as_json)
        if picture is not None:
            _say_drawn(study_pictures.draw_retrieved(scored, picture))
        return
    if token_retrieval:
        spread = _of_each_model(
            encoders,
            sets,
            lambda encoder, data, job: measure_token_scores(encoder, data, **asked, job=job),
        )
        study_tables.print_token_scores(spread, as_json=as_json)
        if picture is not None:
            _say_drawn(study_pictures.draw_token_scores(spread, picture))
        return
    if examples is not None:
        shown = _of_each_model(
            encoders,
            sets,
            lambda encoder, data, job: measure_examples(
                encoder, data, examples, split=split, seed=seed, job=job
            ),
        )
        study_tables.print_examples(shown, as_json=as_json)
        return
    ((name, encoder),) = encoders.items()
    if forms or differentiable:
        forms_of = differentiable_forms() if differentiable else None
        compared = _of_each(
            sets,
            lambda data, job: measure_forms(encoder, data, **asked, job=job, compared=forms_of),
        )
        study_tables.print_forms(compared, as_json=as_json, is_sorted=forms)
        return
    if clusters is not None:
        parted = _of_each(
            sets,
            lambda data, job: measure_clusters(
                encoder, data, clusters, split=split, seed=seed, job=job
            ),
        )
        study_tables.print_clusters(parted, as_json=as_json)
        if picture is not None:
            _say_drawn(study_pictures.draw_clusters(parted, name, picture))
        return
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
    if picture is not None:
        _say_drawn(study_pictures.draw(found, picture))


_WITHOUT_PICTURE = {
    "--forms": "the papers' forms",
    "--differentiable": "the differentiable alignment",
    "--examples": "examples",
}
_OF_RETRIEVED = {
    "--forms": "The papers' forms need candidates",
    "--differentiable": "The differentiable alignment needs candidates",
    "--imputation": "Scores from retrieved tokens need some",
    "--token-retrieval": "Scores of retrieved tokens need some",
}
_OF_SEVERAL_MODELS = ("--token-retrieval", "--examples", "--imputation")


class _Asked(TypedDict):
    """What most measurements take, as the options say it."""

    split: str
    queries: int | None
    retrieved: int
    seed: int


def _open(models: Sequence[str]) -> dict[str, Encoder]:
    """Open models, by their names; by as much of their folders as sets them apart, if need be."""
    from core.encoders.checkpoint import BUILT_IN
    from core.encoders.encoder import Encoder
    from core.encoders.layouts import load_checkpoint
    from core.encoders.runtimes import open_runtime
    from core.encoders.tokens import Tokenizer

    given = list(dict.fromkeys(models)) or [BUILT_IN]
    checkpoints = [load_checkpoint(model) for model in given]
    names = [checkpoint.name for checkpoint in checkpoints]
    depth = 0
    while len(set(names)) < len(names):
        depth += 1
        names = ["/".join(Path(model).parts[-depth:]) for model in given]
    return {
        name: Encoder(checkpoint, Tokenizer.of(checkpoint), open_runtime(checkpoint))
        for name, checkpoint in zip(names, checkpoints, strict=True)
    }


def _of_each(folders: Sequence[Path], measure: Callable[[DataSet, Job], T]) -> dict[str, T]:
    """Measure the data set in each folder, and return what was found by the sets' names."""
    from lab.evaluation.data import DataSet

    with terminal.job() as job:
        sets = map(DataSet, folders)
        return {data.name: measure(data, job) for data in sets}


def _of_each_model(
    encoders: Mapping[str, Encoder],
    folders: Sequence[Path],
    measure: Callable[[Encoder, DataSet, Job], T],
) -> dict[str, dict[str, T]]:
    """Measure likewise with each model, and return what was found by the models' names."""
    from lab.evaluation.data import DataSet

    with terminal.job() as job:
        sets = [DataSet(folder) for folder in folders]
        return {
            name: {data.name: measure(encoder, data, job) for data in sets}
            for name, encoder in encoders.items()
        }


def _say_drawn(paths: Iterable[Path]) -> None:
    for path in paths:
        terminal.say(f"winnow: drew {path}", is_error=True)
