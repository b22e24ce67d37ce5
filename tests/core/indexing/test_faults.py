"""Whatever write, flush or renaming of an indexing fails, or is the last before a kill.

A sample of all points is tried; `WINNOW_TEST_FAULTS=1` tries each.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.indexing.fault_driver import FAULTS

ROOT = Path(__file__).resolve().parents[3]
_STEP = int(os.environ.get("WINNOW_TEST_FAULTS", "60"))


@pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("gcc") is None, reason="needs gcc, and Linux"
)
@pytest.mark.timeout(14400 // _STEP + 120)
@pytest.mark.slow
def test_after_any_fault_a_library_answers_as_before_or_after(tmp_path: Path) -> None:
    shim, counter, root = tmp_path / "faults.so", tmp_path / "counter", tmp_path / "root"
    source = Path(__file__).parents[1] / "faults.c"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
    counter.write_bytes(bytes(32))
    root.mkdir()
    environment = os.environ | {
        "LD_PRELOAD": str(shim),
        "WINNOW_FAULT_COUNTER": str(counter),
        "WINNOW_FAULT_UNDER": str(root / "home"),
        "PYTHONPATH": str(ROOT),
    }
    driver = subprocess.Popen(
        [sys.executable, "-m", "tests.core.indexing.fault_driver", str(root)],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with driver:
        assert driver.stdin is not None
        assert driver.stdout is not None
        number, points = _STEP, 0
        is_over = False
        while not is_over:
            for fault in FAULTS:
                driver.stdin.write(f"{number}:{fault}\n")
                driver.stdin.flush()
                _, _, has_struck, wrong = json.loads(driver.stdout.readline())
                assert wrong == [], (number, fault)
                points += has_struck
                is_over = is_over or not has_struck
            number += _STEP
        driver.stdin.close()
    assert driver.returncode == 0
    assert points >= 100 // _STEP
