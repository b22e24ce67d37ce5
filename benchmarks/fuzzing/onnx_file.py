"""Fuzz target: ONNX files, as they are checked before OpenVINO reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from core.encoders.openvino.onnx_check import check_onnx
from tests.core.onnx_files import write_bert_onnx
from tests.core.tiny_models import tiny_bert

KIND: Final = "onnx_file"
_MODEL: Final = "model.onnx"


def seeds(folder: Path) -> list[bytes]:
    """Return a small BERT with its weights in the file, and one with weights in another file."""
    found = []
    bert = tiny_bert(24)
    for location in ("", f"{_MODEL}_data"):
        write_bert_onnx(folder / _MODEL, bert, location=location)
        found.append((folder / _MODEL).read_bytes())
    return found


def attempt(data: bytes, folder: Path) -> None:
    """Check a file."""
    (folder / _MODEL).write_bytes(data)
    check_onnx(folder / _MODEL)
