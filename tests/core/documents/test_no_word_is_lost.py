"""Each word of a document is in its text, or the document is reported as incomplete.

The documents are generated trees of blocks, written in each format. Silent loss is the worst fault
of a search program: nobody looks for a text that is not found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from core.documents.damage import gaps_of
from core.documents.document import Document
from core.documents.formats import format_of, load_function
from core.errors import DocumentError
from tests.core.documents.passes import go_through
from tests.core.documents.trees import elements, holders, lines, markup, office_files
from tests.core.documents.trees.document_tree import Tree, trees

# The name of a file of each format, and the function that writes a tree in it.
WRITERS: dict[str, Callable[[Tree], bytes]] = {
    "a.html": elements.html,
    "a.md": markup.markdown,
    "a.rst": markup.rst,
    "a.org": markup.org,
    "a.adoc": markup.asciidoc,
    "a.tex": markup.latex,
    "a.dbk": elements.docbook,
    "a.xml": elements.xml_data,
    "a.json": elements.as_json,
    "a.jsonl": elements.json_lines,
    "a.ipynb": elements.notebook,
    "a.eml": holders.mail,
    "page.eml": holders.web_mail,
    "a.ics": lines.calendar,
    "a.vcf": lines.contacts,
    "a.docx": office_files.word,
    "a.pptx": office_files.slides,
    "a.xlsx": office_files.workbook,
    "a.odt": office_files.odt,
    "a.odp": office_files.odp,
    "a.ods": office_files.ods,
    "a.rtf": office_files.rtf,
    "a.epub": office_files.e_book,
    "a.fb2": elements.fiction_book,
    "a.csv": lines.comma_separated,
    "a.srt": lines.subtitles,
    "a.vtt": lines.web_subtitles,
    "a.txt": lines.plain,
    "line.txt": lines.one_line,
    "a.zip": holders.archive,
}


def _text(document: Document) -> str:
    return "\n".join([document.title, document.author, *(page.text for page in document.pages)])


def contents(path: Path, scratch: Path) -> tuple[str, list[str]]:
    """Return the text of a file and of its members, and what is reported as not read."""
    texts: list[str] = []
    reasons: list[str] = []
    for file in (path, *_members(path, scratch, reasons)):
        kind = format_of(file)
        assert kind is not None
        if not kind.reader:
            continue
        try:
            document = load_function(kind.reader)(file)
        except DocumentError as error:
            reasons.append(error.message)
        else:
            texts.append(_text(document))
            reasons.append(gaps_of(document))
    return "\n".join(texts), [reason for reason in reasons if reason]


def _members(path: Path, scratch: Path, reasons: list[str]) -> Iterator[Path]:
    """Yield a file with the content of each member; add the reasons of those that lack one."""
    kind = format_of(path)
    if kind is None or not kind.members:
        return
    noted = go_through(path, load_function(kind.members), scratch)
    reasons += noted.refused.values()
    reasons += noted.closed.values()
    for number, (place, content) in enumerate(noted.contents.items()):
        file = scratch / f"{number}{Path(place[-1]).suffix}"
        file.write_bytes(content)
        yield file


@pytest.mark.parametrize("name", WRITERS)
@given(tree=trees())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_each_word_is_read_or_the_document_is_incomplete(
    tmp_path: Path, name: str, tree: Tree
) -> None:
    path = tmp_path / name
    path.write_bytes(WRITERS[name](tree))
    text, reasons = contents(path, tmp_path)
    lost = [word for word in tree.words if word not in text]
    assert not lost or reasons
