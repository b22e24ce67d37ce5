"""Formats that other installed packages add."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.documents import formats
from core.documents.formats import all_formats, format_of, suffixes_of
from core.documents.reader import Reader
from core.errors import DocumentError

_GOOD = """
    from core.documents.document import Document, Page
    from core.documents.formats import Format

    ROT13 = Format("rot13", "Secret text", (".rot13", ".pdf"), "{module}:read")
    TAKEN = Format("pdf", "Other PDF", (".other",), "{module}:read")
    NONE = "no format"

    def read(path):
        return Document("Secret", (Page(1, path.read_text()[::-1]),))
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs a package with a module of this source and these entry points."""
    formats._plugged_in.cache_clear()
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)

    def make(module: str, source: str, **points: str) -> None:
        (folder / f"{module}.py").write_text(textwrap.dedent(source.replace("{module}", module)))
        about = folder / f"{module}-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1\n")
        lines = [f"{name} = {module}:{what}" for name, what in points.items()]
        (about / "entry_points.txt").write_text("\n".join(["[winnow.formats]", *lines, ""]))

    yield make
    formats._plugged_in.cache_clear()


def test_a_plug_in_s_format_is_read_in_the_reading_process(install, tmp_path: Path) -> None:
    install("plug_in_good", _GOOD, rot13="ROT13")
    (tmp_path / "a.rot13").write_text("sworC")
    with Reader() as reader:
        document = reader.read(tmp_path / "a.rot13")
    assert (document.title, document.pages[0].text) == ("Secret", "Crows")
    assert suffixes_of("rot13") == (".rot13", ".pdf")


def test_winnow_s_own_formats_keep_their_suffixes_and_keys(
    install, caplog: pytest.LogCaptureFixture
) -> None:
    install("plug_in_taken", _GOOD, rot13="ROT13", pdf="TAKEN")
    found = format_of(Path("a.pdf"))
    assert found is not None
    assert found.key == "pdf"
    assert format_of(Path("a.other")) is None
    assert "that already exists" in caplog.text


@pytest.mark.parametrize(
    ("source", "what", "message"),
    [
        ("1 / 0", "X", "cannot be loaded"),
        ("import no_such_module", "X", "cannot be loaded"),
        (_GOOD, "MISSING", "cannot be loaded"),
        (_GOOD, "NONE", "is not a Format"),
    ],
)
def test_a_broken_plug_in_costs_itself_only(
    install, caplog: pytest.LogCaptureFixture, source: str, what: str, message: str
) -> None:
    install("plug_in_broken", source, broken=what)
    install("plug_in_beside", _GOOD, rot13="ROT13")
    assert [found.key for found in all_formats()[len(formats.FORMATS) :]] == ["rot13"]
    assert message in caplog.text


def test_a_plug_in_whose_reader_is_broken_costs_its_documents_only(install, tmp_path: Path) -> None:
    source = _GOOD.replace("path.read_text()", "no_such_name")
    install("plug_in_failing", source, rot13="ROT13")
    (tmp_path / "a.rot13").write_text("x")
    (tmp_path / "a.txt").write_text("Crows")
    with Reader() as reader:
        with pytest.raises(DocumentError, match=r"Cannot be read \(NameError\)"):
            reader.read(tmp_path / "a.rot13")
        assert reader.read(tmp_path / "a.txt").pages[0].text == "Crows"


_NATIVE = """
    import ctypes
    from core.documents.document import Document, Page
    from core.documents.formats import Format

    NATIVE = Format("native", "Native", (".native",), "{module}:read")

    def read(path):
        library = ctypes.CDLL(None)
        descriptor = library.open(bytes(path), 0)
        buffer = ctypes.create_string_buffer(100)
        count = library.read(descriptor, buffer, 100)
        return Document(path.stem, (Page(1, buffer.raw[:max(count, 0)].decode()),))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="calls the C library of other systems")
def test_a_plug_in_may_open_a_document_by_its_name_in_a_library_of_c(
    install, tmp_path: Path, home: Path
) -> None:
    install("plug_in_native", _NATIVE, native="NATIVE")
    path = tmp_path / "Crows.native"
    path.write_text("Crows are clever.")
    with Reader() as reader:
        document = reader.read(path)
        assert (document.title, document.pages[0].text) == ("Crows", "Crows are clever.")
        # The copy that it was given is gone with the answer.
        assert not list(home.rglob("*.native"))
