"""Tests of `dev.py bench fuzz`: coverage of readers, outcomes, and minimizing."""

from __future__ import annotations

import importlib
import os
import runpy
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

from core.documents import formats
from core.documents.formats import FORMATS, Format, format_of
from tests.core.containers import zip_bytes

ROOT = Path(__file__).resolve().parents[2]
_PLANTED = """
    from core.documents.document import Document, Page
    from core.documents.formats import Format

    FORMAT = Format("planted", "Planted", (".planted",), "planted:read")

    def read(path):
        data = path.read_bytes()
        if b"crash" in data:
            import os
            os.abort()
        if b"memory" in data:
            bytearray(2 << 30)
        if b"slow" in data:
            while True:
                pass
        return Document("", (Page(1, str(1 // (data[:1] != b"B"))),))
"""


@pytest.fixture
def fuzz(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return importlib.import_module("fuzz")


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a package whose reader fails in every way, and return a working folder."""
    site = tmp_path / "site"
    about = site / "planted-1.dist-info"
    about.mkdir(parents=True)
    (site / "planted.py").write_text(textwrap.dedent(_PLANTED))
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[winnow.formats]\nplanted = planted:FORMAT\n")
    monkeypatch.setenv("PYTHONPATH", str(site))
    work = tmp_path / "work"
    (work / "corpus").mkdir(parents=True)
    (work / "corpus" / "seed").write_bytes(b"Big")
    return work


def test_every_reader_is_fuzzed(fuzz: ModuleType) -> None:
    tried = {format_of(Path(f"a.{kind}")) for kind in fuzz.KINDS}
    assert {one.reader for one in FORMATS} <= {one.reader for one in tried if one is not None}
    assert {one.members for one in FORMATS} <= {one.members for one in tried if one is not None}


def test_new_formats_are_fuzzed_automatically(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    scores = Format("scores", "Scores", (".score", ".sc"), "scores:read")
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, scores))
    assert "score" in runpy.run_path(str(ROOT / "benchmarks" / "fuzz.py"))["KINDS"]


def test_failing_input_is_minimized(fuzz: ModuleType) -> None:
    data = b"x" * 300 + b"<crow>" + b"y" * 500
    assert fuzz.shrunk(data, lambda one: b"<crow>" in one) == b"<crow>"
    package = zip_bytes({"a": b"Owls", "b": b"Crows", "c": b"Rooks"})
    small = fuzz.shrunk(package, lambda one: "b" in fuzz.parts_of(one))
    assert fuzz.parts_of(small) == {"b": b"Crows"}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
@pytest.mark.parametrize(
    ("data", "outcome"),
    [
        (b"Big", "ZeroDivisionError in planted.py:17 (read)"),
        (b"a memory", "more than 1024 MB of memory: MemoryError in planted.py:13 (read)"),
        (b"a crash", "crash (-6)"),
        (b"well", ""),
    ],
)
def test_each_kind_of_failure_is_described(
    fuzz: ModuleType, planted: Path, data: bytes, outcome: str
) -> None:
    assert fuzz.outcome_of(data, planted, ".planted") == outcome


@pytest.mark.skipif(sys.platform != "linux", reason="Atheris is for Linux")
def test_a_fault_is_found_and_printed_in_a_line(planted: Path) -> None:
    pytest.importorskip("atheris")
    out = planted / "out"
    (out / "planted" / "corpus").mkdir(parents=True)
    (out / "planted" / "corpus" / "seed").write_bytes(b"Bigger")
    finished = subprocess.run(
        [
            *(sys.executable, ROOT / "benchmarks" / "fuzz.py", "--seconds", "4"),
            *("--kinds", "planted", "--out", out),
        ],
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ['PYTHONPATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 1, finished
    assert "planted  ZeroDivisionError in planted.py:17 (read)  (1 bytes)" in finished.stdout
    (finding,) = (out / "planted" / "findings").iterdir()
    assert finding.read_bytes() == b"B"


def test_findings_are_never_written_to_the_repository(
    fuzz: ModuleType, capsys, monkeypatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: object())
    assert fuzz.main(["--out", str(ROOT / "build" / "fuzz")]) == 2
    assert "name a folder outside it" in capsys.readouterr().out


def test_without_atheris_the_error_names_the_package(fuzz: ModuleType, capsys, monkeypatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert fuzz.main([]) == 2
    assert "pip install -e '.[fuzz]'" in capsys.readouterr().out
