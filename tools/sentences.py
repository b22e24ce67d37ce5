"""The sentences of the engine that people see in the window, found in its syntax trees.

The engine knows no Qt and no language but English. A sentence with something in it stands here with
numbered gaps, {0}, as the window has to recognise it (app/translation.py).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tools.texts import Text, called

_NOT_SHOWN: Final = ("alignment", "commands", "mcp", "cli.py", "json_lines.py")
"""What the command line, or an agent, alone is told."""
_NOT_OURS: Final = frozenset(
    {"OSError", "PermissionError", "ReadError", "TypeError", "ValueError", "ProtocolError"}
)
# Which argument of a function is said, where it is not the first of an error.
_SAYING: Final = {
    "append": 0,
    "as_damage": 0,
    "note": 0,
    "of": 0,
    "_as_damage": 0,
    "Failure": 1,
    "Format": 1,
    "LoadedSettings": 1,
    "Operator": 1,
    "Option": 1,
}
_SAID: Final = frozenset({"reason", "unread", "notice", "group"})
"""Keywords by which a sentence is handed on."""
_OF_A_SETTING: Final = frozenset({"row", "label", "about", "note"})
"""Keywords by which the preferences' texts stand in the entry of a setting."""
_TELLERS: Final = frozenset(
    {
        "reason_for",
        "in_words",
        "_problem",
        "damaged",
        "settings_problem",
        "_of_documents",
        "_of_pages",
        "_of_second_file",
        "_of_catalog",
        "_of_files",
        "_of_segment",
    }
)
"""Functions that give sentences to somebody who does not raise them: of documents, of what
confines those that read them, and of what a check of the library finds."""
_PUT_TOGETHER: Final = ("has gaps: {0}", "page {0} {1}", "each of the pages {0} {1}")
"""What core/documents/damage.py says, piece by piece."""


def sentences_of_engine(folder: Path) -> set[Text]:
    """Give the sentences in the modules below `folder`, and its names of formats and operators."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in _modules(folder)]
    sentences = {*_PUT_TOGETHER, *_Engine(trees).sentences()} - {""}
    return {Text("core", one) for one in sentences}


def _modules(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.py")):
        if path.relative_to(folder).parts[0] not in _NOT_SHOWN:
            yield path


class _Engine:
    """The modules together: what is said in one is often written in another."""

    def __init__(self, trees: Sequence[ast.Module]) -> None:
        self._calls: list[ast.Call] = []
        self._functions: dict[str, list[ast.FunctionDef]] = {}
        self._constants: dict[str, str] = {}
        for tree in trees:
            for node in ast.walk(tree):
                if isinstance(node, ast.Call):
                    self._calls.append(node)
                elif isinstance(node, ast.FunctionDef):
                    self._functions.setdefault(node.name, []).append(node)
            for statement in tree.body:
                match statement:
                    case (
                        ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(said)))
                        | ast.AnnAssign(
                            target=ast.Name(id=name), value=ast.Constant(value=str(said))
                        )
                    ):
                        self._constants[name] = said

    def sentences(self) -> Iterator[str]:
        """Give all that is said, with gaps for what is put in."""
        for call in self._calls:
            for said in _said_in(call):
                yield from self._texts(said)
        for name in _TELLERS:
            yield from self._told_by(name)

    def _told_by(self, name: str) -> Iterator[str]:
        for function in self._functions.get(name, ()):
            for node in ast.walk(function):
                if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
                    yield from self._texts(node.value)

    def _texts(self, said: ast.expr) -> Iterator[str]:
        """Give the sentence that an expression makes, and those that are put into it."""
        match said:
            case ast.Constant(value=str(text)):
                yield text
            case ast.JoinedStr(values=values):
                yield self._with_gaps(values)
                for value in values:
                    if isinstance(value, ast.FormattedValue):
                        yield from self._put_in(value.value)
            case ast.IfExp(body=one, orelse=other):
                yield from self._texts(one)
                yield from self._texts(other)
            case ast.Name(id=name) if name in self._constants:
                yield self._constants[name]
            case ast.Call():
                yield from self._put_in(said)

    def _put_in(self, said: ast.expr) -> Iterator[str]:
        if isinstance(said, ast.Call) and called(said) in self._functions:
            yield from self._told_by(called(said))
            for argument in said.args:
                yield from self._texts(argument)

    def _with_gaps(self, values: list[ast.expr]) -> str:
        text, gaps = "", 0
        for value in values:
            match value:
                case ast.Constant(value=str(said)):
                    text += said
                case ast.FormattedValue(value=ast.Name(id=name)) if name in self._constants:
                    text += self._constants[name]
                case _:
                    text += f"{{{gaps}}}"
                    gaps += 1
        return text


def _said_in(call: ast.Call) -> Iterator[ast.expr]:
    name = called(call)
    if name.endswith("Error") and name not in _NOT_OURS:
        yield from call.args[:1]
    place = _SAYING.get(name)
    is_notice = name != "append" or (
        isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "notices"
    )
    if place is not None and is_notice:
        yield from call.args[place : place + 1]
    said = _OF_A_SETTING if name == "setting" else _SAID
    yield from (word.value for word in call.keywords if word.arg in said)
