"""The model's files: where they lie, what they must be, how its vectors are read."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core import paths
from core.errors import ModelError

BUILT_IN = "minilm-128"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One model on disk.

    `folder` holds the transformer (`config.json`, `model.safetensors`, `tokenizer.json`),
    `resources` what Winnow adds to it. `words_weight` is the share that the words' score has in
    a hybrid search with this model, whose similarities have their own spread.
    """

    name: str
    folder: Path
    weights_sha256: str
    resources: Path
    dimensions: int
    max_tokens: int
    words_weight: float
    has_projection: bool = True

    @property
    def weights(self) -> Path:
        return self.folder / "model.safetensors"

    @property
    def tokenizer(self) -> Path:
        return self.folder / "tokenizer.json"

    @property
    def projection(self) -> Path:
        """Holds `projection`, (h, d): from the transformer's h dimensions to the index's d."""
        return self.resources / "projection.safetensors"

    def verify(self) -> None:
        """Check the weights against the SHA-256 that the configuration names.

        Raises:
            ModelError: they cannot be read, or are not the ones that were meant.
        """
        try:
            with self.weights.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ModelError(
                f"The model file {self.weights} cannot be read ({error.strerror}); "
                "install Winnow again."
            ) from error
        if found != self.weights_sha256:
            raise ModelError(
                f"The model file {self.weights} is not the one that Winnow was made with; "
                "install Winnow again."
            )


def load_checkpoint(name: str = BUILT_IN) -> Checkpoint:
    """The model `name` of `resources/models`; reads its small configuration only.

    Raises:
        ModelError: there is no such model, or the package that holds its weights is missing.
    """
    resources = paths.RESOURCES / "models" / name
    try:
        config = json.loads((resources / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"There is no model '{name}' in this copy of Winnow; install Winnow again."
        ) from error
    # find_spec locates the package without running any code of it.
    spec = importlib.util.find_spec(config["module"])
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            f"The model's weights are missing: the package {config['package']} is not installed; "
            "run `python3 dev.py run` or install Winnow again."
        )
    return Checkpoint(
        name=name,
        folder=Path(next(iter(spec.submodule_search_locations))) / config["folder"],
        weights_sha256=config["sha256"],
        resources=resources,
        dimensions=config["dimensions"],
        max_tokens=config["max_tokens"],
        words_weight=config["words_weight"],
    )


def load_arrays(path: Path) -> dict[str, npt.NDArray[np.float32]]:
    """The arrays of a safetensors file as float32.

    Raises:
        ModelError: the file is missing or damaged.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        return {name: array.astype(np.float32) for name, array in load_file(path).items()}
    except (OSError, SafetensorError) as error:
        raise ModelError(f"The model file {path} is damaged; install Winnow again.") from error
