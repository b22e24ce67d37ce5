"""Document trees as elements: HTML, DocBook, FictionBook, and data in XML and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

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


def html_blocks(blocks: Sequence[Block]) -> str:
    """Return the markup of blocks in a web page."""
    return "\n".join(map(_html, blocks))


def _html(block: Block) -> str:
    match block:
        case Paragraph():
            return f"<p>{' '.join(map(_html_run, block.runs))}</p>"
        case Heading():
            return f"<h{block.level}>{block.text}</h{block.level}>"
        case Code():
            return "<pre><code>" + "\n".join(block.lines) + "</code></pre>"
        case Table():
            return f"<table>{_rows(block, 'tr', 'td')}</table>"
        case Listing():
            tag = "ol" if block.is_numbered else "ul"
            items = "".join(f"<li>{html_blocks(item)}</li>" for item in block.items)
            return f"<{tag}>{items}</{tag}>"
        case Quote():
            return f"<blockquote>{html_blocks(block.blocks)}</blockquote>"


def _html_run(run: Run) -> str:
    frames = {
        Mark.STRONG: "<b>{}</b>",
        Mark.EMPHASIS: "<em>{}</em>",
        Mark.LITERAL: "<code>{}</code>",
        Mark.LINK: '<a href="x.html">{}</a>',
        Mark.NOTE: '<aside role="note">{}</aside>',
    }
    return frames.get(run.mark, "{}").format(run.text)


def _rows(table: Table, row: str, cell: str) -> str:
    rows = ("".join(f"<{cell}>{text}</{cell}>" for text in cells) for cells in table.rows)
    return "".join(f"<{row}>{cells}</{row}>" for cells in rows)


def html(tree: Tree) -> bytes:
    return f"<!doctype html><meta charset=utf-8>{html_blocks(tree.blocks)}".encode()


def docbook(tree: Tree) -> bytes:
    def block(one: Block) -> str:
        match one:
            case Paragraph():
                return f"<para>{' '.join(map(_docbook_run, one.runs))}</para>"
            case Heading():
                return f"<bridgehead>{one.text}</bridgehead>"
            case Code():
                return "<programlisting>" + "\n".join(one.lines) + "</programlisting>"
            case Table():
                columns = len(one.rows[0])
                body = f"<tbody>{_rows(one, 'row', 'entry')}</tbody>"
                return f'<informaltable><tgroup cols="{columns}">{body}</tgroup></informaltable>'
            case Listing():
                tag = "orderedlist" if one.is_numbered else "itemizedlist"
                items = (f"<listitem>{''.join(map(block, item))}</listitem>" for item in one.items)
                return f"<{tag}>{''.join(items)}</{tag}>"
            case Quote():
                return f"<blockquote>{''.join(map(block, one.blocks))}</blockquote>"

    return f"<?xml version='1.0'?><article>{''.join(map(block, tree.blocks))}</article>".encode()


def _docbook_run(run: Run) -> str:
    frames = {
        Mark.STRONG: '<emphasis role="bold">{}</emphasis>',
        Mark.EMPHASIS: "<emphasis>{}</emphasis>",
        Mark.LITERAL: "<literal>{}</literal>",
        Mark.LINK: '<link linkend="x">{}</link>',
        Mark.NOTE: "<footnote><para>{}</para></footnote>",
    }
    return frames.get(run.mark, "{}").format(run.text)


_FICTION = 'xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"'


def fiction_book(tree: Tree) -> bytes:
    notes: list[str] = []

    def run(one: Run) -> str:
        if one.mark is Mark.NOTE:
            notes.append(f'<section id="n{len(notes)}"><p>{one.text}</p></section>')
            return f'<a type="note" href="#n{len(notes) - 1}">[{len(notes)}]</a>'
        frames = {
            Mark.STRONG: "<strong>{}</strong>",
            Mark.EMPHASIS: "<emphasis>{}</emphasis>",
            Mark.LITERAL: "<code>{}</code>",
            Mark.LINK: '<a href="x.html">{}</a>',
        }
        return frames.get(one.mark, "{}").format(one.text)

    def block(one: Block) -> str:
        match one:
            case Paragraph():
                return f"<p>{' '.join(map(run, one.runs))}</p>"
            case Heading():
                return f"<subtitle>{one.text}</subtitle>"
            case Code():
                return "".join(f"<p><code>{line}</code></p>" for line in one.lines)
            case Table():
                return f"<table>{_rows(one, 'tr', 'td')}</table>"
            case Listing():
                return "".join(f"<cite>{''.join(map(block, item))}</cite>" for item in one.items)
            case Quote():
                return f"<section>{''.join(map(block, one.blocks))}</section>"

    body = f"<body><section>{''.join(map(block, tree.blocks))}</section></body>"
    body += f'<body name="notes">{"".join(notes)}</body>' if notes else ""
    return f"<?xml version='1.0'?><FictionBook {_FICTION}>{body}</FictionBook>".encode()


def data(tree: Tree) -> list[object]:
    """Return a tree as values of names."""
    return list(map(_value, tree.blocks))


def _value(block: Block) -> object:
    match block:
        case Paragraph():
            return {run.mark.value: run.text for run in _unlike(block.runs)}
        case Heading():
            return {"level": block.level, "title": block.text}
        case Code():
            return list(block.lines)
        case Table():
            return [list(row) for row in block.rows]
        case Listing():
            return {"items": [list(map(_value, item)) for item in block.items]}
        case Quote():
            return {"quote": list(map(_value, block.blocks))}


def _unlike(runs: Sequence[Run]) -> list[Run]:
    """Join runs with the same mark, since a name occurs once."""
    by_mark: dict[Mark, list[str]] = {}
    for run in runs:
        by_mark.setdefault(run.mark, []).append(run.text)
    return [Run(mark, " ".join(texts)) for mark, texts in by_mark.items()]


def as_json(tree: Tree) -> bytes:
    return json.dumps({"blocks": data(tree)}, ensure_ascii=False).encode()


def json_lines(tree: Tree) -> bytes:
    lines = (json.dumps({"block": value}, ensure_ascii=False) for value in data(tree))
    return "\n".join(lines).encode()


def xml_data(tree: Tree) -> bytes:
    def element(name: str, value: object) -> str:
        if isinstance(value, Mapping):
            within = "".join(element(key, item) for key, item in value.items())
        elif isinstance(value, list):
            within = "".join(element("entry", item) for item in value)
        else:
            within = str(value)
        return f"<{name}>{within}</{name}>"

    return f"<?xml version='1.0'?>{element('records', data(tree))}".encode()


def notebook(tree: Tree) -> bytes:
    """Return a notebook with a cell for each block: notes, and code with its output."""
    from tests.core.documents.trees import markup

    cells: list[dict[str, object]] = []
    for block in tree.blocks:
        if isinstance(block, Code):
            printed = {"output_type": "stream", "name": "stdout", "text": block.lines[-1]}
            source = "\n".join(block.lines[:-1])
            cells.append({"cell_type": "code", "source": source, "outputs": [printed]})
        else:
            source = markup.markdown(Tree((block,), ())).decode()
            cells.append({"cell_type": "markdown", "source": source.splitlines(keepends=True)})
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book).encode()
