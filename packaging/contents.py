"""What goes into a package, and what stays out: names, versions, modules, libraries, data."""

from __future__ import annotations

import importlib.util
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
Winnow searches your own folders by meaning and by words. It reads documents
where they lie, keeps itself in step with them, and answers questions with
ranked passages in which the words that made the match are lit, on the page.

It works offline: the model and the engine come with it, and nothing is ever
sent anywhere."""
HOMEPAGE: Final = "https://github.com/winnow-search/winnow"
MAINTAINER: Final = "The Winnow authors <authors@winnow.invalid>"

MODEL: Final = "winnow-mini"
"""The model that travels with the program, converted for OpenVINO, without its weights."""

NOT_INSTALLED: Final = ("torch", "transformers")
"""Dependencies that the program does without: docs/decisions/0026-what-is-packaged.md."""
EXTRAS: Final = ("mcp", "ocr")
WITHOUT_DEPENDENCIES: Final = ("rapidocr",)
"""Installed alone: of these only files are used."""

EXCLUDED_MODULES: Final = (
    *NOT_INSTALLED,
    "lab",  # trains and measures models, from a checkout: 0003-layers.md
    "matplotlib",  # draws its curves
    "rapidocr",  # only its models are used: see `data`
    "openvino.frontend.jax",
    "openvino.frontend.paddle",
    "openvino.frontend.tensorflow",
    "openvino.tools.benchmark",
    "openvino_telemetry",  # reports to its makers; the converter does without
    "readline",  # GPL, and nobody types at a prompt
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
"""Rooms whose modules are named by strings, as `core.documents.formats` does."""

_CONVERTER: Final = ("_offline_transformations", "frontend/pytorch", "tools/ovc")
"""Folders of OpenVINO's that prepare a model of the person's own, once there is torch."""

METADATA: Final = (
    "inflate64",
    "openvino",
    "pillow",
    "pybcj",
    "pycryptodomex",
    "pyppmd",
    "selectolax",
)
"""Packages whose version the program asks for at run time."""
_NOT_FOR_ADD_ONS: Final = frozenset(
    {"antigravity", "distutils", "ensurepip", "idlelib", "lib2to3", "readline", "this"}
    | {"tkinter", "turtle", "turtledemo", "venv"}
    # They need libraries of the system that nothing else here needs.
    | {"_crypt", "_curses", "_curses_panel", "_dbm", "_gdbm", "_tkinter", "crypt", "curses"}
    | {"nis", "ossaudiodev", "spwd"}
)

_OPENVINO_LIBRARIES: Final = (
    "*openvino_arm_cpu_plugin.*",  # of the same library, whichever this processor has
    "*openvino_intel_cpu_plugin.*",
    "*openvino_ir_frontend.*",  # the built-in model
    "*openvino_onnx_frontend.*",  # the models for text recognition
    "*openvino_pytorch_frontend.*",  # models of the person's own, with torch as an add-on
    "*tbbbind_2_5.*",
)
_QT_PLUGINS: Final = (
    "platforms/*offscreen*",
    "platforms/*xcb*",
    "platforms/*wayland*",
    "platforms/*windows*",
    "platforms/*cocoa*",
    "platformthemes/*xdgdesktopportal*",  # GTK's needs all of GTK; the portal shows its dialogs
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
    # Those that are called otherwise elsewhere, or that small desktops often lack.
    "libbz2.so.1.0",
    "libsqlite3.so.0",
    "libxcb-cursor.so.0",
    "libxcb-icccm.so.4",
    "libxcb-image.so.0",
    "libxcb-keysyms.so.1",
    "libxcb-render-util.so.0",
    "libxcb-util.so.1",
)
_SYSTEM: Final = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
_SOURCES: Final = ("*.c", "*.cpp", "*.h", "*.pxd", "*.pyx", "*.pyi", "*/py.typed")

Entry = tuple[str, str, str]
"""As PyInstaller has it: where in the package, where on the disk, which kind."""


def version() -> str:
    import core

    return core.__version__


def is_wanted(destination: str, source: str) -> bool:
    """Whether something that PyInstaller found belongs into the package.

    >>> is_wanted("PySide6/Qt/plugins/platforms/libqxcb.so", "/venv/libqxcb.so")
    True
    >>> is_wanted("PySide6/Qt/plugins/platformthemes/libqgtk3.so", "/venv/libqgtk3.so")
    False
    >>> is_wanted("libX11.so.6", "/usr/lib/libX11.so.6"), is_wanted("a.c", "/venv/a.c")
    (False, False)
    """
    place = destination.replace("\\", "/")
    if "libQt6EglF" in place:  # of platforms without a desktop, whose plug-ins stay out
        return False
    if is_systems(source):
        return Path(destination).name in _SYSTEM_LIBRARIES
    _, is_plugin, plugin = place.partition("/plugins/")
    if is_plugin and place.startswith("PySide6/"):
        return any(fnmatch(plugin, pattern) for pattern in _QT_PLUGINS)
    if "/translations/" in place and place.startswith("PySide6/"):
        return Path(place).name.startswith("qtbase_")
    return not any(fnmatch(place, pattern) for pattern in _SOURCES)


def is_systems(source: str) -> bool:
    """Whether a library is the system's, and not of a Python that lies in the same place."""
    return source.startswith(_SYSTEM) and "/python3" not in source and "libpython" not in source


def data(packages: Path, model: Path, guide: Path) -> list[tuple[str, str]]:
    """The files besides code as pairs: where they lie, and the folder that they come to.

    `packages` is the environment's site-packages, `model` the folder of the converted model,
    which is called by its fingerprint, and `guide` that of the guide's pages.
    """
    resources = ROOT / "resources"
    pairs = [
        (str(path), str(path.relative_to(ROOT).parent))
        for path in sorted(resources.rglob("*"))
        if path.is_file() and _travels(path.relative_to(resources))
    ]
    place = f"resources/models/{MODEL}/openvino/{model.name}"
    pairs += [(str(path), place) for path in sorted(model.iterdir())]
    pairs += [
        (str(path), str(Path("resources", "guide", path.relative_to(guide).parent)))
        for path in sorted(guide.rglob("*"))
        if path.is_file()
    ]
    recognition = packages / "rapidocr"
    # Its place is what the program looks for; none of its code is run.
    pairs.append((str(recognition / "__init__.py"), "rapidocr"))
    pairs += [
        (str(path), "rapidocr/models")
        for path in sorted((recognition / "models").glob("PP-OCRv6_*.onnx"))
    ]
    return pairs


def _travels(path: Path) -> bool:
    if path.suffix in {".py", ".pyc", ".ts"}:
        return False
    # Of the built-in model what OpenVINO made of it travels in its transformer's place.
    return path.parts[0] != "models" or "transformer" not in path.parts


def standard_library() -> list[str]:
    """Python's own modules that are there on this system, without its tests.

    All of them: what torch as an add-on asks for is not known while the program is frozen.
    """
    found = []
    for name in sorted(sys.stdlib_module_names - _NOT_FOR_ADD_ONS):
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
    """The modules of OpenVINO's converter: listed, not loaded, because that takes torch."""
    found = []
    for place in _CONVERTER:
        name = f"openvino.{place.replace('/', '.')}"
        found += [name, *_modules_in([str(packages / "openvino" / place)], f"{name}.")]
    return found


def openvino_libraries(packages: Path) -> list[tuple[str, str]]:
    """The libraries that OpenVINO loads by name, as pairs like those of `data`."""
    folder = packages / "openvino" / "libs"
    return [
        (str(path), "openvino/libs")
        for path in sorted(folder.iterdir())
        if any(fnmatch(path.name, pattern) for pattern in _OPENVINO_LIBRARIES)
    ]
