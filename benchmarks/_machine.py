"""The processor that a benchmark ran on.

Times of different machines are comparable only with this: instructions on wide registers double or
halve the speed of the same search.
"""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

CPUINFO = Path("/proc/cpuinfo")
# Name in Linux -> common name. First those of x86-64, then of Arm.
KERNELS = {
    "avx2": "AVX2",
    "avx512f": "AVX-512",
    "avx_vnni": "AVX-VNNI",
    "avx512_vnni": "AVX-512 VNNI",
    "avx512_bf16": "AVX-512 bf16",
    "amx_tile": "AMX",
    "amx_int8": "AMX int8",
    "amx_bf16": "AMX bf16",
    "asimd": "NEON",
    "asimddp": "NEON dot products",
    "i8mm": "int8 matrices",
    "bf16": "bf16",
    "sve": "SVE",
}


@dataclass(frozen=True)
class Machine:
    """The processor of this machine."""

    processor: str
    kernels: tuple[str, ...]

    @classmethod
    def this(cls, cpuinfo: Path = CPUINFO) -> Machine:
        """Return what Linux reports; elsewhere, what Python knows, without kernels."""
        fields = _fields(cpuinfo)
        known = fields.get("flags", fields.get("Features", "")).split()
        named = fields.get("model name") or platform.processor() or platform.machine()
        kernels = tuple(name for flag, name in KERNELS.items() if flag in known)
        return cls(named or "unknown processor", kernels)

    def with_threads(self, threads: int) -> dict[str, Any]:
        """Return the fields for a JSON file, with the number of threads that were used."""
        return {**asdict(self), "threads": threads}

    def line(self, threads: int | None = None) -> str:
        """Return a line for people, printed above tables: "AMD EPYC (AVX2, AVX-512), 1 thread"."""
        kernels = f" ({', '.join(self.kernels)})" if self.kernels else ""
        at_work = "" if threads is None else f", {threads} thread{'s' * (threads != 1)}"
        return f"{self.processor}{kernels}{at_work}"


def _fields(cpuinfo: Path) -> dict[str, str]:
    """Return the file's fields of the first processor; {} if there is no such file."""
    try:
        text = cpuinfo.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return {}
    lines = text.split("\n\n", 1)[0].splitlines()
    pairs = (line.split(":", 1) for line in lines if ":" in line)
    return {name.strip(): value.strip() for name, value in pairs}
