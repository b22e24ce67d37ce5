"""The loops stay within their arrays, whatever a segment contains: checked by sanitizers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.index.native.compiler import compile_library, find_compiler

_ROOT = Path(__file__).resolve().parents[4]
_DRIVER = Path(__file__).with_name("sanitized_loops.py")
_FLAGS = (
    *("-g", "-O1", "-fPIC", "-shared"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    *("-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math", "-fno-math-errno"),
)
_SEGMENTS = 1500


def runtime(name: str) -> str:
    """Return the path of a sanitizer's library; skip the test without it."""
    compiler = find_compiler()
    assert compiler is not None
    command = [compiler, f"-print-file-name={name}"]
    path = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    if not Path(path).is_absolute():
        pytest.skip(f"the compiler has no {name}")
    return path


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="sanitizers are preloaded")
def test_mutated_segments_do_not_lead_the_loops_out_of_their_arrays(tmp_path: Path) -> None:
    preloaded = [runtime("libasan.so"), runtime("libubsan.so")]
    library = compile_library(tmp_path, flags=_FLAGS)
    finished = subprocess.run(
        [sys.executable, str(_DRIVER), str(library), str(_SEGMENTS), "1"],
        env=os.environ
        | {
            "LD_PRELOAD": " ".join(preloaded),
            "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0",
            "PYTHONPATH": f"{_ROOT}{os.pathsep}{_ROOT / 'benchmarks'}",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr[-6000:]
    assert int(finished.stdout) > _SEGMENTS // 50  # enough of them are searched
