"""Document trees as files of office programs: packages of XML parts, and RTF."""

from __future__ import annotations

import io
from collections.abc import Sequence

import docx
import pptx
import xlsxwriter
from docx.oxml import parse_xml
from pptx.util import Inches

from tests.core.documents.mutations import packed
from tests.core.documents.trees.document_tree import (
    Block,
    Code,
    Heading,
    Listing,
    Mark,
    Paragraph,
    Quote,
    Table,
    Tree,
    lines_of,
)
from tests.core.documents.trees.elements import html_blocks

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def word(tree: Tree) -> bytes:
    """Return a document: lists and quotations are content controls, tables are in cells."""
    document = docx.Document()
    body = document.element.body
    for block in tree.blocks:
        body.insert(len(body) - 1, parse_xml(_word(block).replace(">", f" {_W}>", 1)))
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def _word_text(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text} </w:t></w:r>'


def _word(block: Block) -> str:
    match block:
        case Paragraph():
            link = '<w:hyperlink w:anchor="x">{}</w:hyperlink>'
            runs = (
                link.format(_word_text(run.text)) if run.mark is Mark.LINK else _word_text(run.text)
                for run in block.runs
            )
            return f"<w:p>{''.join(runs)}</w:p>"
        case Heading():
            style = f'<w:pPr><w:pStyle w:val="Heading{block.level}"/></w:pPr>'
            return f"<w:p>{style}{_word_text(block.text)}</w:p>"
        case Code():
            return f"<w:p>{'<w:r><w:br/></w:r>'.join(map(_word_text, block.lines))}</w:p>"
        case Table():
            rows = (
                "".join(_cell(f"<w:p>{_word_text(c)}</w:p>") for c in row) for row in block.rows
            )
            return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
        case Listing():
            within = "".join(_word(inner) for item in block.items for inner in item)
            return f"<w:sdt><w:sdtContent>{within}</w:sdtContent></w:sdt>"
        case Quote():
            within = "".join(map(_word, block.blocks))
            return f"<w:tbl><w:tr>{_cell(f'{within}<w:p/>')}</w:tr></w:tbl>"


def _cell(content: str) -> str:
    return f"<w:tc>{content}</w:tc>"


def slides(tree: Tree) -> bytes:
    """Return slides: blocks in text boxes in groups, tables, and notes."""
    talk = pptx.Presentation()
    for block in tree.blocks:
        slide = talk.slides.add_slide(talk.slide_layouts[5])
        if isinstance(block, Table):
            table = slide.shapes.add_table(
                len(block.rows), len(block.rows[0]), *[Inches(1)] * 4
            ).table
            for y, row in enumerate(block.rows):
                for x, text in enumerate(row):
                    table.cell(y, x).text = text
        elif isinstance(block, Heading):
            slide.shapes.title.text = block.text
        elif isinstance(block, Code):
            slide.notes_slide.notes_text_frame.text = "\n".join(block.lines)
        else:
            shapes = slide.shapes
            for line in lines_of([block]):
                # A group in the group before, with a box of its own.
                shapes = shapes.add_group_shape().shapes
                shapes.add_textbox(*[Inches(1)] * 4).text_frame.text = line
    written = io.BytesIO()
    talk.save(written)
    return written.getvalue()


def workbook(tree: Tree) -> bytes:
    """Return a workbook: a sheet for each block, with a comment for code."""
    written = io.BytesIO()
    with xlsxwriter.Workbook(written) as book:
        for block in tree.blocks:
            sheet = book.add_worksheet(block.text if isinstance(block, Heading) else None)
            if isinstance(block, Table):
                for y, row in enumerate(block.rows):
                    for x, text in enumerate(row):
                        sheet.write_string(2 * y, 3 * x, text)
            elif isinstance(block, Code):
                sheet.write_comment(0, 0, "\n".join(block.lines))
            elif not isinstance(block, Heading):
                for y, line in enumerate(lines_of([block])):
                    sheet.write_string(y, y % 5, line)
    return written.getvalue()


_ODF = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        *(("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing")),
        ("presentation", "presentation"),
    )
)
_ODF += ' xmlns:xlink="http://www.w3.org/1999/xlink"'


def _odf(kind: str, body: str) -> bytes:
    content = f"<office:body>{body}</office:body>"
    return packed(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"<?xml version='1.0'?><office:document-content {_ODF}>{content}"
            "</office:document-content>",
        }
    )


def odt(tree: Tree) -> bytes:
    return _odf("text", f"<office:text>{''.join(map(_odf_block, tree.blocks))}</office:text>")


def _odf_block(block: Block) -> str:
    match block:
        case Paragraph():
            frames = {
                Mark.PLAIN: "{}",
                Mark.LINK: '<text:a xlink:href="x">{}</text:a>',
                Mark.NOTE: "<text:note><text:note-citation>1</text:note-citation><text:note-body>"
                "<text:p>{}</text:p></text:note-body></text:note>",
            }
            span = "<text:span>{}</text:span>"
            runs = (frames.get(run.mark, span).format(run.text) for run in block.runs)
            return f"<text:p>{' '.join(runs)}</text:p>"
        case Heading():
            return f'<text:h text:outline-level="{block.level}">{block.text}</text:h>'
        case Code():
            return f"<text:p>{'<text:line-break/>'.join(block.lines)}</text:p>"
        case Table():
            return f"<table:table>{_odf_rows(block)}</table:table>"
        case Listing():
            items = ("".join(map(_odf_block, item)) for item in block.items)
            within = "".join(f"<text:list-item>{item}</text:list-item>" for item in items)
            return f"<text:list>{within}</text:list>"
        case Quote():
            # As a frame, a section or a table in a cell would be.
            within = "".join(map(_odf_block, block.blocks))
            return (
                "<table:table><table:table-row><table:table-cell><text:section>"
                f"{within}</text:section></table:table-cell></table:table-row></table:table>"
            )


def _odf_rows(table: Table) -> str:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    rows = ("".join(cell.format(text) for text in row) for row in table.rows)
    return "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)


def odp(tree: Tree) -> bytes:
    """Return slides with text boxes in groups, and notes."""
    pages = []
    for block in tree.blocks:
        if isinstance(block, Code):
            notes = f"<draw:frame><draw:text-box>{_odf_block(block)}</draw:text-box></draw:frame>"
            pages.append(f"<presentation:notes>{notes}</presentation:notes>")
        elif isinstance(block, Table):
            pages.append(f"<draw:frame>{_odf_block(block)}</draw:frame>")
        else:
            lines = [
                f"<draw:frame><draw:text-box><text:p>{line}</text:p></draw:text-box></draw:frame>"
                for line in lines_of([block])
            ]
            pages.append("".join(f"<draw:g>{line}" for line in lines) + "</draw:g>" * len(lines))
    body = "".join(f"<draw:page>{page}</draw:page>" for page in pages)
    return _odf("presentation", f"<office:presentation>{body}</office:presentation>")


def ods(tree: Tree) -> bytes:
    tables = []
    for number, block in enumerate(tree.blocks):
        table = block if isinstance(block, Table) else Table(tuple((t,) for t in lines_of([block])))
        tables.append(f'<table:table table:name="s{number}">{_odf_rows(table)}</table:table>')
    body = f"<office:spreadsheet>{''.join(tables)}</office:spreadsheet>"
    return _odf("spreadsheet", body)


def rtf(tree: Tree) -> bytes:
    body = "".join(map(_rtf, tree.blocks))
    return rf"{{\rtf1\ansi\ansicpg1252 {body}}}".encode("ascii")


def _rtf(block: Block) -> str:
    match block:
        case Paragraph():
            frames = {
                Mark.STRONG: r"{\b %s}",
                Mark.EMPHASIS: r"{\i %s}",
                Mark.LITERAL: r"{\f1 %s}",
                Mark.NOTE: r"{\footnote\pard %s}",
                Mark.LINK: r'{\field{\*\fldinst HYPERLINK "x"}{\fldrslt %s}}',
            }
            runs = (frames.get(run.mark, "%s") % _escaped(run.text) for run in block.runs)
            return "\\pard " + " ".join(runs) + "\\par\n"
        case Heading():
            return f"\\pard\\outlinelevel{block.level - 1} {_escaped(block.text)}\\par\n"
        case Code():
            return "\\pard " + "\\line ".join(map(_escaped, block.lines)) + "\\par\n"
        case Table():
            rows = ("\\cell ".join(map(_escaped, row)) for row in block.rows)
            return "".join(f"\\trowd\\intbl {row}\\cell\\row\n" for row in rows) + "\\pard "
        case Listing():
            items = "".join(_rtf(inner) for item in block.items for inner in item)
            return "{\\ls1\\ilvl0 {\\listtext\\'b7\\tab}" + items + "}"
        case Quote():
            return "{\\li720 " + "".join(map(_rtf, block.blocks)) + "}"


def _escaped(text: str) -> str:
    return "".join(c if c.isascii() else rf"\u{ord(c)}?" for c in text)


def e_book(tree: Tree) -> bytes:
    """Return an e-book with a chapter for each half of the blocks."""
    half = len(tree.blocks) // 2
    chapters = [chapter for chapter in (tree.blocks[:half], tree.blocks[half:]) if chapter]
    names = [f"c{number}.xhtml" for number in range(len(chapters))]
    listed = "".join(
        f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in names
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in names)
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:'
            'container"><rootfiles><rootfile full-path="c.opf"/></rootfiles></container>',
            "c.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata/>'
            f"<manifest>{listed}</manifest><spine>{spine}</spine></package>",
            **{name: _chapter(chapter) for name, chapter in zip(names, chapters, strict=True)},
        }
    )


def _chapter(blocks: Sequence[Block]) -> str:
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{html_blocks(blocks)}</body></html>'
