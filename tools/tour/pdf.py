"""Minimal PDF files of headings and paragraphs, written without another library."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

_LEFT: Final = 72
_TOP: Final = 760
_LINE_LENGTH: Final = 84
"""Approximate number of characters per line."""


def pdf(pages: Sequence[str]) -> bytes:
    """Return a PDF of these pages, each in Markdown with headings and ASCII paragraphs."""
    return _file([_content_stream(page) for page in pages], ["Times-Roman", "Helvetica-Bold"])


def _content_stream(page: str) -> bytes:
    operators, height = [], _TOP
    for block in page.split("\n\n"):
        if block.startswith("#"):
            level = len(block) - len(block.lstrip("#"))
            font, size, lines = "F2", {1: 20, 2: 14}[level], [block.lstrip("# ")]
            height -= 14
        else:
            font, size, lines = "F1", 12, textwrap.wrap(block, _LINE_LENGTH)
        for line in lines:
            operators.append(f"BT /{font} {size} Tf {_LEFT} {height} Td ({line}) Tj ET")
            height -= size + 4
        height -= 8
    return "\n".join(operators).encode("ascii")


def _file(drawings: Sequence[bytes], fonts: Sequence[str]) -> bytes:
    """Return a PDF with a page per content stream, and the fonts F1, F2 and so on.

    The fonts must be among the standard ones of every viewer.
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
