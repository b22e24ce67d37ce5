"""Fuzz target: model folders with their settings, tokenizers and weight files."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import torch
from _one_file import packed, parts_of

from core.encoders.encoder import Encoder
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.tokens import Tokenizer
from core.encoders.torch_runtime import TorchRuntime
from tests.core.tiny_models import save_tiny, save_tiny_colbert

KIND: Final = "model"


def seeds(folder: Path) -> list[bytes]:
    """Return one of Winnow's own models and a ColBERT model, as ZIP archives of their folders."""
    torch.set_num_threads(1)
    shutil.rmtree(folder / "made", ignore_errors=True)
    models = [save_tiny(folder / "made" / "own", 1), save_tiny_colbert(folder / "made" / "colbert")]
    archives = []
    for model in models:
        files = [path for path in sorted(model.rglob("*")) if path.is_file()]
        archives.append(
            packed({path.relative_to(model).as_posix(): path.read_bytes() for path in files})
        )
        attempt(archives[-1], folder)  # imports the modules that all attempts share
    return archives


def attempt(data: bytes, folder: Path) -> None:
    """Load a model and encode with torch. OpenVINO models are converted from the same module."""
    model = folder / "model"
    shutil.rmtree(model, ignore_errors=True)
    for name, content in parts_of(data).items():
        path = model / name
        if path.resolve().is_relative_to(model.resolve()):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    checkpoint = load_checkpoint(model)
    # Skip the hash check, which would reject every mutation.
    object.__setattr__(checkpoint, "declared_sha256", "")
    encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), TorchRuntime(checkpoint, "cpu"))
    encoder.encode_queries([encoder.query_tokens("the crow remembers")])
    encoder.encode_passages(encoder.passage_tokens([("owls", "the owl hunts mice at night.")]))
