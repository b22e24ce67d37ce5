"""A transformers checkpoint made into an OpenVINO model, once, in a process of its own."""

from __future__ import annotations

import logging
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Final

import filelock

from core import paths, private
from core.encoders.checkpoint import Checkpoint, head_files, remedy, sha256_of
from core.errors import ModelError
from core.optional_packages import require_torch
from core.quiet_openvino import import_openvino

_log = logging.getLogger(__name__)

SHIPPED: Final = "openvino"
"""Folder of a model's resources with the converted model, in a folder called as it should be."""
_MODEL = "model.xml"
# A search and a sync may both want the model at the first start.
_one_at_a_time = threading.Lock()


def converted(checkpoint: Checkpoint) -> Path:
    """The OpenVINO model of `checkpoint`; makes it (some seconds) if it is not there yet.

    An installed Winnow has that of the built-in model beside it, and neither the weights nor torch.

    It takes token ids and an attention mask, both (b, l) int64, and gives the head's output,
    (b, l, c), not yet normalised. Safe to call from several processes at once, and to be killed:
    a model appears in the cache whole or not at all.

    Raises:
        ModelError: the weights are not the right ones, or cannot be converted.
    """
    with _one_at_a_time:
        return _converted(checkpoint)


def _converted(checkpoint: Checkpoint) -> Path:
    digits = fingerprint(checkpoint)
    shipped = checkpoint.resources / SHIPPED / digits / _MODEL
    if shipped.exists():
        return shipped
    name = re.sub(r"[^\w.-]", "-", checkpoint.name)
    folder = paths.cache() / "models" / f"{name}-{digits}"
    if not (folder / _MODEL).exists():
        checkpoint.verify()
        _log.info("converting %s to %s", checkpoint.folder, folder)
        try:
            private.make_folder(folder.parent)
            made = Path(tempfile.mkdtemp(dir=folder.parent, prefix="making-"))
        except OSError as error:
            raise ModelError(
                f"The model cannot be prepared in {folder.parent} ({error.strerror}); "
                "make room there or set WINNOW_CACHE to another folder."
            ) from error
        try:
            _convert_apart(checkpoint, made)
            _put(made, folder)
        except OSError as error:
            raise ModelError(f"The model cannot be stored in {folder}: {error}.") from error
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return folder / _MODEL


def _put(made: Path, folder: Path) -> None:
    """Have a model that was made stand in `folder`, unless another Winnow was faster."""
    # Between the look and the move another one's would be removed as what is in the way.
    with filelock.FileLock(paths.cache() / "models.lock", mode=private.OWN_FILE):
        if not (folder / _MODEL).exists():
            # What is left where somebody tidied up the cache would be in the way.
            shutil.rmtree(folder, ignore_errors=True)
            made.rename(folder)


def discard(model: Path) -> None:
    """Remove a converted model that turned out to be damaged, so that it is made again.

    Raises:
        ModelError: it is the one that came with Winnow.
    """
    if model.is_relative_to(paths.RESOURCES):
        raise ModelError(f"The model {model} is damaged; {remedy(model)}.")
    shutil.rmtree(model.parent, ignore_errors=True)


def fingerprint(checkpoint: Checkpoint) -> str:
    """What a converted model depends on, short enough for a file name."""
    import hashlib
    from importlib.metadata import version

    digest = hashlib.sha256(checkpoint.weights_sha256.encode())
    for path in head_files(checkpoint):
        digest.update(sha256_of(path).encode())
    # A checkpoint may leave out layers that its folder has.
    digest.update(repr([layer.weight for layer in checkpoint.layers]).encode())
    digest.update(version("openvino").encode())
    return digest.hexdigest()[:16]


def _convert_apart(checkpoint: Checkpoint, folder: Path) -> None:
    """Convert in a child: torch and transformers need half a gigabyte that we do not keep."""
    require_torch("Preparing a model of your own")
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
            pool.submit(_convert, checkpoint, folder).result()
    except BrokenProcessPool as error:
        raise ModelError(
            "Preparing the model failed: its process ended early, perhaps for want of memory; "
            "close other programs and try again."
        ) from error


def _refuse_network(event: str, _args: tuple[Any, ...]) -> None:
    if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto"}:
        raise PermissionError(f"{event}: preparing the model needs no network")


def _convert(checkpoint: Checkpoint, folder: Path) -> None:
    """Write the model of `checkpoint` into `folder`; runs in the child."""
    import warnings

    sys.addaudithook(_refuse_network)
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    # Tracing warns of Python branches in transformers' code that do not depend on our inputs.
    warnings.simplefilter("ignore")
    openvino = import_openvino()
    import torch

    from core.encoders.torch_runtime import ProjectedTransformer

    with torch.inference_mode():
        example = {
            "input_ids": torch.ones(2, 8, dtype=torch.int64),
            "attention_mask": torch.ones(2, 8, dtype=torch.int64),
        }
        model = openvino.convert_model(ProjectedTransformer(checkpoint), example_input=example)
    for node in model.inputs:
        node.get_node().set_partial_shape(openvino.PartialShape([-1, -1]))
    model.validate_nodes_and_infer_types()
    openvino.save_model(model, folder / _MODEL, compress_to_fp16=True)
