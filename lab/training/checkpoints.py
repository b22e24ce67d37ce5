"""A run's state on disk, from which it goes on as though nothing had happened.

`OUTPUT/checkpoints/step-000200/` holds `model.safetensors`, `optimizer.safetensors`, `state.json`
and, where a run keeps more, `further.safetensors`. A checkpoint is written whole under another name
and then renamed: one that has its name is complete.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from core.errors import ModelError, WinnowError

_NAME = re.compile(r"step-(\d{6,})")
_KEPT = 2
_FURTHER = "further.safetensors"


@dataclass(frozen=True, slots=True)
class Position:
    """How far a run has come.

    Attributes:
        step: how many steps are done.
        best_step: after which the dev sets were answered best; 0 if that was never measured.
        best: how well; 0 likewise.
        seconds: spent on the run.
    """

    step: int = 0
    best_step: int = 0
    best: float = 0.0
    seconds: float = 0.0


def save_checkpoint(
    folder: Path,
    position: Position,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    further: Mapping[str, Tensor] | None = None,
) -> Path:
    """Write a checkpoint below `folder`, and remove all but the last two.

    Args:
        folder: of the run's checkpoints.
        position: how far the run has come.
        model: its weights are kept.
        optimizer: likewise its state.
        further: what else the run goes on with, by names; none for a run without such.

    Raises:
        WinnowError: it cannot be written.
    """
    from safetensors.torch import save_file, save_model

    final = folder / f"step-{position.step:06}"
    making = folder / f".making-{final.name}"
    try:
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        save_model(model, str(making / "model.safetensors"))  # what has two names (T5) once
        tensors = {f"rng.{name}": state for name, state in _generators().items()}
        for number, state in optimizer.state_dict()["state"].items():
            tensors |= {f"{number}.{name}": value for name, value in state.items()}
        save_file(_contiguous(tensors), making / "optimizer.safetensors")
        if further:
            save_file(_contiguous(further), making / _FURTHER)
        fields = {name: getattr(position, name) for name in Position.__slots__}
        (making / "state.json").write_text(json.dumps(fields, indent=2) + "\n", encoding="utf-8")
        for path in making.iterdir():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        shutil.rmtree(final, ignore_errors=True)
        making.rename(final)
    except OSError as error:
        raise WinnowError(f"The checkpoint {final} cannot be written: {error.strerror}.") from error
    for old in _all(folder)[:-_KEPT]:
        shutil.rmtree(old, ignore_errors=True)
    return final


def load_checkpoint(
    folder: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    further: Mapping[str, Tensor] | None = None,
) -> Position | None:
    """Bring model, optimiser and random generators to the last checkpoint below `folder`.

    Args:
        folder: of the run's checkpoints.
        model: is given the weights.
        optimizer: is given its state.
        further: what else the run goes on with, as it was saved; filled in place.

    Returns:
        Where it stands; None if there is none.

    Raises:
        ModelError: it is damaged.
    """
    found = _all(folder)
    if not found:
        return None
    from safetensors import SafetensorError
    from safetensors.torch import load_file, load_model

    last = found[-1]
    try:
        position = Position(**json.loads((last / "state.json").read_text(encoding="utf-8")))
        load_model(model, last / "model.safetensors")
        tensors = load_file(last / "optimizer.safetensors")
        kept = load_file(last / _FURTHER) if further else {}
        for name, tensor in (further or {}).items():
            tensor.copy_(kept[name])
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"The checkpoint {last} is damaged; remove it to go on before it.") from (
            error
        )
    states: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        number, _, key = name.partition(".")
        if number != "rng":
            states.setdefault(int(number), {})[key] = tensor
    described: dict[str, Any] = optimizer.state_dict()
    optimizer.load_state_dict({**described, "state": states})
    torch.set_rng_state(tensors["rng.cpu"])
    if "rng.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["rng.cuda"])
    return position


def load_weights(path: Path, model: nn.Module) -> None:
    """Bring the model to weights that `save_weights` wrote.

    Raises:
        ModelError: they are missing or damaged.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_model

    try:
        load_model(model, path)
    except (OSError, RuntimeError, SafetensorError) as error:
        raise ModelError(f"The weights {path} are damaged: {error}") from error


def save_weights(path: Path, model: nn.Module) -> None:
    """Write the model's weights alone, whole or not at all."""
    from safetensors.torch import save_model

    making = path.with_name(f".making-{path.name}")
    try:
        save_model(model, str(making))
        making.replace(path)
    except OSError as error:
        raise WinnowError(f"The weights {path} cannot be written: {error.strerror}.") from error


def _all(folder: Path) -> list[Path]:
    """Return the checkpoints, the oldest first."""
    found = [path for path in folder.glob("step-*") if _NAME.fullmatch(path.name)]
    return sorted(found, key=lambda path: int(path.name.partition("-")[2]))


def _generators() -> dict[str, Tensor]:
    states = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        states["cuda"] = torch.cuda.get_rng_state()
    return states


def _contiguous(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
