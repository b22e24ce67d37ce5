"""A run's state on disk, from which it resumes exactly.

`OUTPUT/checkpoints/step-000200/` holds `model.safetensors`, `optimizer.safetensors`, `state.json`
and, if a run has more state, `further.safetensors`; or, in half precision and without the
optimiser's state, `half.safetensors` and `state.json`. A checkpoint is written under a temporary
name and then renamed, so it is always complete.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from core.errors import ModelError, WinnowError

_NAME = re.compile(r"step-(\d{6,})")
_MAX_CHECKPOINTS = 2
_EXTRA = "further.safetensors"
_HALF = "half.safetensors"
# Errors raised by reading a damaged checkpoint.
_DAMAGE = (OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError)


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a run.

    Attributes:
        step: number of completed steps.
        best_step: the step of the best result on the dev sets; 0 if never measured.
        best: that result; 0 if never measured.
        seconds: time spent on the run.
        processor_s: processor time of that, of all threads.
        restarted: the step after which the optimiser last started without its state, from a
            checkpoint in half precision; 0 if never.
    """

    step: int = 0
    best_step: int = 0
    best: float = 0.0
    seconds: float = 0.0
    processor_s: float = 0.0
    restarted: int = 0


def save_checkpoint(
    folder: Path,
    position: Position,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    extra: Mapping[str, Tensor] | None = None,
    *,
    half: bool = False,
) -> Path:
    """Write a checkpoint below `folder`, and remove all except the last two.

    Args:
        folder: of the run's checkpoints.
        position: the position of the run.
        model: the model whose weights are stored.
        optimizer: the optimiser whose state is stored.
        extra: further state of the run by name; may be empty.
        half: whether to write weights in half precision and nothing of the optimiser.

    Raises:
        WinnowError: the checkpoint cannot be written.
    """
    final = folder / f"step-{position.step:06}"
    temporary = folder / f".making-{final.name}"
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        if half:
            _save_file(_halves(model, extra or {}) | _generators(), temporary / _HALF)
        else:
            _save_whole(temporary, model, optimizer, extra or {})
        fields = {name: getattr(position, name) for name in Position.__slots__}
        (temporary / "state.json").write_text(json.dumps(fields, indent=2) + "\n", encoding="utf-8")
        for path in temporary.iterdir():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        shutil.rmtree(final, ignore_errors=True)
        temporary.rename(final)
    except OSError as error:
        raise WinnowError(f"The checkpoint {final} cannot be written: {error.strerror}.") from error
    for old in _all(folder)[:-_MAX_CHECKPOINTS]:
        shutil.rmtree(old, ignore_errors=True)
    return final


def _save_whole(
    folder: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    extra: Mapping[str, Tensor],
) -> None:
    from safetensors.torch import save_model

    save_model(model, str(folder / "model.safetensors"))  # stores tensors with two names (T5) once
    tensors = _generators()
    for number, state in optimizer.state_dict()["state"].items():
        tensors |= {f"{number}.{name}": value for name, value in state.items()}
    _save_file(tensors, folder / "optimizer.safetensors")
    if extra:
        _save_file(extra, folder / _EXTRA)


def last_step(folder: Path) -> int:
    """Return the step of the last checkpoint below `folder`; 0 if there is none."""
    found = _all(folder)
    return _step(found[-1]) if found else 0


def load_checkpoint(
    folder: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    extra: Mapping[str, Tensor] | None = None,
) -> Position | None:
    """Load model, optimiser and random generators from the last checkpoint below `folder`.

    Args:
        folder: of the run's checkpoints.
        model: receives the weights.
        optimizer: receives its state.
        extra: further state, as saved; filled in place.

    Returns:
        Its position; None if there is no checkpoint. One in half precision leaves the optimiser as
        it is.

    Raises:
        ModelError: the checkpoint is damaged.
    """
    found = _all(folder)
    if not found:
        return None
    from safetensors.torch import load_file, load_model

    last = found[-1]
    try:
        position = Position(**json.loads((last / "state.json").read_text(encoding="utf-8")))
        if (last / _HALF).exists():
            tensors = load_file(last / _HALF)
            for name, target in _state(model, extra or {}).items():
                target.data.copy_(tensors[name])
            _set_generators(tensors)
            return replace(position, restarted=position.step)
        load_model(model, last / "model.safetensors")
        tensors = load_file(last / "optimizer.safetensors")
        extra_tensors = load_file(last / _EXTRA) if extra else {}
        for name, tensor in (extra or {}).items():
            tensor.copy_(extra_tensors[name])
    except _DAMAGE as error:
        raise ModelError(f"The checkpoint {last} is damaged; remove it to go on before it.") from (
            error
        )
    states: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        number, _, key = name.partition(".")
        if number != "rng":
            states.setdefault(int(number), {})[key] = tensor
    state_fields: dict[str, Any] = optimizer.state_dict()
    optimizer.load_state_dict({**state_fields, "state": states})
    _set_generators(tensors)
    return position


def load_weights(path: Path, model: nn.Module) -> None:
    """Load weights written by `save_weights`.

    Raises:
        ModelError: the files are missing or damaged.
    """
    from safetensors.torch import load_model

    try:
        load_model(model, path)
    except _DAMAGE as error:
        raise ModelError(f"The weights {path} are damaged: {error}") from error


def save_weights(path: Path, model: nn.Module) -> None:
    """Write the model's weights atomically."""
    from safetensors.torch import save_model

    temporary = path.with_name(f".making-{path.name}")
    try:
        save_model(model, str(temporary))
        temporary.replace(path)
    except OSError as error:
        raise WinnowError(f"The weights {path} cannot be written: {error.strerror}.") from error


def _all(folder: Path) -> list[Path]:
    """Return the checkpoints, oldest first."""
    found = [path for path in folder.glob("step-*") if _NAME.fullmatch(path.name)]
    return sorted(found, key=_step)


def _step(checkpoint: Path) -> int:
    return int(checkpoint.name.partition("-")[2])


def _state(model: nn.Module, extra: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return a run's trained weights and further state by their names in `half.safetensors`."""
    weights = {
        f"model.{name}": weight for name, weight in model.named_parameters() if weight.requires_grad
    }
    return weights | {f"further.{name}": tensor for name, tensor in extra.items()}


def _halves(model: nn.Module, extra: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the state with weights and averages in half precision."""
    return {
        name: tensor.half() if name.startswith(("model.", "further.average.")) else tensor
        for name, tensor in _state(model, extra).items()
    }


def _generators() -> dict[str, Tensor]:
    states = {"rng.cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        states["rng.cuda"] = torch.cuda.get_rng_state()
    return states


def _set_generators(tensors: Mapping[str, Tensor]) -> None:
    torch.set_rng_state(tensors["rng.cpu"])
    if "rng.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["rng.cuda"])


def _save_file(tensors: Mapping[str, Tensor], path: Path) -> None:
    from safetensors.torch import save_file

    save_file({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}, path)
