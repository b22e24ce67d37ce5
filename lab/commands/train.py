"""Commands for training models."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import click

from core.commands import terminal
from core.errors import UsageError
from core.optional_packages import require_torch
from core.progress import Job

_DATA = click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="Parent of the data folders. [default: the folder of CONFIG]",
)
_OUTPUT = click.option("--output", type=click.Path(path_type=Path), help="Folder of the run.")


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@_DATA
@_OUTPUT
@click.option("--export", is_flag=True, help="Only write the model of the last checkpoint.")
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    help="Stop after this time with a checkpoint. [default: no limit]",
)
@click.option(
    "--encode-ahead",
    is_flag=True,
    help="Only encode texts for the sentence teacher; can run during the training.",
)
def train(
    config: Path,
    data: Path | None,
    output: Path | None,
    export: bool,
    minutes: float | None,
    encode_ahead: bool,
) -> None:
    """Train a model with the recipe CONFIG, a TOML file.

    Writes the model to OUTPUT/model. After Ctrl-C, a signal or --minutes, run the same command
    again to resume.
    """
    from lab.training.config import read_config

    read = read_config(config)
    folder = _folder(config, read.run.output, output)
    require_torch("Training", "train")
    if encode_ahead:
        from lab.training import encoding_ahead

        with stoppable() as job:
            count = encoding_ahead.encode_ahead(
                read, data or config.parent, folder, terminal.say, job
            )
        terminal.say(f"{folder} holds {count:,} vectors of the sentence teacher.")
        return
    from lab.training.train import train as run

    with stoppable() as job:
        model = run(
            read,
            data or config.parent,
            folder,
            terminal.say,
            job,
            steps=not export,
            minutes=minutes,
        )
    terminal.say(f"The model is in {model}.")


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@_DATA
@_OUTPUT
def mine(config: Path, data: Path | None, output: Path | None) -> None:
    """Mine hard negatives for the judged pairs of CONFIG, a TOML file.

    Writes them to OUTPUT/negatives. winnow train uses them if CONFIG names their file.
    """
    from lab.training.config import read_config

    read = read_config(config)
    folder = _folder(config, read.run.output, output)
    require_torch("Training", "train")
    from lab.training.mining import mine as run

    with stoppable() as job:
        run(read, data or config.parent, folder, terminal.say, job)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--split", default="train", show_default=True, help="Split whose documents are used.")
@click.option("--centroids", default=1024, show_default=True, help="Number of centroids.")
@click.option("--parts", default=4, show_default=True, help="Number of lists per centroid.")
@click.option(
    "--keep",
    metavar="all|WAY:SHARE",
    help="Learn from reduced vectors, for example weighted-pooling:0.2. [default: all]",
)
@click.option(
    "--whitening",
    default=0.2,
    show_default=True,
    help="Strength of whitening, from 0 (none) to 0.5 (full).",
)
@click.option(
    "--salience",
    is_flag=True,
    help="Fit the salience heads instead, to the frequencies of the vocabulary of a packed model.",
)
@terminal.model_option
def fit(
    folders: tuple[Path, ...],
    split: str,
    centroids: int,
    parts: int,
    keep: str | None,
    whitening: float,
    salience: bool,
    model: str | None,
) -> None:
    """Learn a model's codebook from the data sets in FOLDERS, and save it in the model.

    If the model's projection was not trained, as in lab/models/minilm-128, it is learned first.
    Uses only documents that are judged in SPLIT and in no other split. With --salience, a folder
    can also hold documents of any kind.
    """
    from core.alignment.reduction import EVERYTHING, TokenReduction
    from core.encoders.folders.layouts import load_checkpoint
    from core.model_names import BUILT_IN
    from lab.evaluation.data import DataSet
    from lab.evaluation.run import as_document
    from lab.training import codebook
    from lab.training.vocabulary_salience import SalienceRecipe, fit_salience

    checkpoint = load_checkpoint(model or BUILT_IN)
    if salience:
        terminal.print_json(fit_salience(checkpoint, folders, SalienceRecipe()))
        return
    corpora = []
    for folder in folders:
        data = DataSet(folder)
        judged = {
            name: {grade for grades in data.split(name).judgements.values() for grade in grades}
            for name in {*data.splits, split}
        }
        selected = judged.pop(split).difference(*judged.values())
        corpora.append(
            [as_document(document) for document in data.documents() if document.id in selected]
        )
    recipe = codebook.CodebookRecipe(
        centroids=centroids,
        parts=parts,
        whitening=whitening,
        keeping=TokenReduction.parse(keep or EVERYTHING),
    )
    terminal.print_json(codebook.learn(checkpoint, corpora, recipe))


def _folder(config: Path, named: str, output: Path | None) -> Path:
    if output is None and not named:
        raise UsageError(f"{config} names no output; add it to [run], or use --output FOLDER.")
    return output or config.parent / named


@contextlib.contextmanager
def stoppable() -> Iterator[Job]:
    """Return a job that Ctrl-C and SIGTERM cancel."""
    job = Job()

    def cancel(_signal: int, _frame: FrameType | None) -> None:
        job.cancel()

    before = {one: signal.signal(one, cancel) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield job
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
