"""OpenDocument texts, presentations and spreadsheets (.odt, .odp, .ods, and flat ones)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from core.documents.document import Document, Page
from core.documents.office.kinds import by_content
from core.documents.office.odf import (
    DRAW,
    OFFICE,
    PRESENTATION,
    STYLE,
    TABLE,
    TEXT,
    OpenDocument,
    open_odf,
)
from core.documents.office.odf_text import Body, cells_of, paragraph_text
from core.documents.office.sheets import add_rows
from core.documents.text import PageText

_TITLE = "Title"
_FURNITURE = ("header", "header-first", "header-left", "footer", "footer-first", "footer-left")
_SHEET_PARTS: Final = (f"{TABLE}table-row", f"{TABLE}shapes")
# Places on a slide for what is read otherwise: first, once for all slides, or not at all.
_UNWRITTEN: Final = frozenset(
    {"title", "header", "footer", "date-time", "page-number", "page", "handout"}
)


@by_content
def read(path: Path) -> Document:
    """Read a text as one page, a presentation slide by slide, a spreadsheet sheet by sheet.

    Footnotes, annotations, headers and footers come after a text; each header and footer once. A
    slide's title comes first, its notes and annotations last.

    Raises:
        DocumentError: It is damaged, needs a password, is no OpenDocument file, or unpacks to too
            much.
    """
    with open_odf(path) as odf:
        title = ""
        if odf.is_spreadsheet:
            pages = list(_sheets(odf.stream(*_SHEET_PARTS)))
        else:
            content = odf.content()
            if content.tag == f"{OFFICE}spreadsheet":
                pages = list(_sheets(content.iter(*_SHEET_PARTS)))
            elif content.tag in (f"{OFFICE}presentation", f"{OFFICE}drawing"):
                pages = list(_slides(odf, content))
                title = next((h.text for page in pages for h in page.headings), "")
            else:
                title, page = _text(odf, content)
                pages = [page]
        if pages and odf.losses.unread:
            # What is cut off is missing at the end.
            pages[-1] = replace(pages[-1], unread=odf.losses.unread)
        odf.losses.check(pages)
        said = odf.properties()
    return Document(said.title or title, tuple(pages), said.author, said.date)


def _text(odf: OpenDocument, content: Any) -> tuple[str, Page]:
    """Return a text's title and its only page."""
    styles = odf.styles()
    page = PageText()
    body = Body(page, _title_styles(styles), odf.embedded)
    body.blocks(content)
    body.finish()
    for text in dict.fromkeys(_furniture(styles)):
        page.add(text)
    text, headings = page.finish()
    title = body.title or next((h.text for h in headings if h.level == 1), "")
    return title, Page(1, text, headings)


def _title_styles(roots: Iterable[Any]) -> frozenset[str]:
    """Return the names of the style for titles and of those that are made of it."""
    parents = {
        style.get(f"{STYLE}name"): style.get(f"{STYLE}parent-style-name")
        for root in roots
        for style in root.iter(f"{STYLE}style")
    }
    # Writers make a style of a paragraph's own from one with a name, never from another own one.
    return frozenset({_TITLE, *(name for name, parent in parents.items() if parent == _TITLE)})


def _furniture(roots: Iterable[Any]) -> Iterator[str]:
    """Give the text of each header and footer."""
    for kind in _FURNITURE:
        for root in roots:
            for element in root.iter(f"{STYLE}{kind}"):
                page = PageText()
                Body(page).blocks(element)
                yield page.finish()[0]


def _slides(odf: OpenDocument, content: Any) -> Iterator[Page]:
    """Give a page for each slide; what stands on the heads and feet of many comes once."""
    declared = {
        element.get(f"{PRESENTATION}name"): " ".join("".join(element.itertext()).split())
        for kind in ("header-decl", "footer-decl")
        for element in content.iterchildren(f"{PRESENTATION}{kind}")
    }
    for number, slide in enumerate(content.iterchildren(f"{DRAW}page"), 1):
        page = PageText()
        _add_slide(page, Body(page, embedded=odf.embedded), slide)
        for kind in ("header", "footer"):
            page.add(declared.pop(slide.get(f"{PRESENTATION}use-{kind}-name"), ""))
        text, headings = page.finish()
        yield Page(number, text, headings)


def _add_slide(page: PageText, body: Body, slide: Any) -> None:
    for shape in slide:
        if _place(shape) == "title":
            paragraphs = shape.iter(f"{TEXT}p", f"{TEXT}h")
            page.heading(1, " ".join(paragraph_text(paragraph, []) for paragraph in paragraphs))
    for shape in slide:
        if _place(shape) not in _UNWRITTEN and shape.tag != f"{PRESENTATION}notes":
            body.block(shape)
    for notes in slide.iterchildren(f"{PRESENTATION}notes"):
        for shape in notes:
            if _place(shape) == "notes":
                body.block(shape)
    body.finish()


def _place(shape: Any) -> str:
    """Return what a shape on a slide is for; "" for one without a place in the layout."""
    return shape.get(f"{PRESENTATION}class") or ""


def _sheets(parts: Iterable[Any]) -> Iterator[Page]:
    """Give a page for each sheet; `parts` are the rows and the drawings of all."""
    for number, (sheet, of_sheet) in enumerate(groupby(parts, _sheet_of), 1):
        page = PageText()
        beside = PageText()
        add_rows(page, sheet.get(f"{TABLE}name") or "", _rows(of_sheet, Body(beside)))
        page.add(beside.finish()[0])
        yield page.page(number)


def _sheet_of(part: Any) -> Any:
    """Return the table that is the sheet, and none of those within its cells."""
    return next(reversed(list(part.iterancestors(f"{TABLE}table"))), part)


def _rows(parts: Iterable[Any], rest: Body) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Give the rows among a sheet's parts, counted; what is not in cells goes to `rest`."""
    number = 1
    for part in parts:
        beside: list[Any] = []
        if part.tag == f"{TABLE}table-row":
            yield number, list(cells_of(part, beside))
            repeats = part.get(f"{TABLE}number-rows-repeated") or ""
            number += int(repeats) if repeats.isdecimal() and len(repeats) < 8 else 1
        else:
            beside.append(part)
        for other in beside:
            rest.block(other)
    rest.finish()
