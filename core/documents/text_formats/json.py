"""JSON data (.json, .jsonl) as lines of keys and values, and Jupyter notebooks (.ipynb)."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from core.documents.decoding import decode
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.metadata import iso_date, real_title
from core.documents.text import PageText, one_line
from core.documents.text_formats.html import document_of
from core.documents.text_formats.markdown import add_markdown
from core.documents.text_formats.plain import LONGEST_PARSED, TERMINAL_CODE, plain_document
from core.errors import Message

# Objects take ten times the memory of their text, and a second for each few million characters.
_LONGEST_PARSED = 20_000_000
_BY_LINE = frozenset({".jsonl", ".ndjson"})
# Drawing boards (Obsidian's canvas, Excalidraw): the lists of their parts, and what people write.
_BOARDS = frozenset({".canvas", ".excalidraw"})
_BOARD_PARTS = ("nodes", "edges", "elements")
_BOARD_TEXTS = ("text", "label", "file", "url")
# Pictures and other files, encoded as text.
_BLOB = re.compile(r"(?:data:[^\s,]{0,100},)?[A-Za-z0-9+/=_-]{200,}")
# Kinds of runs in the texts of chats and editors.
_RUNS = frozenset(
    {"text", "plain", "bold", "italic", "underline", "strikethrough", "code", "pre", "link"}
    | {"text_link", "mention", "mention_name", "hashtag", "cashtag", "email", "phone", "spoiler"}
    | {"custom_emoji", "emoji", "bot_command", "blockquote", "bank_card", "user", "color"}
)
_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
# Base64: letters of both cases and digits within one run.
_MIXED = re.compile(r"(?=[A-Za-z0-9+/]*[0-9])(?=[A-Za-z0-9+/]*[a-z])[A-Za-z0-9+/]*[A-Z]")
_DATES = ("modified", "updated", "date", "published", "created")


def read(path: Path) -> Document:
    """Read JSON as one page. Invalid or enormous files are read as plain text.

    In a top-level object, the keys of nested values are headings. The items of a top-level list are
    paragraphs. Title, author and date are the values of the keys with these names.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    text = decode(read_bytes(path))
    if len(text) > _LONGEST_PARSED:
        return plain_document(text)
    page = PageText()
    top: Mapping[str, Any] = {}
    try:
        if path.suffix.lower() in _BY_LINE:
            _add_lines(page, text)
        else:
            parsed = json.loads(text)
            top = parsed if isinstance(parsed, dict) else {}
            if path.suffix.lower() not in _BOARDS or not _add_board(page, top):
                _add_top(page, parsed)
    except (ValueError, RecursionError):
        page, top = PageText(), {}
        try:
            _add_lines(page, text)  # of another suffix
        except (ValueError, RecursionError):
            return plain_document(_without_escapes(text))
    content, headings = page.finish()
    title = real_title(name_of(top.get("title"))) or real_title(name_of(top.get("name")))
    author = name_of(top.get("author")) or name_of(top.get("authors"))
    date = next(filter(None, (iso_date(name_of(top.get(key))) for key in _DATES)), "")
    return Document(title, (Page(1, content, headings),), author, date)


def _add_board(page: PageText, board: Mapping[str, Any]) -> bool:
    """Add the texts of a drawing board; return whether it has any."""
    lists = (board.get(name) for name in _BOARD_PARTS)
    parts = [_mapping(part) for each in lists if isinstance(each, list) for part in each]
    texts = [_joined(part.get(key)) for part in parts for key in _BOARD_TEXTS]
    for text in filter(None, texts):
        if len(text) <= LONGEST_PARSED:
            add_markdown(page, text)
        else:
            page.add(text)
    return any(texts)


def _add_lines(page: PageText, text: str) -> None:
    """Add a value on each line. A line that is not JSON, such as a truncated one, is added as is.

    Raises:
        ValueError: Less than half of the lines are objects or lists.
    """
    # Not at the other line ends of Unicode, which JSON allows within strings.
    lines = [line.strip("\x1e\r\t ") for line in text.split("\n")]
    values = [_value(line) for line in lines if line]
    if 2 * sum(isinstance(value, (dict, list)) for value in values) < max(len(values), 1):
        raise ValueError("not lines of JSON")
    for value in values:
        if isinstance(value, _Raw):
            page.add(_without_escapes(value))
        else:
            _add_item(page, value)


class _Raw(str):
    """A line that is not JSON."""

    __slots__ = ()


def _value(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return _Raw(line)


def _without_escapes(text: str) -> str:
    r"""Return text that is not JSON with the Unicode escapes of JSON decoded.

    >>> _without_escapes('{"city":"K\\u00f6ln')
    '{"city":"Köln'
    """
    return _ESCAPES.sub(lambda run: _decoded_escapes(run[0]), text)


def _decoded_escapes(run: str) -> str:
    units = bytes.fromhex(run.replace("\\u", ""))
    return units.decode("utf-16-be", errors="replace")


def name_of(value: object) -> str:
    """Return a name from a string, an object with a name, or a list of these.

    >>> name_of([{"name": "Ann Rook"}, "Bob Crow"]), name_of(3)
    ('Ann Rook; Bob Crow', '')
    """
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, dict):
        name = value.get("name")
        return one_line(name) if isinstance(name, str) else ""
    if isinstance(value, list):
        names = (name_of(item) for item in value if not isinstance(item, list))
        return "; ".join(filter(None, names))
    return ""


def _add_top(page: PageText, value: object) -> None:
    if isinstance(value, dict):
        # Single values come first: below a heading they would seem to belong to it.
        for key, item in sorted(value.items(), key=lambda pair: _is_nested(pair[1])):
            if not _is_nested(item):
                page.add("\n".join(_pair(key, item, "")), gap=1)
                continue
            page.heading(1, key)
            for part in item if isinstance(item, list) else (item,):
                _add_item(page, part)
    elif isinstance(value, list) and _is_nested(value):
        for item in value:
            _add_item(page, item)
    else:
        _add_item(page, value)


def _add_item(page: PageText, value: object) -> None:
    page.add("\n".join(_lines(value, "")))


def _lines(value: object, indent: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _pair(key, item, indent)
    elif isinstance(value, list) and _is_nested(value):
        for item in value:
            yield from _lines(item, indent)
    elif text := _single(value):
        yield f"{indent}{text}"


def _pair(key: str, value: object, indent: str) -> Iterator[str]:
    value = _joined_runs(value)
    if _is_nested(value):
        yield f"{indent}{key}:"
        yield from _lines(value, f"{indent}  ")
    elif text := _single(value):
        yield f"{indent}{key}: {text}"


def _joined_runs(value: object) -> object:
    """Return a text whose formatted runs are objects as one string; other values unchanged.

    >>> _joined_runs(["At the ", {"type": "bold", "text": "Crow"}, ", 8 pm"])
    'At the Crow, 8 pm'
    >>> _joined_runs(["see ", {"type": "text_link", "text": "this", "href": "https://a.example"}])
    'see this (https://a.example)'
    """
    if not isinstance(value, list) or not any(isinstance(item, dict) for item in value):
        return value
    runs = [item if isinstance(item, dict) else {"type": "text", "text": item} for item in value]
    has_text = all(isinstance(run.get("text"), str) for run in runs)
    if not has_text or not all(str(run.get("type")) in _RUNS for run in runs):
        return value
    others = (item for run in runs for key, item in run.items() if key not in {"type", "text"})
    targets = "".join(f" ({item})" for item in others if isinstance(item, str) and item)
    return "".join(str(run["text"]) for run in runs) + targets


def _is_nested(value: object) -> bool:
    """Return whether a value needs separate lines: a list of single values does not."""
    if isinstance(value, list):
        return any(isinstance(item, (dict, list)) for item in value)
    return isinstance(value, dict)


def _single(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(filter(None, map(_single, value)))
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return "…" if _is_encoded(text) else text


def _is_encoded(text: str) -> bool:
    """Return whether a value is a file encoded as text, not long words joined by hyphens.

    >>> _is_encoded("iVBORw0KGgoAAAANSUhEUgAA" * 20), _is_encoded("the-crow_" * 40)
    (True, False)
    """
    if _BLOB.fullmatch(text) is None:
        return False
    return text.startswith("data:") or bool(_MIXED.search(text))


# Characters shown of one cell's output; logs of a training can run to megabytes.
_MOST_PRINTED: Final = 10_000
_CUT: Final = Message("Printed output beyond {0} characters per cell was skipped")


def read_notebook(path: Path) -> Document:
    """Read a notebook as one page: notes and code in order, with the printed output.

    The title is the first heading. Pictures are left out. Other files are read as plain text.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    text = decode(read_bytes(path))
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        return plain_document(text)
    cells = _cells(notebook)
    if cells is None:
        return plain_document(text)
    page = PageText()
    cut = [_add_cell(page, cell) for cell in cells]
    _, headings = page.finish()
    about = _mapping(notebook.get("metadata"))
    title = real_title(name_of(about.get("title")))
    title = title or next((heading.text for heading in headings), "")
    unread = Message(_CUT, f"{_MOST_PRINTED:,}") if any(cut) else ""
    return Document(title, (page.page(1, unread),), name_of(about.get("authors")))


def _cells(notebook: object) -> list[Mapping[str, Any]] | None:
    """Return a notebook's cells, also in the format before 2015; None if it is not a notebook."""
    if not isinstance(notebook, dict):
        return None
    cells = notebook.get("cells")
    if cells is None and isinstance(sheets := notebook.get("worksheets"), list):
        cells_of_sheets = (_mapping(sheet).get("cells") for sheet in sheets)
        cells = [cell for own in cells_of_sheets if isinstance(own, list) for cell in own]
    return [_mapping(cell) for cell in cells] if isinstance(cells, list) else None


def _add_cell(page: PageText, cell: Mapping[str, Any]) -> bool:
    """Add a cell with its output; return whether the output was cut."""
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
    is_cut = False
    for output in outputs if isinstance(outputs, list) else ():
        printed = _printed(_mapping(output))
        if len(printed) > _MOST_PRINTED:
            is_cut = True
            printed = f"{printed[:_MOST_PRINTED]}…"
        page.add(printed)
    return is_cut


def _printed(output: Mapping[str, Any]) -> str:
    """Return the text of an output; of an error, its name and message."""
    if output.get("output_type") in {"error", "pyerr"}:
        return f"{_joined(output.get('ename'))}: {_joined(output.get('evalue'))}"
    data = _mapping(output.get("data"))
    if data.keys() == {"text/html"}:
        return document_of(_joined(data["text/html"])).pages[0].text
    if any(kind.startswith("image/") for kind in data):
        return ""  # its text is only a placeholder for the picture
    text = _joined(output.get("text", data.get("text/plain", data.get("text/markdown"))))
    return TERMINAL_CODE.sub("", text) if "\x1b" in text else text


def _joined(value: object) -> str:
    """Join a text that is a string or a list of lines."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
