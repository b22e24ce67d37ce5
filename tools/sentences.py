"""Extraction of the engine's texts that the window shows, from syntax trees and data files.

The engine has no Qt and only English texts: templates of `Message` and errors, names of formats,
meanings of operators, and constants that are passed on as a reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from core.documents.formats import FORMATS
from core.search.query.operators import OPERATORS
from tools.texts import Text, called

# Parts of `core` whose texts only the command line or other programs show.
_EXCLUDED: Final = (
    Path("alignment"),
    Path("cluster"),
    Path("commands"),
    Path("serving/access.py"),
    Path("serving/http"),
    Path("serving/mcp"),
    Path("wire"),
    Path("cli.py"),
    Path("json_input.py"),
)
_OTHER_ERRORS: Final = frozenset(
    {
        "FileNotFoundError",
        "OSError",
        "PermissionError",
        "ReadError",
        "TypeError",
        "ValueError",
        "ProtocolError",
    }
)
# Position of the shown text in calls other than errors and messages.
_POSITIONS: Final = {
    "as_damage": 0,
    "_as_damage": 0,
    "note": 0,
    "of": 0,
    "on_os_error": 0,
    "Option": 1,
    "damaged": 1,
    "_damaged": 1,
}
_KEYWORDS: Final = frozenset({"reason", "unread"})
_SETTING_KEYWORDS: Final = frozenset({"row", "label", "about", "note", "other"})
"""Keywords of texts for the preferences in a setting's definition."""


def sentences_of_engine(folder: Path) -> set[Text]:
    """Return the shown texts in the modules below `folder`."""
    trees = [
        ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.py"))
        if not any(path.relative_to(folder).is_relative_to(part) for part in _EXCLUDED)
    ]
    constants = {name: text for tree in trees for name, text in _constants(tree)}
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    expressions = (expression for call in calls for expression in _shown_arguments(call))
    texts = {text for one in expressions for text in _texts(one, constants) if text}
    texts.update(name for each in FORMATS for name in (each.name, each.group) if name)
    for operator in OPERATORS:
        texts.update((operator.form, operator.meaning.template, operator.example))
    return {Text("core", text) for text in texts}


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for statement in tree.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text)))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(text)))
            ):
                yield name, text


def _shown_arguments(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments of a call that are shown: its template and fields that are texts."""
    name = called(call)
    if name == "Message" or (name.endswith("Error") and name not in _OTHER_ERRORS):
        yield from call.args
    elif name in _POSITIONS:
        yield from call.args[_POSITIONS[name] : _POSITIONS[name] + 1]
    shown = _SETTING_KEYWORDS if name == "setting" else _KEYWORDS
    yield from (word.value for word in call.keywords if word.arg in shown)


def _texts(expression: ast.expr, constants: Mapping[str, str]) -> Iterator[str]:
    match expression:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one, constants)
            yield from _texts(other, constants)
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in constants:
            yield constants[name]
