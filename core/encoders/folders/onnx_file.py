"""The ONNX files of a model's folder."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# Of a file with the weights, after the name of the ONNX file, as exporters write it.
DATA_SUFFIXES: Final = ("_data", ".data")


@dataclass(frozen=True, slots=True)
class OnnxFile:
    """The ONNX file of a model.

    Attributes:
        path: of the file.
        data: files next to it that may have its weights.
        is_alone: whether the model has no `model.safetensors`.
    """

    path: Path
    data: tuple[Path, ...] = ()
    is_alone: bool = False

    @property
    def files(self) -> tuple[Path, ...]:
        return (self.path, *self.data)


def find_onnx(folders: Sequence[Path], names: Sequence[str] = ("model.onnx",)) -> Path | None:
    """Return the first ONNX file of these names in the folders, or in their folder `onnx`."""
    candidates = (
        subfolder / name
        for folder in folders
        for subfolder in (folder / "onnx", folder)
        for name in names
    )
    return next((path for path in candidates if path.is_file()), None)


def data_files(path: Path) -> tuple[Path, ...]:
    """Return the existing files that may have an ONNX file's weights."""
    named = (path.with_name(path.name + suffix) for suffix in DATA_SUFFIXES)
    return tuple(file for file in named if file.is_file())
