"""The frozen program: Winnow, or with `--smoke-test` a test of the installation.

The test checks that a package is complete: it opens the window with a temporary library, indexes
documents of many formats, searches, renders a page, and quits.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.__main__ import main as run_winnow
from core.requests import DrawPage
from tools.tour.pdf import pdf

if TYPE_CHECKING:
    from app.main_window import MainWindow
    from app.search.rows import Answer
    from core.catalog.reports import SyncReport
    from core.documents.document import PageImage
    from core.library.library import Library

_QUERY: Final = "someone cleaning the lamp of a beacon"
_TIMEOUT_MS: Final = 180_000
_PAGE_WIDTH: Final = 400
_DARK_BELOW: Final = 64  # of 255; a letter's ink
_MIN_COLORS: Final = 20


def run_smoke_test() -> int:
    """Run the test, and return the exit status: 0 on success.

    Prints a line for each result; failures begin with "FAILED".
    """
    with tempfile.TemporaryDirectory(prefix="winnow-smoke-", ignore_cleanup_errors=True) as place:
        home, documents = Path(place, "home"), Path(place, "documents")
        for folder in (home, documents):
            folder.mkdir()
        os.environ["WINNOW_HOME"] = str(home)
        # An existing cache saves compiling everything again.
        os.environ.setdefault("WINNOW_CACHE", str(Path(place, "cache")))
        settings = {"ocr": True, "background_load": "full"}
        (home / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        test = SmokeTest(documents)
        status = run_winnow([], test.start)
        test.check_modules()
        test.check_kernels()
        if status:
            test.fail(f"the window exited with status {status}")
    return 1 if test.failures or not test.is_finished else 0


class SmokeTest:
    """The first steps of a new user, with checks of the results."""

    def __init__(self, folder: Path) -> None:
        self.failures: list[str] = []
        self.is_finished = False
        self._folder = folder
        self._document_count = 0
        self._pending = {"indexing", "the model"}
        self._has_results = False
        self._window: MainWindow | None = None
        self._library: Library | None = None

    def fail(self, message: str) -> None:
        self.failures.append(message)
        _print(f"FAILED: {message}")

    def start(self, window: MainWindow) -> None:
        """Start the test with a window that has just been shown."""
        from PySide6.QtCore import QTimer

        self._window = window
        # Runs after the pending events, when the window has been painted.
        QTimer.singleShot(0, self._report_startup)
        self._document_count = make_documents(self._folder)
        session = window.session
        session.opened.connect(self._set_library)
        session.synced.connect(self._check_sync)
        session.warmed.connect(lambda: self._mark_ready("the model"))
        session.failed.connect(self._on_failure)
        window.searcher.failed.connect(self._on_failure)
        window.searcher.answered.connect(self._check_results)
        session.add_folders([self._folder])
        QTimer.singleShot(_TIMEOUT_MS, window, self._time_out)

    def check_modules(self) -> None:
        """Import the reader of each format, including those without a test document."""
        from core.documents.formats import FORMATS, load_function

        for format_ in FORMATS:
            for name in format_.functions:
                try:
                    load_function(name)
                except (ImportError, AttributeError) as error:
                    self.fail(f"{format_.name}: {error}")
        _print(f"formats: {len(FORMATS)}")

    def check_kernels(self) -> None:
        """Check that the compiled loops are included and in use."""
        from core.index.native import compiler, loops

        if not loops.is_loaded():
            self.fail("the loops are not loaded")
        is_included = compiler.SOURCE.with_name(compiler.LIBRARY).exists()
        if getattr(sys, "frozen", False) and not is_included:
            self.fail("the package lacks the compiled loops")
        _print("compiled loops: loaded")

    def _report_startup(self) -> None:
        import psutil

        passed_s = time.time() - psutil.Process().create_time()
        _print(f"window: {passed_s:.2f} s after the start")

    def _set_library(self, library: Library) -> None:
        self._library = library

    def _check_sync(self, report: SyncReport) -> None:
        from core.documents.pages.recognition import is_installed

        for failure in report.failed:
            self.fail(f"{failure.path.name} {failure.reason}")
        if not report.documents:
            return  # the sync before the folder was added
        # Without text recognition the picture has no text.
        expected = self._document_count - (not is_installed())
        if report.documents != expected:
            self.fail(f"{report.documents} documents were read, not {expected}")
        _print(f"documents: {report.documents}, with {report.tokens_kept} vectors")
        self._mark_ready("indexing")

    def _mark_ready(self, what: str) -> None:
        self._pending.discard(what)
        if not self._pending and self._window is not None:
            self._window.box.set_text(_QUERY)

    def _check_results(self, answer: Answer) -> None:
        window, library = self._window, self._library
        # Keyword results have no tokens; those by meaning arrive later.
        results = answer.results
        if self._has_results or results.query != _QUERY or not results.tokens:
            return
        assert window is not None
        assert library is not None
        self._has_results = True
        if not answer.documents:
            self.fail("nothing was found")
            self._close()
            return
        best = answer.documents[0].best.document
        if best.path.name != PDF:
            self.fail(f"the best result is {best.path.name}, not {PDF}")
        _print(f"search: {best.path.name} first of {len(answer.documents)}")
        task = window.session.files.start(
            lambda _job: library.answer(DrawPage(best.document_id, 1, _PAGE_WIDTH))
        )
        task.succeeded.connect(self._check_rendering)
        task.failed.connect(self._on_failure)

    def _check_rendering(self, page: PageImage) -> None:
        dark = sum(value < _DARK_BELOW for value in page.rgb[::3])
        if not dark:
            self.fail("the rendered page is empty")
        _print(f"page: {page.width} x {page.height}")
        assert self._window is not None
        seen = self._window.grab().toImage()
        colours = {
            seen.pixel(x, y) for x in range(0, seen.width(), 2) for y in range(0, seen.height(), 2)
        }
        if len(colours) < _MIN_COLORS:
            self.fail(f"the window has only {len(colours)} colours")
        _print(f"picture: {seen.width()} x {seen.height()}, {len(colours)} colours")
        self.is_finished = True
        self._window.close()

    def _on_failure(self, error: Exception) -> None:
        self.fail(f"{type(error).__name__}: {error}")
        self._close()

    def _time_out(self) -> None:
        self.fail(f"timed out waiting for {', '.join(sorted(self._pending)) or 'the results'}")
        self._close()

    def _close(self) -> None:
        if self._window is not None:
            self._window.close()


def _print(line: str) -> None:
    print(line, flush=True)


PICTURE: Final = "poster.png"
PDF: Final = "lighthouse.pdf"
PDF_LINE: Final = "The lighthouse keeper polishes his lamp."

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_ODF = "urn:oasis:names:tc:opendocument:xmlns:"

_TEXTS: Final = {
    "oats.txt": "Porridge needs salt.\n",
    "mill.py": '"""Grinds wheat into flour."""\n',
    "silo.md": "# Storing grain\n\nWheat keeps for years in a dry silo.\n",
    "plough.rst": "Ploughing\n=========\n\nA plough turns the soil over.\n",
    "hedge.adoc": "= Hedges\n\nA hedge shelters birds.\n",
    "orchard.org": "* Orchard\n\nApples ripen in autumn.\n",
    "yield.tex": "\\documentclass{article}\\begin{document}Barley yields rise.\\end{document}\n",
    "herd.csv": "animal,count\ncows,12\n",
    "hens.json": '{"eggs": "The hens lay brown eggs."}\n',
    "bees.xml": "<hive><note>Bees gather nectar.</note></hive>\n",
    "seeds.ipynb": '{"cells": [{"cell_type": "markdown", "metadata": {}, "source": '
    '["Seeds sprout in spring."]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n',
    "film.srt": "1\n00:00:01,000 --> 00:00:02,000\nThe harvest begins.\n",
    "cheese.html": "<html><body><h1>Cheese</h1><p>Cheese ripens in a cellar.</p></body></html>\n",
    "saved.mhtml": "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n"
    "--x\nContent-Type: text/html; charset=utf-8\n\n<p>Butter is churned.</p>\n--x--\n",
    "goat.rtf": "{\\rtf1\\ansi The goat climbs rocks.}",
    "letter.eml": "From: ann@example.org\nSubject: Hay\n\nThe hay is dry.\n",
    "box.mbox": "From ann@example.org Mon Jan  1 00:00:00 2024\nFrom: ann@example.org\n"
    "Subject: Rain\n\nRain is coming.\n",
}
_ZIPPED: Final = {
    "wool.docx": {
        "[Content_Types].xml": "<Types xmlns='http://schemas.openxmlformats.org/package/2006/"
        "content-types'><Override PartName='/word/document.xml' ContentType='application/vnd."
        "openxmlformats-officedocument.wordprocessingml.document.main+xml'/></Types>",
        "_rels/.rels": f"<Relationships xmlns='{_RELATIONS}'><Relationship Id='r1' "
        f"Type='{_R}/officeDocument' Target='word/document.xml'/></Relationships>",
        "word/document.xml": f"<w:document xmlns:w='{_W}'><w:body><w:p><w:r><w:t>Sheep give wool."
        "</w:t></w:r></w:p></w:body></w:document>",
    },
    "slides.pptx": {
        "_rels/.rels": f"<Relationships xmlns='{_RELATIONS}'><Relationship Id='r1' "
        f"Type='{_R}/officeDocument' Target='ppt/presentation.xml'/></Relationships>",
        "ppt/presentation.xml": f"<p:presentation xmlns:p='{_P}' xmlns:r='{_R}'><p:sldIdLst>"
        "<p:sldId id='256' r:id='r1'/></p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": f"<Relationships xmlns='{_RELATIONS}'><Relationship "
        f"Id='r1' Type='{_R}/slide' Target='slides/slide1.xml'/></Relationships>",
        "ppt/slides/slide1.xml": f"<p:sld xmlns:p='{_P}' xmlns:a='{_A}'><p:cSld><p:spTree><p:sp>"
        "<p:txBody><a:p><a:r><a:t>Geese guard the yard.</a:t></a:r></a:p></p:txBody></p:sp>"
        "</p:spTree></p:cSld></p:sld>",
    },
    "prices.xlsx": {
        "_rels/.rels": f"<Relationships xmlns='{_RELATIONS}'><Relationship Id='r1' "
        f"Type='{_R}/officeDocument' Target='xl/workbook.xml'/></Relationships>",
        "xl/workbook.xml": f"<workbook xmlns='{_S}' xmlns:r='{_R}'><sheets><sheet name='Prices' "
        "sheetId='1' r:id='r1'/></sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f"<Relationships xmlns='{_RELATIONS}'><Relationship Id='r1' "
        f"Type='{_R}/worksheet' Target='worksheets/sheet1.xml'/></Relationships>",
        "xl/worksheets/sheet1.xml": f"<worksheet xmlns='{_S}'><sheetData><row r='1'><c r='A1' "
        "t='inlineStr'><is><t>Milk is dear.</t></is></c></row></sheetData></worksheet>",
    },
    "ducks.odt": {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f"<office:document-content xmlns:office='{_ODF}office:1.0' "
        f"xmlns:text='{_ODF}text:1.0'><office:body><office:text><text:p>Ducks swim on the pond."
        "</text:p></office:text></office:body></office:document-content>",
    },
    "novel.epub": {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": "<container xmlns='urn:oasis:names:tc:opendocument:xmlns:"
        "container' version='1.0'><rootfiles><rootfile full-path='book.opf' "
        "media-type='application/oebps-package+xml'/></rootfiles></container>",
        "book.opf": "<package xmlns='http://www.idpf.org/2007/opf' version='3.0'><metadata/>"
        "<manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/></manifest>"
        "<spine><itemref idref='a'/></spine></package>",
        "a.xhtml": "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>The cat sleeps."
        "</p></body></html>",
    },
}


def make_documents(folder: Path) -> int:
    """Write the documents to `folder`, and return the number that indexing must find."""
    for name, text in _TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, members in _ZIPPED.items():
        (folder / name).write_bytes(_zip(members))
    (folder / "attic.zip").write_bytes(_zip({"chest.txt": "An old chest holds letters.\n"}))
    (folder / "barn.tar.xz").write_bytes(_tar("cart.txt", b"The cart has two wheels.\n"))
    _write_sevenzip(folder / "loft.7z", "rope.txt", b"A rope hangs from the beam.\n")
    (folder / PDF).write_bytes(pdf([f"# {PDF_LINE}"]))
    _draw_picture(folder / PICTURE)
    # Mailboxes and archives are not documents; each contains one.
    return len(_TEXTS) + len(_ZIPPED) + 5


def _zip(members: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def _tar(name: str, data: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz") as archive:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def _write_sevenzip(path: Path, name: str, data: bytes) -> None:
    import py7zr

    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writef(io.BytesIO(data), name)


def _draw_picture(path: Path) -> None:
    """Write a picture of text; needs a QGuiApplication."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QFont, QImage, QPainter

    image = QImage(900, 200, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    font = QFont()
    font.setPixelSize(64)
    painter.setFont(font)
    painter.drawText(image.rect(), Qt.AlignmentFlag.AlignCenter, "HARVEST FESTIVAL")
    painter.end()
    if not image.save(str(path)):
        raise OSError(f"{path} could not be written")


if __name__ == "__main__":
    sys.exit(run_smoke_test() if sys.argv[1:] == ["--smoke-test"] else run_winnow())
