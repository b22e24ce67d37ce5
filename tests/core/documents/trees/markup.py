"""Document trees as source text: Markdown, reStructuredText, Org, AsciiDoc and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.core.documents.trees.document_tree import (
    Block,
    Code,
    Heading,
    Listing,
    Mark,
    Paragraph,
    Quote,
    Run,
    Table,
    Tree,
)


def markdown(tree: Tree) -> bytes:
    notes: list[str] = []

    def run(one: Run) -> str:
        if one.mark is Mark.NOTE:
            notes.append(f"[^n{len(notes)}]: {one.text} .")
            return f"[^n{len(notes) - 1}]"
        frames = {Mark.STRONG: "**{}**", Mark.EMPHASIS: "*{}*", Mark.LITERAL: "`{}`"}
        return {**frames, Mark.LINK: "[{}](x.html)"}.get(one.mark, "{}").format(one.text)

    def block(one: Block) -> list[str]:
        match one:
            case Paragraph():
                return [" ".join(map(run, one.runs))]
            case Heading():
                return [f"{'#' * one.level} {one.text}"]
            case Code():
                return ["```", *one.lines, "```"]
            case Table():
                head, *rows = [f"| {' | '.join(row)} |" for row in one.rows]
                return [head, "|" + "---|" * len(one.rows[0]), *rows]
            case Listing():
                mark = "1. " if one.is_numbered else "- "
                items = [_indented(_spaced(item, block), mark) for item in one.items]
                return [line for item in items for line in item]
            case Quote():
                return [f"> {line}" for line in _spaced(one.blocks, block)]

    lines = _spaced(tree.blocks, block)
    return "\n".join([*lines, "", *notes, ""]).encode()


def rst(tree: Tree) -> bytes:
    notes: list[str] = []

    def run(one: Run) -> str:
        if one.mark is Mark.NOTE:
            notes.append(f".. [#n{len(notes)}] {one.text}")
            return f"[#n{len(notes) - 1}]_"
        frames = {Mark.STRONG: "**{}**", Mark.EMPHASIS: "*{}*", Mark.LITERAL: "``{}``"}
        return {**frames, Mark.LINK: "`{} <x.html>`__"}.get(one.mark, "{}").format(one.text)

    def block(one: Block) -> list[str]:
        match one:
            case Paragraph():
                return [" ".join(map(run, one.runs))]
            case Heading():
                return [one.text, "=-~"[one.level - 1] * len(one.text)]
            case Code():
                return ["::", "", *(f"   {line}" for line in one.lines)]
            case Table():
                return _grid(one)
            case Listing():
                mark = "#. " if one.is_numbered else "- "
                items = [_indented([*_spaced(item, block), ""], mark) for item in one.items]
                return [line for item in items for line in item]
            case Quote():
                return ["..", "", *(f"   {line}" for line in _spaced(one.blocks, block))]

    lines = _spaced(tree.blocks, block)
    return "\n".join([*lines, "", *notes, ""]).encode()


def _grid(table: Table) -> list[str]:
    """Return a grid table."""
    widths = [max(map(len, column)) for column in zip(*table.rows, strict=True)]
    rule = "+" + "".join("-" * (width + 2) + "+" for width in widths)
    lines = [rule]
    for row in table.rows:
        cells = (f" {cell.ljust(width)} |" for cell, width in zip(row, widths, strict=True))
        lines += ["|" + "".join(cells), rule]
    return lines


def org(tree: Tree) -> bytes:
    notes: list[str] = []

    def run(one: Run) -> str:
        if one.mark is Mark.NOTE:
            notes.append(f"[fn:{len(notes)}] {one.text}")
            return f"[fn:{len(notes) - 1}]"
        frames = {Mark.STRONG: "*{}*", Mark.EMPHASIS: "/{}/", Mark.LITERAL: "~{}~"}
        return {**frames, Mark.LINK: "[[file:x.html][{}]]"}.get(one.mark, "{}").format(one.text)

    def block(one: Block) -> list[str]:
        match one:
            case Paragraph():
                return [" ".join(map(run, one.runs))]
            case Heading():
                return [f"{'*' * one.level} {one.text}"]
            case Code():
                return ["#+BEGIN_SRC sh", *one.lines, "#+END_SRC"]
            case Table():
                head, *rows = [f"| {' | '.join(row)} |" for row in one.rows]
                return [head, "|" + "+".join(["---"] * len(one.rows[0])) + "|", *rows]
            case Listing():
                mark = "1. " if one.is_numbered else "- "
                items = [_indented(_spaced(item, block), mark) for item in one.items]
                return [line for item in items for line in item]
            case Quote():
                return ["#+BEGIN_QUOTE", *_spaced(one.blocks, block), "#+END_QUOTE"]

    lines = _spaced(tree.blocks, block)
    return "\n".join([*lines, "", *notes, ""]).encode()


def asciidoc(tree: Tree) -> bytes:
    def run(one: Run) -> str:
        frames = {
            Mark.STRONG: "*{}*",
            Mark.EMPHASIS: "_{}_",
            Mark.LITERAL: "`{}`",
            Mark.LINK: "link:x.html[{}]",
            Mark.NOTE: "footnote:[{}]",
        }
        return frames.get(one.mark, "{}").format(one.text)

    def block(one: Block, depth: int) -> list[str]:
        match one:
            case Paragraph():
                return [" ".join(map(run, one.runs))]
            case Heading():
                return [f"{'=' * (one.level + 1)} {one.text}"]
            case Code():
                return ["----", *one.lines, "----"]
            case Table():
                return ["|===", *("|" + " |".join(row) for row in one.rows), "|==="]
            case Listing():
                mark = ("." if one.is_numbered else "*") * (depth + 1)
                lines: list[str] = []
                for first, *rest in one.items:
                    lines += [f"{mark} {block(first, depth)[0]}"]
                    for inner in rest:
                        # A list continues its item, other blocks are joined to it.
                        lines += [] if isinstance(inner, Listing) else ["+"]
                        lines += block(inner, depth + 1)
                return lines
            case Quote():
                # A delimiter of another length for each level.
                rule = "_" * (4 + depth)
                within = _spaced(one.blocks, lambda inner: block(inner, depth + 1))
                return [rule, *within, rule]

    return "\n".join([*_spaced(tree.blocks, lambda one: block(one, 0)), ""]).encode()


def latex(tree: Tree) -> bytes:
    def run(one: Run) -> str:
        frames = {
            Mark.STRONG: r"\textbf{%s}",
            Mark.EMPHASIS: r"\emph{%s}",
            Mark.LITERAL: r"\texttt{%s}",
            Mark.LINK: r"\href{https://x.y}{%s}",
            Mark.NOTE: r"\footnote{%s}",
        }
        return frames.get(one.mark, "%s") % one.text

    def block(one: Block) -> list[str]:
        match one:
            case Paragraph():
                return [" ".join(map(run, one.runs))]
            case Heading():
                return [rf"\{'sub' * (one.level - 1)}section{{{one.text}}}"]
            case Code():
                return [r"\begin{verbatim}", *one.lines, r"\end{verbatim}"]
            case Table():
                rows = [" & ".join(row) + r" \\" for row in one.rows]
                columns = "l" * len(one.rows[0])
                return [rf"\begin{{tabular}}{{{columns}}}", *rows, r"\end{tabular}"]
            case Listing():
                name = "enumerate" if one.is_numbered else "itemize"
                items = [_indented(_spaced(item, block), r"\item ") for item in one.items]
                within = [line for item in items for line in item]
                return [rf"\begin{{{name}}}", *within, rf"\end{{{name}}}"]
            case Quote():
                return [r"\begin{quote}", *_spaced(one.blocks, block), r"\end{quote}"]

    body = "\n".join(_spaced(tree.blocks, block))
    return f"\\documentclass{{article}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n".encode()


def _spaced(blocks: Sequence[Block], block: Callable[[Block], list[str]]) -> list[str]:
    """Return the lines of blocks, with an empty line between them."""
    lines: list[str] = []
    for one in blocks:
        lines += ["", *block(one)] if lines else block(one)
    return lines


def _indented(lines: Sequence[str], mark: str) -> list[str]:
    """Return the lines of an item: the first after its mark, the others below that."""
    first, *rest = lines
    return [mark + first, *(" " * len(mark) + line if line else "" for line in rest)]
