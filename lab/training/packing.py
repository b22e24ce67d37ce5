"""A run packed into one archive, for training without an installed Winnow."""

from __future__ import annotations

import io
import json
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import core
import lab
from core.encoders.tokens import Tokenizer
from core.errors import ModelError, UsageError, WinnowError
from core.progress import Job
from lab.training.config import TrainingConfig, config_from
from lab.training.start import find_start, save_start
from lab.training.train import open_trainer
from lab.training.training_data import EXAMPLES, START, read_training_data, save_training_data

Say = Callable[[str], None]

# Default maximum size of an archive.
MAX_BYTES: Final = 64_000_000
RECIPE: Final = "recipe.json"
_CODE: Final = "code.zip"
_RUNNER: Final = "run.py"
_PARTS: Final = "parts"


def pack(
    config: TrainingConfig,
    data: Path,
    run_folder: Path,
    archive: Path,
    say: Say,
    job: Job | None = None,
    *,
    max_bytes: int = MAX_BYTES,
) -> None:
    """Write all that a run needs into an archive: code, recipe, examples and the start's weights.

    Args:
        config: the configuration of the run.
        data: parent of data folders with relative paths.
        run_folder: folder with mined negatives below `negatives/`; need not exist.
        archive: the tar file to write.
        say: called with progress lines.
        job: to cancel.
        max_bytes: maximum size of the archive.

    Raises:
        UsageError: the data or the configuration are invalid, or the archive would be too large;
            lists the largest contents.
        ModelError: the start is damaged.
        WinnowError: the archive cannot be written.
        Cancelled: the job was cancelled.
    """
    steps = _steps(config)
    start = find_start(config.model, config.run.seed)
    count = Tokenizer.of(start.checkpoint).count
    training_data = read_training_data(config, data, count, run_folder, job)
    with tempfile.TemporaryDirectory(prefix="winnow-pack-") as temporary_folder:
        folder = Path(temporary_folder)
        found = save_training_data(config, training_data, steps, folder, job)
        say(f"{found:,} examples for {steps:,} steps")
        save_start(start, folder / START, is_half=config.model.half_start)
        text = json.dumps(config.as_json(), indent=2) + "\n"
        (folder / RECIPE).write_text(text, encoding="utf-8")
        (folder / _CODE).write_bytes(_code())
        runner = Path(__file__).with_name("packed_run.py")
        (folder / _RUNNER).write_bytes(runner.read_bytes())
        _check_size(folder, max_bytes)
        # Written next to the archive and then renamed, so that the archive is always complete.
        temporary = archive.with_name(f".making-{archive.name}")
        try:
            archive.parent.mkdir(parents=True, exist_ok=True)
            _write(folder, temporary)
            temporary.replace(archive)
        except OSError as error:
            raise WinnowError(f"The archive {archive} cannot be written: {error}.") from error


def read_recipe(folder: Path) -> TrainingConfig:
    """Return the configuration in an unpacked archive.

    Raises:
        ModelError: it is missing or damaged.
        UsageError: it is of a later Winnow.
    """
    path = folder / RECIPE
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"The recipe {path} is damaged; unpack the archive again.") from error
    return config_from(entries, str(path))


def train_packed(
    folder: Path,
    output: Path,
    say: Say,
    job: Job | None = None,
    *,
    minutes: float | None = None,
    device: str | None = None,
) -> list[Path]:
    """Train an unpacked archive and write the run in parts; resume if it was interrupted.

    Args:
        folder: of the unpacked archive.
        output: the run's folder; the parts are written to its folder `parts`.
        say: called with progress lines.
        job: to cancel.
        minutes: time limit; None to train to the end.
        device: overrides the recipe's.

    Returns:
        The parts: those of a small checkpoint, and those of the model.

    Raises:
        UsageError: the device is not available, or the folder holds another run.
        ModelError: the archive is damaged.
        WinnowError: a file cannot be written.
        Cancelled: the job was cancelled; a checkpoint was written.
    """
    config = read_recipe(folder)
    if device is not None:
        config = replace(config, run=replace(config.run, device=device))
    trainer = open_trainer(config, folder, output, say, job or Job())
    trainer.run(minutes)
    return trainer.write_parts(output / _PARTS)


def _steps(config: TrainingConfig) -> int:
    """Return the number of steps for which examples are packed."""
    run = config.run
    if config.loss.distillation and config.loss.teacher not in {"mined", "ensemble"}:
        raise UsageError(
            "A cross-encoder cannot be packed; set teacher in [loss] to ensemble, or store its "
            "scores with winnow mine and set teacher to mined."
        )
    if config.loss.distillation and config.loss.sentence_teacher:
        raise UsageError(
            "A sentence encoder cannot be packed; leave out sentence_teacher in [loss]."
        )
    if config.loss.distillation and config.loss.second_teacher:
        raise UsageError("A second teacher cannot be packed; leave out second_teacher in [loss].")
    if config.loss.tokens:
        raise UsageError(
            "Another model's token targets cannot be packed; set tokens in [loss] to 0."
        )
    if run.minutes and not run.repeat_after:
        raise UsageError(
            "The number of steps of a run of minutes is unknown; set repeat_after in [run] to the "
            "number of steps whose examples to pack."
        )
    return run.repeat_after if run.minutes else min(run.steps, run.repeat_after or run.steps)


def _code() -> bytes:
    """Return Winnow's engine and lab as a zip file, without the window."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for package in (core, lab):
            root = Path(package.__file__ or "").parent
            for path in sorted(root.rglob("*.py")):
                # Fixed, so that archives of the same run are equal.
                entry = zipfile.ZipInfo((package.__name__ / path.relative_to(root)).as_posix())
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _check_size(folder: Path, max_bytes: int) -> None:
    sizes: Mapping[str, int] = {
        "the start's weights": sum(
            path.stat().st_size for path in (folder / START).rglob("*") if path.is_file()
        ),
        "the examples": (folder / EXAMPLES).stat().st_size,
        "the code": (folder / _CODE).stat().st_size,
    }
    whole = sum(sizes.values()) + 20_000  # remaining content and tar's padding
    if whole <= max_bytes:
        return
    parts = ", ".join(f"{name} {size / 1e6:.1f}" for name, size in sizes.items())
    raise UsageError(
        f"The archive would have {whole / 1e6:.1f} MB, more than {max_bytes / 1e6:.0f}: {parts}. "
        "For half of the weights set half_start = true in [model]; for fewer examples set "
        "repeat_after in [run] to a number of steps, or limit in [[data]]."
    )


def _write(folder: Path, archive: Path) -> None:
    with tarfile.open(archive, "w") as tar:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
            entry.size = path.stat().st_size
            with path.open("rb") as content:
                tar.addfile(entry, content)
