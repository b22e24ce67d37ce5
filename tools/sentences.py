"""The sentences of the engine that people see in the window, found in its syntax trees.

The engine knows no Qt and no language but English. A sentence is the template that a `Message` or
an error is made with; besides, the names of formats, the operators' meanings and constants that are
handed on as a reason are shown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tools.texts import Text, called

# Parts of `core` whose sentences only the command line or another program shows.
_NOT_SHOWN: Final = (
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
_NOT_OURS: Final = frozenset(
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
# Which argument of a call is a text that is shown, where it is neither an error nor a message.
_SHOWN: Final = {
    "as_damage": 0,
    "_as_damage": 0,
    "note": 0,
    "of": 0,
    "Format": 1,
    "Option": 1,
    "damaged": 1,
    "_damaged": 1,
}
_SHOWN_BY_KEYWORD: Final = frozenset({"reason", "unread", "group"})
_OF_A_SETTING: Final = frozenset({"row", "label", "about", "note", "other"})
"""Keywords by which the preferences' texts stand in the entry of a setting."""


def sentences_of_engine(folder: Path) -> set[Text]:
    """Give the sentences in the modules below `folder`, and its names of formats and operators."""
    trees = [
        ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.py"))
        if not any(path.relative_to(folder).is_relative_to(part) for part in _NOT_SHOWN)
    ]
    constants = {name: text for tree in trees for name, text in _constants(tree)}
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    said = (said for call in calls for said in _said_in(call))
    return {Text("core", text) for one in said for text in _texts(one, constants) if text}


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for statement in tree.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(said)))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(said)))
            ):
                yield name, said


def _said_in(call: ast.Call) -> Iterator[ast.expr]:
    """Give what a call shows: its template, and fields of it that are sentences themselves."""
    name = called(call)
    if name == "Message" or (name.endswith("Error") and name not in _NOT_OURS):
        yield from call.args
    elif name == "Operator":
        # Its form, meaning and example.
        yield from call.args[:3]
    elif name in _SHOWN:
        yield from call.args[_SHOWN[name] : _SHOWN[name] + 1]
    shown = _OF_A_SETTING if name == "setting" else _SHOWN_BY_KEYWORD
    yield from (word.value for word in call.keywords if word.arg in shown)


def _texts(said: ast.expr, constants: Mapping[str, str]) -> Iterator[str]:
    match said:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one, constants)
            yield from _texts(other, constants)
        case ast.Name(id=name) if name in constants:
            yield constants[name]
