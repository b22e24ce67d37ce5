"""Extraction of the window's translatable texts from syntax trees.

Qt's lupdate misses texts in f-strings, texts passed to a module's own translating function, and
plural forms outside of classes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ENGINE_CONTEXT: Final = "core"
"""The context of the engine's texts, which contain no Qt calls."""


class TextError(Exception):
    """A text is used in a way that cannot be translated; the message gives the location."""


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A translatable source text, with a comment that distinguishes equal texts in a context."""

    context: str
    source: str
    comment: str = ""

    @property
    def has_plurals(self) -> bool:
        return "%n" in self.source or "%Ln" in self.source


def texts_of_window(folder: Path) -> set[Text]:
    """Return the texts in the modules below `folder`.

    Raises:
        TextError: a text or a context is not a literal.
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
    """Collects the texts of a module with the class that contains them."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: list[Text] = []
        self._class = ""
        self._contexts = dict(_translating_functions(tree))
        self.visit(tree)

    # Method names required by `ast.NodeVisitor`

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        outer, self._class = self._class, node.name
        self.generic_visit(node)
        self._class = outer

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        # Translating functions pass their argument to Qt and contain no texts.
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
                raise TextError(f"{node.lineno}: the context is not a literal.")
            if context != ENGINE_CONTEXT or _literal(node.args[1]) is not None:
                self._add(node, context, node.args[1:], counted_from=2)
        elif isinstance(node.func, ast.Name) and name in self._contexts:
            self._add(node, self._contexts[name], node.args[:1], counted_from=None)

    def _class_of(self, called_on: ast.expr) -> str:
        if isinstance(called_on, ast.Name) and called_on.id == "self":
            return self._class
        raise TextError(f"{called_on.lineno}: tr is called on something else than self.")

    def _add(
        self, node: ast.Call, context: str, arguments: list[ast.expr], counted_from: int | None
    ) -> None:
        source = _literal(arguments[0]) if arguments else None
        if source is None:
            raise TextError(f"{node.lineno}: the text is not a literal.")
        comment = _literal(arguments[1]) if len(arguments) > 1 else ""
        text = Text(context, source, comment or "")
        has_count = len(node.args) > 1 if counted_from is None else len(arguments) > counted_from
        if text.has_plurals != (has_count or any(word.arg == "n" for word in node.keywords)):
            raise TextError(f"{node.lineno}: plural texts need both %n and a number.")
        self.found.append(text)


def called(node: ast.Call) -> str:
    """Return the name of the called function."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _is_application_translate(node: ast.Call) -> bool:
    """Return whether this is QCoreApplication.translate and not a painter's."""
    if isinstance(node.func, ast.Attribute):
        owner = node.func.value
        is_application = isinstance(owner, ast.Name) and owner.id.endswith("Application")
        return node.func.attr == "translate" and is_application
    return called(node) == "QT_TRANSLATE_NOOP"


def _translating_functions(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the functions of a module that translate their first argument, with their contexts."""
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
    """Yield the locations of literals that are displayed without translation."""
    ignored = frozenset(allowed)
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or called(node) not in _DISPLAY_CALLS:
                continue
            # The first argument of `say` is the name of a drawing.
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
    """Yield the literals with letters in an argument, including those in f-strings."""
    for one in ast.walk(node) if isinstance(node, ast.JoinedStr) else (node,):
        text = _literal(one) if isinstance(one, ast.expr) else None
        if text is not None and any(map(str.isalpha, text)):
            yield text
