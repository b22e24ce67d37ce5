"""A PDF by hand, of headings and paragraphs: nothing that the program does not need draws it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

_SIDE: Final = 72
_TOP: Final = 760
_COLUMN: Final = 84
"""How many letters of the text's size a line has room for, about."""


def pdf(pages: Sequence[str]) -> bytes:
    """Give a PDF of these pages, each in Markdown: headings and paragraphs in plain letters."""
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
    ]
    kids = []
    for page in pages:
        stream = _drawn(page)
        number = len(bodies) + 1
        kids.append(f"{number} 0 R")
        bodies.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % (number + 1)
        )
        bodies.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    bodies[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    return _file(bodies)


def _drawn(page: str) -> bytes:
    drawn, height = [], _TOP
    for block in page.split("\n\n"):
        if block.startswith("#"):
            level = len(block) - len(block.lstrip("#"))
            font, size, lines = "F2", {1: 20, 2: 14}[level], [block.lstrip("# ")]
            height -= 14
        else:
            font, size, lines = "F1", 12, textwrap.wrap(block, _COLUMN)
        for line in lines:
            drawn.append(f"BT /{font} {size} Tf {_SIDE} {height} Td ({line}) Tj ET")
            height -= size + 4
        height -= 8
    return "\n".join(drawn).encode("ascii")


def _file(bodies: Sequence[bytes]) -> bytes:
    file = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        file
        + b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
        + table
        + b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(bodies) + 1)
        + b"startxref\n%d\n%%%%EOF\n" % len(file)
    )
