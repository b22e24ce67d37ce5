"""A PDF by hand, of headings and paragraphs: nothing that the program does not need draws it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from app.smoke_test import pdf_drawn

_SIDE: Final = 72
_TOP: Final = 760
_COLUMN: Final = 84
"""How many letters of the text's size a line has room for, about."""


def pdf(pages: Sequence[str]) -> bytes:
    """Give a PDF of these pages, each in Markdown: headings and paragraphs in plain letters."""
    return pdf_drawn([_drawn(page) for page in pages], ["Times-Roman", "Helvetica-Bold"])


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
