"""The texts of the window, found in the code's syntax trees.

Qt's own lupdate reads Python by its words: it passes over texts in f-strings, those that a module
translates through a function of its own, and plural forms outside of classes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ENGINE_CONTEXT: Final = "core"
"""The context of what the window has from the engine: it stands in no call of Qt's."""


class TextError(Exception):
    """A text stands in the code as no translation would find it; the message says where."""


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """What is translated: a source text in its context, with a remark where it has several."""

    context: str
    source: str
    comment: str = ""

    @property
    def has_plurals(self) -> bool:
        return "%n" in self.source or "%Ln" in self.source


def texts_of_window(folder: Path) -> set[Text]:
    """Give the texts in the modules below `folder`.

    Raises:
        TextError: a text is no literal, or its context cannot be told.
    """
    found: set[Text] = set()
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        try:
            found.update(_Finder(tree).found)
        except TextError as error:
            raise TextError(f"{path}:{error}") from None
    return found


class _Finder(ast.NodeVisitor):
    """Goes through a module and remembers in which class it is."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: list[Text] = []
        self._class = ""
        self._contexts = dict(_translating_functions(tree))
        self.visit(tree)

    # The names that `ast` asks for

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        outer, self._class = self._class, node.name
        self.generic_visit(node)
        self._class = outer

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        # A function that hands its own argument on to Qt has no text in it.
        if node.name not in self._contexts:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        name = called(node)
        if name == "tr" and isinstance(node.func, ast.Attribute):
            self._add(node, self._class_of(node.func.value), node.args, counted_from=2)
        elif _is_application_translate(node):
            context = _literal(node.args[0])
            if context is None:
                raise TextError(f"{node.lineno}: the context is no literal.")
            if context != ENGINE_CONTEXT or _literal(node.args[1]) is not None:
                self._add(node, context, node.args[1:], counted_from=2)
        elif isinstance(node.func, ast.Name) and name in self._contexts:
            self._add(node, self._contexts[name], node.args[:1], counted_from=None)

    def _class_of(self, called_on: ast.expr) -> str:
        if isinstance(called_on, ast.Name) and called_on.id == "self":
            return self._class
        raise TextError(f"{called_on.lineno}: the class that translates cannot be told.")

    def _add(
        self, node: ast.Call, context: str, arguments: list[ast.expr], counted_from: int | None
    ) -> None:
        source = _literal(arguments[0]) if arguments else None
        if source is None:
            raise TextError(f"{node.lineno}: the text is no literal.")
        comment = _literal(arguments[1]) if len(arguments) > 1 else ""
        text = Text(context, source, comment or "")
        has_count = len(node.args) > 1 if counted_from is None else len(arguments) > counted_from
        if text.has_plurals != (has_count or any(word.arg == "n" for word in node.keywords)):
            raise TextError(f"{node.lineno}: a plural has %n and a number, other texts neither.")
        self.found.append(text)


def called(node: ast.Call) -> str:
    """Give the name of the function that is called."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _is_application_translate(node: ast.Call) -> bool:
    """Whether this is the application's translate, not a painter's."""
    if isinstance(node.func, ast.Attribute):
        owner = node.func.value
        is_application = isinstance(owner, ast.Name) and owner.id.endswith("Application")
        return node.func.attr == "translate" and is_application
    return called(node) == "QT_TRANSLATE_NOOP"


def _translating_functions(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Give the functions of a module that translate what they are given, each with its context."""
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or not function.args.args:
            continue
        first = function.args.args[0].arg
        for node in ast.walk(function):
            if not isinstance(node, ast.Call) or not _is_application_translate(node):
                continue
            match node.args:
                case [ast.Constant(value=str(context)), ast.Name(id=name), *_]:
                    if name == first and context != ENGINE_CONTEXT:
                        yield function.name, context


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def untranslated(folder: Path, allowed: Iterable[str] = ()) -> Iterator[str]:
    """Give where letters reach a person that did not go through a translation."""
    ignored = frozenset(allowed)
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or called(node) not in _DISPLAY_CALLS:
                continue
            # The first thing that an empty place is told to show is the name of a drawing.
            shown = node.args[1:] if called(node) == "say" else node.args
            arguments = [*shown, *(word.value for word in node.keywords)]
            for text in (literal for one in arguments for literal in _literals_with_letters(one)):
                if text not in ignored:
                    yield f"{path.relative_to(folder.parent)}:{node.lineno}: {text!r}"


_DISPLAY_CALLS: Final = frozenset(
    {
        "Notice", "QAction", "QCheckBox", "QGroupBox", "QLabel", "QMenu", "QPushButton",
        "QRadioButton", "addAction", "addButton", "addItem", "addMenu", "addRow", "addTab",
        "drawText", "say", "setAccessibleDescription", "setAccessibleName", "setHeaderLabels",
        "setPlaceholderText", "setPrefix", "setSpecialValueText", "setStatusTip", "setSuffix",
        "setText", "setTitle", "setToolTip", "setWhatsThis", "setWindowTitle", "set_name",
        "set_text", "showText", "show_notice",
    }
)  # fmt: skip


def _literals_with_letters(node: ast.expr) -> Iterator[str]:
    """Give the literals with letters in what a call is handed, those in an f-string too."""
    for one in ast.walk(node) if isinstance(node, ast.JoinedStr) else (node,):
        text = _literal(one) if isinstance(one, ast.expr) else None
        if text is not None and any(map(str.isalpha, text)):
            yield text
