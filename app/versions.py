"""The versions of Winnow and its parts (`--version --verbose`); loads each native part."""

import importlib
import platform
import sqlite3
import sys
from collections.abc import Callable
from typing import Any, Final

import core

_VersionOf = Callable[[Any], object]

_PARTS: Final[tuple[tuple[str, str, _VersionOf], ...]] = (
    ("Qt", "PySide6.QtWidgets", lambda _: _qt()),
    ("numpy", "numpy", lambda numpy: numpy.__version__),
    ("OpenVINO", "openvino", lambda openvino: openvino.get_version()),
    ("tokenizers", "tokenizers", lambda tokenizers: tokenizers.__version__),
    ("safetensors", "safetensors", lambda safetensors: safetensors.__version__),
    ("faiss", "faiss", lambda faiss: faiss.__version__),
    ("PDFium", "pypdfium2.version", lambda version: version.PDFIUM_INFO),
    ("libxml2", "lxml.etree", lambda etree: ".".join(map(str, etree.LIBXML_VERSION))),
    ("lexbor", "selectolax.lexbor", lambda _: _installed("selectolax")),
    ("PPMd", "pyppmd", lambda _: _installed("pyppmd")),
    ("BCJ", "bcj", lambda _: _installed("pybcj")),
    ("Deflate64", "inflate64", lambda _: _installed("inflate64")),
    ("Brotli", "brotli", lambda brotli: brotli.__version__),
    ("Zstandard", "backports.zstd", lambda zstd: zstd.zstd_version),
    ("AES", "Cryptodome.Cipher.AES", lambda _: _installed("pycryptodomex")),
    ("watchfiles", "watchfiles", lambda watchfiles: watchfiles.__version__),
    ("psutil", "psutil", lambda psutil: psutil.__version__),
)
_FOR_RECOGNITION: Final[tuple[tuple[str, str, _VersionOf], ...]] = (
    ("Pillow", "PIL._imaging", lambda _: _installed("pillow")),
)


def show_versions() -> int:
    """Print the versions; return the exit status, 0 if every part can be loaded."""
    from core.documents.pages.recognition import is_installed
    from core.documents.sandbox.confinement import in_words
    from core.optional_packages import import_openvino

    import_openvino()  # with its usage reports switched off
    lines = [f"winnow, version {core.__version__}", f"Python {platform.python_version()}"]
    lines.append(f"SQLite {sqlite3.sqlite_version}")
    parts = (*_PARTS, *_FOR_RECOGNITION) if is_installed() else _PARTS
    is_whole = True
    for name, module, version_of in parts:
        try:
            version = version_of(importlib.import_module(module))
        except (ImportError, OSError) as error:
            is_whole = False
            version = f"cannot be loaded: {error}"
        lines.append(f"{name} {version}")
    lines.append(in_words())
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    return 0 if is_whole else 1


def _qt() -> str:
    from PySide6 import __version__
    from PySide6.QtCore import qVersion

    return f"{qVersion()}, PySide6 {__version__}"


def _installed(package: str) -> str:
    """Return the version of an installed package whose modules do not contain it."""
    from importlib.metadata import version

    return version(package)
