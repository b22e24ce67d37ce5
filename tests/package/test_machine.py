"""Tests of the processor description in benchmark results."""

from __future__ import annotations

import importlib
import json
import platform
from pathlib import Path
from types import ModuleType

import pytest

_X86 = """processor\t: 0
vendor_id\t: AuthenticAMD
model name\t: AMD EPYC 9R14
flags\t\t: fpu avx avx2 avx512f avx512_bf16 avx512_vnni
bugs\t\t: sysret_ss_attrs: none

processor\t: 1
model name\t: another
flags\t\t: amx_tile
"""
_ARM = """processor\t: 0
BogoMIPS\t: 243.75
Features\t: fp asimd sve bf16 i8mm
CPU implementer\t: 0x41
"""


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import the module like the benchmarks, from their folder."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "benchmarks"))
    return importlib.import_module("_machine")


def test_a_processor_is_described_with_its_instruction_sets(
    machine: ModuleType, tmp_path: Path
) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(_X86)
    here = machine.Machine.this(cpuinfo)
    named = "AMD EPYC 9R14 (AVX2, AVX-512, AVX-512 VNNI, AVX-512 bf16)"
    assert here.line() == named
    assert here.line(1) == f"{named}, 1 thread"
    assert here.line(8) == f"{named}, 8 threads"
    stored = json.loads(json.dumps(here.with_threads(8)))
    assert stored["processor"] == "AMD EPYC 9R14"
    assert stored["kernels"] == ["AVX2", "AVX-512", "AVX-512 VNNI", "AVX-512 bf16"]
    assert stored["threads"] == 8


def test_arm_processors_have_instruction_sets_but_no_model_name(
    machine: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(_ARM)
    monkeypatch.setattr(platform, "processor", lambda: "")
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert machine.Machine.this(cpuinfo).line() == "aarch64 (NEON, int8 matrices, bf16, SVE)"


def test_outside_linux_python_names_the_processor(
    machine: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "processor", lambda: "AMD64 Family 25 Model 17, AuthenticAMD")
    missing = tmp_path / "cpuinfo"
    assert machine.Machine.this(missing).line() == "AMD64 Family 25 Model 17, AuthenticAMD"
    monkeypatch.setattr(platform, "processor", lambda: "")
    monkeypatch.setattr(platform, "machine", lambda: "")
    assert machine.Machine.this(missing).line() == "unknown processor"


def test_this_machine_has_a_name(machine: ModuleType) -> None:
    assert machine.Machine.this().processor
