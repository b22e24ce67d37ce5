"""Small documents, one for each way of reading a file, made with what Python and Qt have."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

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


def make(folder: Path) -> int:
    """Write the documents into `folder`; give how many a library is to find there."""
    for name, text in _TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, members in _ZIPPED.items():
        (folder / name).write_bytes(_zip(members))
    (folder / "attic.zip").write_bytes(_zip({"chest.txt": "An old chest holds letters.\n"}))
    (folder / "barn.tar.xz").write_bytes(_tar("cart.txt", b"The cart has two wheels.\n"))
    _write_sevenzip(folder / "loft.7z", "rope.txt", b"A rope hangs from the beam.\n")
    (folder / PDF).write_bytes(pdf_of([[PDF_LINE]]))
    _draw_picture(folder / PICTURE)
    # A mailbox and an archive are no documents themselves; each holds one.
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


def pdf_of(pages: Sequence[Sequence[str]]) -> bytes:
    """Make a PDF of pages that say these lines, the first of each in larger letters."""
    drawings = []
    for lines in pages:
        drawn = [
            f"BT /F1 {14 if place else 24} Tf 72 {700 - 36 * place} Td ({line}) Tj ET"
            for place, line in enumerate(lines)
        ]
        drawings.append("\n".join(drawn).encode("ascii"))
    return pdf_drawn(drawings, ["Helvetica"])


def pdf_drawn(drawings: Sequence[bytes], fonts: Sequence[str]) -> bytes:
    """Make a PDF of a page for each drawing, in PDF's own operators, with fonts F1, F2 and so on.

    The fonts are of those that every viewer has.
    """
    bodies = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    named = b""
    for number, font in enumerate(fonts, 1):
        bodies.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /%s >>" % font.encode("ascii"))
        named += b"/F%d %d 0 R " % (number, len(bodies))
    kids = []
    for drawing in drawings:
        kids.append(b"%d 0 R" % (len(bodies) + 1))
        bodies += (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << %s>> >> >>" % (len(bodies) + 2, named),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
        )
    bodies[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    file = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return file + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n" % (len(places) + 1, table, len(places) + 1, len(file))
    )


def _draw_picture(path: Path) -> None:
    """A picture with words on it; needs a QGuiApplication."""
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
