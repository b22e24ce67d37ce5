"""LaTeX: the typeset text, as far as standard commands determine it."""

import json
import re
import unicodedata
from pathlib import Path

from core.documents import superscripts
from core.documents.decoding import decode
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.metadata import iso_date, real_title
from core.documents.text import PageText, one_line
from core.documents.text_formats.latex_macros import VERBATIM, closing_braces, expanded
from core.documents.text_formats.plain import LONGEST_PARSED, plain_document
from core.files.paths import RESOURCES

_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*(?:\n[ \t]*(?![\n \t]))?)"
    r"|(?P<break>\s*\n\s*\n\s*)"
    r"|\\(?P<word>[a-zA-Z@]+)\*?[ \t]*"
    r"|\\(?P<symbol>.)"
    r"|(?P<math>\$\$?)"
    r"|(?P<open>\{)|(?P<close>\})"
    r"|(?P<mark>---?|``|''|~|&)"
    r"|(?P<text>[^\\%{}~&$`'\n-]+|.)",
    re.DOTALL,
)
_COMMAND = re.compile(r"\\[a-zA-Z@]+")
_MARKS = {"--": "–", "---": "—", "``": "“", "''": "”", "~": " "}
_SYMBOLS = {" ": " ", "\n": " ", ",": " ", ";": " ", ":": " ", "-": "", "/": "", "!": "", "@": ""}
_SECTIONS = {
    name: level
    for level, name in enumerate(
        ["part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph"],
        start=1,
    )
}
# Number of a command's arguments that are not text. Arguments of other commands are text.
_UNREAD_ARGUMENTS = {
    name: count
    for count, names in {
        1: """label ref pageref eqref autoref cref Cref cite citep citet nocite citeauthor citeyear
            parencite textcite vspace hspace index includegraphics input include subfile thanks
            bibliography bibliographystyle usepackage RequirePackage documentclass pagestyle
            thispagestyle color hypersetup geometry textcolor scalebox phantom vphantom
            hphantom rowcolor cellcolor pagenumbering lstset graphicspath glossary addbibresource
            theoremstyle selectlanguage fontsize cline cmidrule title author date setmainfont
            newcounter captionsetup usetikzlibrary""",
        2: """newcommand renewcommand providecommand DeclareMathOperator setlength addtolength
            setcounter addtocounter newtheorem multicolumn multirow resizebox rule raisebox
            definecolor titleformat""",
        3: "newenvironment renewenvironment addcontentsline",
    }.items()
    for name in names.split()
}
# Commands whose first argument is an address, which only those other than "href" print.
_ADDRESSES = frozenset({"href", "url", "nolinkurl", "path"})
# Commands that are read as LaTeX's own, even if a file redefines them.
_KNOWN = frozenset(
    {*_SECTIONS, *_UNREAD_ARGUMENTS, *_ADDRESSES, "begin", "end", "item", "footnote", "par"}
)
_ADDRESS = re.compile(
    rf"\\(?:{'|'.join(sorted(_ADDRESSES))})[ \t]*(?:\[[^\]\n]*\][ \t]*)?\{{[^{{}}\n]*\}}"
)
_MATH = frozenset({"equation", "align", "gather", "multline", "eqnarray", "displaymath", "math"})
_UNREAD = frozenset({"comment", "tikzpicture", "thebibliography", "filecontents", "pgfpicture"})
_TABLES = frozenset({"tabular", "tabularx", "tabulary", "longtable", "array"})
_RAISED = frozenset({"textsuperscript", "up", "fup", "textsu", "textsup"})
# A formula that only raises or lowers a run: "CO$_2$".
_SCRIPT = re.compile(r"\s*(?:\{\})?([_^])(?:\{([^{}]*)\}|(\w))\s*")
_LONGEST_FORMULA = 5_000
_DEEPEST = 20


def read(path: Path) -> Document:
    """Read a LaTeX file as one page with headings; no other file is opened, no macro run.

    Raises:
        DocumentError: It cannot be read, is too large, or is not text.
    """
    source = decode(read_bytes(path))
    if len(source) > LONGEST_PARSED:
        return plain_document(source)
    # No comment begins within an address.
    source = _ADDRESS.sub(lambda match: re.sub(r"(?<!\\)%", r"\\%", match[0]), source)
    walk = _LatexText(expanded(source, _KNOWN))
    title, author, date = (walk.preamble_field(name) for name in ("title", "author", "date"))
    page = walk.page
    if title:
        page.heading(1, title)
        page.add(author)
    walk.body()
    text, headings = page.finish()
    title = real_title(title or (headings[0].text if headings else ""))
    return Document(title, (Page(1, text, headings),), author, iso_date(date))


class _LatexText:
    """Walks through the body of a file and fills a page."""

    def __init__(self, source: str) -> None:
        self.page = PageText()
        self._source = source
        self._closing = closing_braces(source)
        self._unclosed: set[str] = set()  # environments without another end
        self._tables = 0  # number of open tables
        self._run: list[str] = []
        self._depth = 0
        self._is_item = False
        self._was_item = False

    def preamble_field(self, name: str) -> str:
        """Return the title, author or date in the preamble."""
        match = re.search(rf"\\{name}[ \t]*(?:\[[^\]]{{0,500}}\])?\s*(?=\{{)", self._source)
        if not match:
            return ""
        start, stop, _ = self._group(match.end())
        text = self.inline(start, stop)
        if name == "author":
            # Addresses follow below the names.
            text = "; ".join(part.strip().partition("\n")[0] for part in text.split(";"))
        return one_line(text)

    def body(self) -> None:
        """Read the document environment, or the whole file if there is none."""
        start = self._source.find("\\begin{document}")
        end = self._source.find("\\end{document}", start) if start >= 0 else -1
        first = start + len("\\begin{document}") if start >= 0 else 0
        self._walk(first, end if end >= 0 else len(self._source))
        self._flush()

    def inline(self, start: int, end: int) -> str:
        """Return the text of a part of the source, as one paragraph."""
        outer, self._run = self._run, []
        self._walk(start, end)
        text, self._run = "".join(self._run), outer
        return text

    def _walk(self, at: int, end: int) -> None:
        if self._depth == _DEEPEST:
            self._run.append(self._source[at:end])
            return
        self._depth += 1
        while at < end and (match := _TOKEN.match(self._source, at, end)):
            at = match.end()
            kind = match.lastgroup
            if kind == "word":
                at = self._command(match["word"], at, end)
            elif kind == "symbol":
                at = self._symbol(match["symbol"], at, end)
            elif kind == "math":
                at = self._formula(at, match["math"], end)
            elif kind == "break":
                self._break()
            elif kind == "mark":
                mark = match["mark"]
                table = " | " if self._tables else " "
                self._run.append(table if mark == "&" else _MARKS[mark])
            elif kind == "text":
                self._run.append(" " if match["text"] == "\n" else match["text"])
        self._depth -= 1

    def _command(self, name: str, at: int, end: int) -> int:
        """Read the command `name` with arguments from `at`. Return its end."""
        if name in {"begin", "end"}:
            return self._environment(at, end, begins=name == "begin")
        if name in _SECTIONS:
            start, stop, at = self._group(self._options(at))
            heading = self.inline(start, stop)
            self._break()
            self.page.heading(_SECTIONS[name] + 1, heading)
            self._was_item = False
            return at
        if name == "item":
            self._flush(is_over=False)
            self._is_item = True
            return at
        if name in {"par", "newline", "linebreak", "tabularnewline", "newpage", "clearpage"}:
            self._run.append("\n" if name in {"newline", "tabularnewline"} else "")
            if name in {"par", "newpage", "clearpage"}:
                self._break()
            return at
        if name == "footnote":
            start, stop, at = self._group(self._options(at))
            self._run.append(f" ({self.inline(start, stop).strip()})")
            return at
        if name in _ADDRESSES:
            start, stop, at = self._group(self._options(at))
            address = re.sub(r"\\([^a-zA-Z\s])", r"\1", self._source[start:stop])
            if name == "href":
                self.page.link(address)
            else:
                self._run.append(address)
            return at
        if name in _RAISED:
            start, stop, after = self._group(at)
            self._run.append(superscripts.marked(self.inline(start, stop)))
            return after
        if name in {"verb", "lstinline"} and at < end and self._source[at] != "{":
            stop = self._source.find(self._source[at], at + 1, min(end, at + _LONGEST_FORMULA))
            self._run.append(self._source[at + 1 : stop] if stop > 0 else "")
            return stop + 1 if stop > 0 else at
        if name == "def":
            brace = self._source.find("{", at, min(end, at + 100))
            return self._group(brace)[2] if brace >= 0 else at
        if _is_accent(name):
            return self._accent(name, at, end)
        printed = _sign(name)
        if printed is not None:
            self._run.append(printed)
            return at
        at = self._options(at)
        for _ in range(_UNREAD_ARGUMENTS.get(name, 0)):
            at = self._options(self._argument_end(at))
        return at

    def _symbol(self, symbol: str, at: int, end: int) -> int:
        if symbol in {"(", "["}:
            return self._formula(at, "\\)" if symbol == "(" else "\\]", end)
        if symbol == "\\":
            self._run.append("\n")
            return self._options(at)
        if _is_accent(symbol):
            return self._accent(symbol, at, end)
        self._run.append(_SYMBOLS.get(symbol, symbol))
        return at

    def _accent(self, accent: str, at: int, end: int) -> int:
        start, stop, after = self._group(at)
        if stop > start:
            self._run.append(_accented(accent, self.inline(start, stop)))
            return after
        match = _TOKEN.match(self._source, at, end)
        if match and match["word"] in {"i", "j"}:
            self._run.append(_accented(accent, match["word"]))
            return match.end()
        letter = self._source[at : at + 1]
        self._run.append(_accented(accent, letter) if letter.isalpha() else "")
        return at + letter.isalpha()

    def _formula(self, at: int, border: str, end: int) -> int:
        stop = self._source.find(border, at, min(end, at + _LONGEST_FORMULA))
        if stop < 0:
            return at
        if script := _SCRIPT.fullmatch(self._source, at, stop):
            run = _formula(script[2] or script[3])
            is_raised = script[1] == "^"
            self._run.append(superscripts.marked(run) if is_raised else run)
        else:
            self._run.append(_formula(self._source[at:stop]))
        return stop + len(border)

    def _environment(self, at: int, end: int, *, begins: bool) -> int:
        start, stop, at = self._group(at)
        name = self._source[start:stop].strip().rstrip("*")
        is_raw = name in VERBATIM or name in _MATH or name in _UNREAD
        if begins and is_raw and name not in self._unclosed:
            close = self._source.find(f"\\end{{{self._source[start:stop]}}}", at, end)
            if close >= 0:
                content = self._source[at:close]
                self._break()
                if name in VERBATIM:
                    self.page.add(re.sub(r"\A[ \t]*(?:\[[^\]]*\]|\{[^}]*\})*[ \t]*\n", "", content))
                elif name in _MATH:
                    self.page.add(_formula(content))
                return close
            self._unclosed.add(name)
        self._break()
        if name in _TABLES:
            self._tables = max(self._tables + (1 if begins else -1), 0)
            if begins:
                at = self._argument_end(self._options(at))
                at = self._argument_end(at) if name in {"tabularx", "tabulary"} else at
        return self._options(at) if begins else at

    def _group(self, at: int) -> tuple[int, int, int]:
        """Return the start and end of the text in the braces at `at`, and the end of the braces.

        Without braces, all three are `at`.
        """
        blank = self._source[at : at + 100]
        brace = at + len(blank) - len(blank.lstrip(" \t\n"))
        close = self._closing.get(brace)
        return (at, at, at) if close is None else (brace + 1, close, close + 1)

    def _argument_end(self, at: int) -> int:
        """Return the end of the argument at `at`, in braces or a single command."""
        end = self._group(at)[2]
        command = _COMMAND.match(self._source, at) if end == at else None
        return command.end() if command else end

    def _options(self, at: int) -> int:
        """Return the end of the brackets at `at`, or `at` if there are none."""
        while at < len(self._source) and self._source[at] == "[":
            close = self._source.find("]", at, at + 500)
            if close < 0:
                return at
            at = close + 1
        return at

    def _break(self) -> None:
        if self._depth == 1:
            self._flush()
        else:
            self._run.append(" ")

    def _flush(self, *, is_over: bool = True) -> None:
        """End the current paragraph. `is_over` unless an item follows directly."""
        text = re.sub(r" *\n *", "\n", re.sub(r"[ \t]+", " ", "".join(self._run))).strip(" |\n")
        self._run.clear()
        if text:
            self.page.add(text, gap=1 if self._is_item and self._was_item else 2)
            self._was_item = self._is_item
        self._is_item = self._is_item and not is_over


# Accents as combining characters, which follow their letter.
_ACCENTS = dict(
    zip("\"'`^~=.uvHckrdb", "\u0308\u0301\u0300\u0302\u0303\u0304\u0307\u0306\u030c\u030b\u0327"
        "\u0328\u030a\u0323\u0331", strict=True)
)  # fmt: skip
_SIGNS: dict[str, str] = json.loads((RESOURCES / "latex_signs.json").read_text("utf-8"))
_MATH_MARK = re.compile(
    r"\\(?:left|right|bigl?|bigr|Bigl?|Bigr|displaystyle|limits|nolimits|label\{[^{}]*\})(?![a-zA-Z])"
    r"|\\([a-zA-Z]+)|\\[,;:! ]|[&~]|\s+"
)


def _sign(name: str) -> str | None:
    r"""Return the symbol of a command without arguments; None if it is unknown.

    >>> _sign("alpha"), _sign("varOmega"), _sign("ss"), _sign("emph")
    ('α', 'Ω', 'ß', None)
    """
    if name in _SIGNS:
        return _SIGNS[name]
    letter = name.removeprefix("var")
    case = "CAPITAL" if letter[:1].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {letter}")
    except KeyError:
        return None


def _accented(accent: str, letter: str) -> str:
    r"""Return a letter with an accent.

    >>> _accented('"', "a"), _accented("c", "c"), _accented("'", "")
    ('ä', 'ç', '')
    """
    first, rest = letter[:1], letter[1:]
    return unicodedata.normalize("NFC", first + _ACCENTS[accent]) + rest if first else ""


def _is_accent(name: str) -> bool:
    """Return whether a command puts an accent on the next letter."""
    return name in _ACCENTS


def _formula(source: str) -> str:
    r"""Return a formula with symbols instead of their names.

    >>> _formula(r"\left( \alpha_{1} \leq \frac{x}{2} \right)")
    '( α_{1} ≤ \\frac{x}{2} )'
    """

    def printed(match: re.Match[str]) -> str:
        if not match[1]:
            return " " if match[0][0] in "&~" or match[0].isspace() or match[0] == "\\ " else ""
        return _sign(match[1]) or match[0]

    return " ".join(_MATH_MARK.sub(printed, source).split())


def inline_text(source: str) -> str:
    r"""Return the text of a piece of LaTeX, such as a value of BibTeX, as one line.

    >>> inline_text(r"The {Owl} of M{\"u}nchen \& its~nest")
    'The Owl of München & its nest'
    """
    if not set("\\{}$~") & set(source) and "--" not in source:
        return one_line(source)
    return one_line(_LatexText(source).inline(0, len(source)))
