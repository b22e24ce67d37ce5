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
    help="Where the data lies; if left out, beside CONFIG.",
)
_OUTPUT = click.option("--output", type=click.Path(path_type=Path), help="The run's folder.")


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@_DATA
@_OUTPUT
@click.option("--export", is_flag=True, help="Only write the model of the last checkpoint.")
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    help="End after so many minutes of training, with a checkpoint; left out, train to the end.",
)
def train(
    config: Path, data: Path | None, output: Path | None, export: bool, minutes: float | None
) -> None:
    """Train a model as CONFIG, a TOML file, says.

    Stopped by Ctrl-C, a signal or --minutes, the same command goes on from there. The model comes
    to OUTPUT/model.
    """
    from lab.training.config import read_config

    read = read_config(config)
    folder = _folder(config, read.run.output, output)
    require_torch("Training", "train")
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
    """Find hard negatives for the judged pairs of CONFIG, a TOML file.

    They come to OUTPUT/negatives, and count in winnow train where CONFIG names their file.
    """
    from lab.training.config import read_config

    read = read_config(config)
    folder = _folder(config, read.run.output, output)
    require_torch("Training", "train")
    from lab.training.mining import mine as run

    with stoppable() as job:
        run(read, data or config.parent, folder, terminal.say, job)


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@_DATA
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="The archive that is written, FILE.tar.",
)
@click.option(
    "--negatives",
    type=click.Path(path_type=Path),
    help="The run's folder with mined negatives; if left out, the one that CONFIG names.",
)
def train_pack(config: Path, data: Path | None, output: Path, negatives: Path | None) -> None:
    """Pack what CONFIG trains, to be trained where Winnow is not installed.

    There the archive is unpacked, and python3 run.py --output OUT trains, with torch, transformers
    and numpy alone. winnow train-join puts together what it writes.
    """
    from lab.training.config import read_config

    read = read_config(config)
    require_torch("Training", "train")
    from lab.training.packing import pack

    folder = negatives or config.parent / read.run.output
    with stoppable() as job:
        pack(read, data or config.parent, folder, output, terminal.say, job)
    size = output.stat().st_size / 1e6
    terminal.say(f"{output} has {size:.1f} MB; unpacked: python3 run.py --minutes 25 --output OUT")


@click.command()
@click.argument("parts", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--output", required=True, type=click.Path(path_type=Path), help="The run's folder.")
def train_join(parts: tuple[Path, ...], output: Path) -> None:
    """Put a run together from the PARTS that a packed run wrote: files, or their folder.

    It is then as though it had been trained here: winnow train goes on from it, and --export
    writes its model, if the parts of that were not carried.
    """
    from lab.training.parts import join_parts

    names = join_parts(parts, output)
    terminal.say(f"The {' and the '.join(names)} of the run are in {output}.")


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--split", default="train", show_default=True, help="Whose documents are used.")
@click.option("--centroids", default=1024, show_default=True, help="How many there are to be.")
@click.option("--parts", default=4, show_default=True, help="How many lists each of them has.")
@click.option(
    "--keep",
    metavar="all|WAY:SHARE",
    help="Learn it from what an index keeps of a passage's vectors, for example "
    "weighted-pooling:0.2; by default from those of all tokens.",
)
@click.option(
    "--whitening",
    default=0.2,
    show_default=True,
    help="How far principal directions are made equal: 0 not at all, 0.5 wholly.",
)
@terminal.model_option
def fit(
    folders: tuple[Path, ...],
    split: str,
    centroids: int,
    parts: int,
    keep: str | None,
    whitening: float,
    model: str | None,
) -> None:
    """Learn a model's codebook anew from data sets in FOLDERS, and keep it with the model.

    A model without a projection of its own training, as lab/models/minilm-128, has its projection
    learned before. Only documents that are judged in SPLIT, and in no other split, are used.
    """
    from core.alignment.reduction import EVERYTHING, TokenReduction
    from core.encoders.checkpoint import BUILT_IN
    from core.encoders.layouts import load_checkpoint
    from lab.evaluation.data import DataSet
    from lab.evaluation.run import as_document
    from lab.training import codebook

    corpora = []
    for folder in folders:
        data = DataSet(folder)
        judged = {
            name: {grade for grades in data.split(name).judgements.values() for grade in grades}
            for name in {*data.splits, split}
        }
        kept = judged.pop(split).difference(*judged.values())
        corpora.append(
            [as_document(document) for document in data.documents() if document.id in kept]
        )
    recipe = codebook.CodebookRecipe(
        centroids=centroids,
        parts=parts,
        whitening=whitening,
        keeping=TokenReduction.parse(keep or EVERYTHING),
    )
    terminal.print_json(codebook.learn(load_checkpoint(model or BUILT_IN), corpora, recipe))


def _folder(config: Path, named: str, output: Path | None) -> Path:
    if output is None and not named:
        raise UsageError(f"{config} names no output; add it to [run], or use --output FOLDER.")
    return output or config.parent / named


@contextlib.contextmanager
def stoppable() -> Iterator[Job]:
    """Return a job that Ctrl-C and SIGTERM cancel."""
    job = Job()

    def cancel(_number: int, _frame: FrameType | None) -> None:
        job.cancel()

    before = {one: signal.signal(one, cancel) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield job
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
