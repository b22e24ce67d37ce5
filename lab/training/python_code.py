"""Examples from Python source: a function's docstring or name, for its code."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import UsageError
from lab.training.corpus import Passage
from lab.training.pairs import Example

_LEFT_OUT = {"test", "tests", "idlelib", "lib2to3", "site-packages", "dist-packages", "__pycache__"}
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_LONGEST = 1500  # characters of code; longer code is truncated by its tokens
_FEWEST_LINES = 3


@dataclass(frozen=True, slots=True)
class Function:
    """A function with a docstring: `code` without it, `full` with it."""

    file: str
    name: str
    docstring: str
    code: str
    full: str


class CodeSource:
    """The functions with a docstring in a tree of Python files."""

    def __init__(
        self,
        name: str,
        tree: Path,
        keep: float = 0.1,
        limit: int = 0,
        generator: np.random.Generator | None = None,
    ) -> None:
        """Read the tree.

        Args:
            name: of the source.
            tree: a folder; tests and installed packages are left out.
            keep: probability that the docstring stays in the code.
            limit: maximum number of functions, drawn with `generator`; 0 for all.
            generator: see `limit`.

        Raises:
            UsageError: there are no functions with docstrings.
        """
        self.name = name
        self._keep = keep
        self._functions = [function for path in _files(tree) for function in functions(path, tree)]
        if not self._functions:
            raise UsageError(f"{tree} holds no Python functions with docstrings.")
        if generator is not None and 0 < limit < len(self._functions):
            chosen = generator.choice(len(self._functions), limit, replace=False)
            self._functions = [self._functions[place] for place in sorted(chosen)]

    def __len__(self) -> int:
        return len(self._functions)

    def example(self, unit: int, generator: np.random.Generator, ways: int) -> Example | None:
        """The docstring's first sentence (6 of 10), the name's words (3), or the name itself.

        Names of one word, such as `run`, are not used: they say too little.
        """
        del ways
        function = self._functions[unit]
        drawn = generator.random()
        parts = identifier_words(function.name)
        if drawn < 0.6 or len(parts) < 2:
            query = function.docstring
        else:
            query = " ".join(parts) if drawn < 0.9 else function.name
        text = function.full if generator.random() < self._keep else function.code
        passage = Passage(f"{self.name}/{function.file}:{function.name}", 0, function.file, text)
        return Example(query, passage, self.name, frozenset({passage.document}))


def identifier_words(name: str) -> list[str]:
    """Return the words of a name, in lower case.

    >>> identifier_words("parseHTTPHeader2"), identifier_words("__read_csv")
    (['parse', 'http', 'header', '2'], ['read', 'csv'])
    """
    return [part.lower() for part in _PART.findall(name)]


def functions(path: Path, tree: Path) -> list[Function]:
    """Return a file's functions with a docstring and a few lines of code; none if it is invalid."""
    try:
        text = path.read_text(encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in third-party code
            module = ast.parse(text)
    except (OSError, ValueError, SyntaxError, RecursionError):
        return []
    lines = text.splitlines()
    # As in the product, the file's name is the title of a file without one.
    file = path.relative_to(tree).with_suffix("").as_posix()
    found = []
    for node in ast.walk(module):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        docstring = ast.get_docstring(node)
        first = node.body[0]
        if not docstring or first.end_lineno is None or node.end_lineno is None:
            continue
        sentence = " ".join(re.split(r"(?<=[.!?])\s|\n\s*\n", docstring, maxsplit=1)[0].split())
        head = lines[node.lineno - 1 : first.lineno - 1]
        rest = lines[first.end_lineno : node.end_lineno]
        if not 2 <= len(sentence.split()) <= 40 or len(head) + len(rest) < _FEWEST_LINES:
            continue
        full = lines[node.lineno - 1 : node.end_lineno]
        found.append(Function(file, node.name, sentence, _dedented(head + rest), _dedented(full)))
    return found


def _files(tree: Path) -> list[Path]:
    return [
        path
        for path in sorted(tree.rglob("*.py"))
        if not _LEFT_OUT.intersection(path.relative_to(tree).parts)
    ]


def _dedented(lines: list[str]) -> str:
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[indent:] if line[:indent].isspace() else line for line in lines)[
        :_LONGEST
    ]
