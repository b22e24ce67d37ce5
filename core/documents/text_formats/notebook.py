"""Jupyter notebooks (.ipynb): notes and code in order, with what the code printed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.documents.decoding import decode
from core.documents.document import Document
from core.documents.files import read_bytes
from core.documents.metadata import real_title
from core.documents.text import PageText
from core.documents.text_formats.json import name_of
from core.documents.text_formats.markdown import add_markdown
from core.documents.text_formats.plain import LONGEST_PARSED, TERMINAL_CODE, as_it_stands

# Of what one cell printed; logs of a training can run to megabytes.
_MOST_PRINTED = 10_000


def read(path: Path) -> Document:
    """Read a notebook as one page; its title is the first heading. Pictures are left out.

    What is no notebook is read as plain text.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    text = decode(read_bytes(path))
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        return as_it_stands(text)
    cells = _cells(notebook)
    if cells is None:
        return as_it_stands(text)
    page = PageText()
    for cell in cells:
        _add(page, cell)
    _, headings = page.finish()
    about = _mapping(notebook.get("metadata"))
    title = real_title(name_of(about.get("title")))
    title = title or next((heading.text for heading in headings), "")
    return Document(title, (page.page(1),), name_of(about.get("authors")))


def _cells(notebook: object) -> list[Mapping[str, Any]] | None:
    """Return a notebook's cells, also of one in the form before 2015; None if it is none."""
    if not isinstance(notebook, dict):
        return None
    cells = notebook.get("cells")
    if cells is None and isinstance(sheets := notebook.get("worksheets"), list):
        found = (_mapping(sheet).get("cells") for sheet in sheets)
        cells = [cell for own in found if isinstance(own, list) for cell in own]
    return [_mapping(cell) for cell in cells] if isinstance(cells, list) else None


def _add(page: PageText, cell: Mapping[str, Any]) -> None:
    source = _joined(cell.get("source", cell.get("input")))
    kind = cell.get("cell_type")
    if kind == "markdown" and len(source) <= LONGEST_PARSED:
        add_markdown(page, source)
    elif kind == "heading":
        level = cell.get("level")
        page.heading(level if isinstance(level, int) and 0 < level < 10 else 1, source)
    else:
        page.add(source)
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        page.add(_printed(_mapping(output)))


def _printed(output: Mapping[str, Any]) -> str:
    """Return the text of an output; the name and the words of an error, without its trace."""
    if output.get("output_type") in {"error", "pyerr"}:
        return f"{_joined(output.get('ename'))}: {_joined(output.get('evalue'))}"
    data = _mapping(output.get("data"))
    if any(kind.startswith("image/") for kind in data):
        return ""  # its text only says that there is a picture
    text = _joined(output.get("text", data.get("text/plain", data.get("text/markdown"))))
    text = TERMINAL_CODE.sub("", text) if "\x1b" in text else text
    return text if len(text) <= _MOST_PRINTED else f"{text[:_MOST_PRINTED]}…"


def _joined(value: object) -> str:
    """Return a text that is given as one string or as a list of lines."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
