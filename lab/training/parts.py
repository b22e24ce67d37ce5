"""A trained run split into parts of a few megabytes with checksums, and their reassembly.

There are two bundles: `checkpoint`, from which a run can resume, with its log and configuration;
and `model`, the result. The first line of each part is JSON with its bundle, its number, and the
checksums of itself and of the bundle, so files may be renamed and given in any order.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from core.errors import ModelError, UsageError, WinnowError

CHECKPOINT_PARTS: Final = "checkpoint"
MODEL_PARTS: Final = "model"
# Maximum size of a part, including its first line.
PART_BYTES: Final = 8_000_000
_LINE_BYTES: Final = 1_000
_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class _Part:
    """One part: `number` of `count` of a bundle, whose checksum is `whole`."""

    path: Path
    bundle: str
    number: int
    count: int
    whole: str
    content: bytes


def write_parts(
    folder: Path, bundle: str, files: Iterable[tuple[str, Path]], size: int = PART_BYTES
) -> list[Path]:
    """Write a bundle as parts into `folder`, replacing its existing parts.

    Args:
        folder: is created.
        bundle: its name.
        files: contents by name in the run's folder.
        size: maximum size of a part, in bytes.

    Raises:
        WinnowError: the parts cannot be written.
    """
    packed = io.BytesIO()
    try:
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for name, path in files:
                entry = tarfile.TarInfo(name)
                entry.size = path.stat().st_size
                with path.open("rb") as file:
                    archive.addfile(entry, file)
        whole = packed.getvalue()
        room = size - _LINE_BYTES
        contents = [whole[first : first + room] for first in range(0, len(whole), room)]
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{bundle}-*-of-*.part"):
            old.unlink()
        written = []
        for number, content in enumerate(contents, 1):
            path = folder / f"{bundle}-{number}-of-{len(contents)}.part"
            line = {
                "winnow-part": _FORMAT,
                "bundle": bundle,
                "number": number,
                "of": len(contents),
                "sha256": hashlib.sha256(content).hexdigest(),
                "whole": hashlib.sha256(whole).hexdigest(),
            }
            path.write_bytes(json.dumps(line).encode() + b"\n" + content)
            written.append(path)
    except OSError as error:
        raise WinnowError(f"The parts in {folder} cannot be written: {error}.") from error
    return written


def join_parts(paths: Sequence[Path], output: Path) -> list[str]:
    """Assemble a run from its parts in its folder, as though it had been trained there.

    The folder may already hold mined negatives of the run.

    Args:
        paths: paths of the parts, in any order, or of their folders; the bundle `model` is
            optional.
        output: the run's folder.

    Returns:
        The names of the bundles.

    Raises:
        UsageError: parts are missing, or belong to several runs, or the folder holds a run.
        ModelError: a file is damaged, or not a part.
        WinnowError: the folder cannot be written.
    """
    files: list[Path] = []
    for path in paths:
        files += sorted(path.glob("*.part")) if path.is_dir() else [path]
    bundles: dict[str, list[_Part]] = {}
    for part in map(_read, files):
        bundles.setdefault(part.bundle, []).append(part)
    if CHECKPOINT_PARTS not in bundles:
        raise UsageError(
            "There is no part of the checkpoint; name all files checkpoint-….part, or their folder."
        )
    for name in ("checkpoints", "log.jsonl", "model"):
        if (output / name).exists():
            raise UsageError(
                f"{output} holds a run; name another folder with --output, or remove it."
            )
    # Read and check everything before writing.
    read = [file for parts in bundles.values() for file in _files(_whole(parts))]
    try:
        for name, content in read:
            path = output / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise WinnowError(f"The run's folder {output} cannot be written: {error}.") from error
    return sorted(bundles)


def _read(path: Path) -> _Part:
    try:
        line, _, content = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        header = json.loads(line)
        if header["winnow-part"] != _FORMAT:
            raise UsageError(f"{path} is of a later Winnow; put it together with that one.")
        part = _Part(
            path, header["bundle"], header["number"], header["of"], header["whole"], content
        )
        is_sound = hashlib.sha256(content).hexdigest() == header["sha256"]
    except (ValueError, TypeError, KeyError) as error:
        raise ModelError(f"{path} is no part of a trained run.") from error
    if not is_sound:
        raise ModelError(f"The part {path} is damaged; fetch it again.")
    return part


def _whole(parts: Sequence[_Part]) -> bytes:
    first = parts[0]
    if len({part.whole for part in parts}) > 1:
        raise UsageError(f"The parts of {first.bundle} are of several runs; name those of one.")
    contents = {part.number: part.content for part in parts}
    missing = [str(number) for number in range(1, first.count + 1) if number not in contents]
    if missing:
        raise UsageError(
            f"Of the {first.count} parts of {first.bundle} there are missing: {', '.join(missing)}."
        )
    whole = b"".join(contents[number] for number in range(1, first.count + 1))
    if hashlib.sha256(whole).hexdigest() != first.whole:
        raise ModelError(f"The parts of {first.bundle} do not fit together; fetch them again.")
    return whole


def _files(whole: bytes) -> list[tuple[str, bytes]]:
    """Return names and contents; raise an error for names outside the run's folder."""
    found = []
    with tarfile.open(fileobj=io.BytesIO(whole)) as archive:
        for entry in archive:
            name = PurePosixPath(entry.name)
            content = archive.extractfile(entry) if entry.isfile() else None
            if content is None or name.is_absolute() or ".." in name.parts or "\\" in entry.name:
                raise ModelError(f"The parts hold {entry.name!r}, which is no file of a run.")
            found.append((entry.name, content.read()))
    return found
