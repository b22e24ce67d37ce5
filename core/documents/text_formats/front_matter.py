"""Front matter: the YAML or TOML at the start of a Markdown file, as names and values.

A simple parser for what people write there: words, lists, and names inside names. Anything else is
kept as text, so that it is found.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from core.documents.text import one_line

_FRONT_MATTER: Final = re.compile(
    r"\A\ufeff?(?P<mark>---|\+\+\+)[ \t]*\n(?P<lines>(?:.*\n){0,2000}?)"
    r"(?:(?P=mark)|\.\.\.)[ \t]*(?:\n|\Z)"
)
_PAIR: Final = re.compile(
    r"(?P<name>[\w.@/-][\w .@/-]{0,99}?|\"[^\"]{1,99}\"|'[^']{1,99}')[ \t]*[:=]"
    r"(?:[ \t]+|$)(?P<value>.*)"
)
_ITEM: Final = re.compile(r"-(?:[ \t]+(.*)|$)")
_TABLE: Final = re.compile(r"\[{1,2}[ \t]*([\w. \"'-]+?)[ \t]*\]{1,2}")
_BLOCK: Final = re.compile(r"[|>][+-]?\d?")
_COMMENT: Final = re.compile(r"[ \t]#[ \t].*")
# Words in quotes or a word of a list in brackets.
_WORD: Final = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'|([^,\[\]{}\"']+)")
_TAGS: Final = frozenset({"tag", "tags", "keywords"})
_ALIASES: Final = ("alias", "aliases")
# Properties of Logseq: "tags:: [[garden]], roses".
_PROPERTY: Final = re.compile(
    r"^[ \t]*(?:-[ \t]+)?(title|tags?|alias(?:es)?)::[ \t]+(.*)$", re.MULTILINE
)
# A value without words to search for.
_EMPTY: Final = frozenset({"", "null", "~", "[]", "{}", "true", "false"})


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The front matter of a file.

    Attributes:
        length: Characters that it takes, 0 if there is none.
        lines: Lines that it takes.
        values: The values by name, in lower case. Names inside names are joined with a dot.
    """

    length: int = 0
    lines: int = 0
    values: dict[str, list[str]] = field(default_factory=dict)

    def first(self, *names: str) -> str:
        """Return the first value of the first of some names that has one."""
        return next((self.values[name][0] for name in names if self.values.get(name)), "")

    def text(self, without: frozenset[str]) -> str:
        """Return a line for each name and its values. Tags begin with "#", as in notes."""
        lines = []
        for name, values in self.values.items():
            shown = [value for value in values if value.lower() not in _EMPTY]
            if name in without or not shown:
                continue
            if name in _TAGS:
                lines.append(f"{name}: {' '.join(f'#{tag}' for tag in _listed(shown))}")
            else:
                lines.append(f"{name}: {', '.join(shown)}")
        return "\n".join(lines)

    @property
    def tags(self) -> list[str]:
        """The tags and keywords, without "#"."""
        return _listed(value for name in sorted(_TAGS) for value in self.values.get(name, ()))

    @property
    def aliases(self) -> list[str]:
        """Other names of the document."""
        return [value for name in _ALIASES for value in self.values.get(name, ())]


def _listed(values: Iterable[str]) -> list[str]:
    """Return the words of lists separated by commas, without the marks of tags and links.

    >>> _listed(["#a, [[b c]]", "d"])
    ['a', 'b c', 'd']
    """
    words = (word.strip(" #[]") for value in values for word in value.split(","))
    return [word for word in words if word.lower() not in _EMPTY]


def front_matter(source: str) -> FrontMatter:
    r"""Parse the front matter at the start of a file.

    >>> found = front_matter("---\ntags: [a, b/c]\naliases:\n  - One\n  - 'Two: 2'\n---\nText")
    >>> found.values
    {'tags': ['a', 'b/c'], 'aliases': ['One', 'Two: 2']}
    >>> found.text(frozenset())
    'tags: #a #b/c\naliases: One, Two: 2'
    """
    match = _FRONT_MATTER.match(source)
    if match is None:
        properties = FrontMatter()
        for name, value in _PROPERTY.findall(source):
            properties.values.setdefault(name, []).extend(
                [value.strip()] if name == "title" else _listed([value])
            )
        return properties
    matter = FrontMatter(match.end(), match.group().count("\n"))
    parser = _Parser(matter.values)
    for line in match["lines"].split("\n"):
        parser.add(line)
    parser.end()
    # Text between two lines of hyphens is no front matter.
    return FrontMatter() if "" in matter.values or not matter.values else matter


class _Parser:
    """Parses lines of YAML or TOML one after the other."""

    def __init__(self, values: dict[str, list[str]]) -> None:
        self._values = values
        # The indentations and names around the current line.
        self._names: list[tuple[int, str]] = []
        self._table = ""
        # The indentation of the name of a block of text, and the end of a list over several lines.
        self._block: int | None = None
        self._continues = False
        self._rest = ""

    def add(self, line: str) -> None:
        bare = line.strip()
        indent = len(line) - len(line.lstrip())
        if self._block is not None and (not bare or indent > self._block):
            self._put(bare, continues=self._continues)
            self._continues = True
            return
        self._block = None
        if self._rest:
            self._rest += f" {bare}"
            if self._rest.count("[") <= self._rest.count("]"):
                self._put_value(self._rest)
                self._rest = ""
        elif not bare or bare.startswith("#"):
            return
        elif (table := _TABLE.fullmatch(bare)) and not self._names_at(indent, -1):
            self._table = table[1].strip("\"'")
            self._names.clear()
        elif item := _ITEM.fullmatch(bare):
            self._names_at(indent, 0)
            if not self._add_pair(item[1] or "", indent + 2):
                self._put_value(item[1] or "")
        elif not self._add_pair(bare, indent):
            # The next line of a value.
            self._put(bare, continues=True)

    def end(self) -> None:
        """Add a list whose brackets are not closed."""
        if self._rest:
            self._put_value(self._rest)

    def _add_pair(self, bare: str, indent: int) -> bool:
        pair = _PAIR.fullmatch(bare)
        if pair is None or bare.startswith(("http:", "https:")):
            return False
        self._names_at(indent, -1)
        self._names.append((indent, pair["name"].strip("\"'")))
        value = pair["value"].strip()
        if _BLOCK.fullmatch(value):
            self._block, self._continues = indent, False
        elif value.startswith("[") and value.count("[") > value.count("]"):
            self._rest = value
        else:
            self._put_value(value)
        return True

    def _names_at(self, indent: int, more: int) -> bool:
        """Forget the names that a line at this indentation is not inside of."""
        while self._names and self._names[-1][0] > indent + more:
            self._names.pop()
        return bool(self._names)

    def _put_value(self, value: str) -> None:
        """Add a value: a word, or a list of words in brackets."""
        if value.startswith(("[", "{")):
            for quoted, single, plain in _WORD.findall(value):
                self._put(quoted or single.replace("''", "'") or plain)
        elif value[:1] in {'"', "'"} and (word := _WORD.match(value)):
            self._put((word[1] or word[2] or "").replace("''", "'").replace('\\"', '"'))
        else:
            self._put(_COMMENT.sub("", f" {value}"))

    def _put(self, word: str, *, continues: bool = False) -> None:
        word = one_line(word)
        if word:
            names = [self._table, *(name for _, name in self._names)]
            key = ".".join(filter(None, names)).lower()
            values = self._values.setdefault(key, [])
            if continues and values:
                values[-1] += f" {word}"
            else:
                values.append(word)
