"""Importing OpenVINO without its reports."""

from __future__ import annotations

import sys
from types import ModuleType


def import_openvino() -> ModuleType:
    """Import OpenVINO with its usage reports switched off.

    Its converter reports to its makers through `openvino_telemetry` where that can be imported,
    and through an empty stub of its own where it cannot.
    """
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type] # documented use
    import openvino

    return openvino  # type: ignore[no-any-return] # openvino has no types
