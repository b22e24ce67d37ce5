"""The text of XFA forms, whose pages only say "Please wait" in programs without XFA.

Source: XML Forms Architecture 3.3, chapters 2 (template) and 4 (data).
"""

import ctypes
from collections.abc import Iterator
from typing import Any, Final

from core.documents.office.packages import parse_xml
from core.documents.text import PageText, one_line
from core.errors import DocumentError

_MOST_PACKETS: Final = 100


def text_of(pdf: Any) -> str:
    """Return the captions, texts and values of an XFA form, each once; "" if there is none."""
    lines: dict[str, None] = {}
    for name, content in _packets(pdf):
        if name in {"template", "datasets"}:
            try:
                root = parse_xml(content, "a form")
            except DocumentError:
                continue
            texts = _captions(root) if name == "template" else _values(root)
            lines |= dict.fromkeys(map(one_line, texts))
    page = PageText()
    page.lines(lines)
    return page.finish()[0]


def _packets(pdf: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the parts of the form."""
    import pypdfium2.raw as pdfium

    for index in range(min(pdfium.FPDF_GetXFAPacketCount(pdf), _MOST_PACKETS)):
        size = pdfium.FPDF_GetXFAPacketName(pdf, index, None, 0)
        name = ctypes.create_string_buffer(max(size, 1))
        pdfium.FPDF_GetXFAPacketName(pdf, index, name, size)
        needed = ctypes.c_ulong()
        if not pdfium.FPDF_GetXFAPacketContent(pdf, index, None, 0, needed) or not needed.value:
            continue
        content = ctypes.create_string_buffer(needed.value)
        if pdfium.FPDF_GetXFAPacketContent(pdf, index, content, needed.value, needed):
            yield name.value.decode("utf-8", "replace"), content.raw


def _captions(template: Any) -> Iterator[str]:
    for element in template.iter("{*}text", "{*}exData"):
        yield " ".join(element.itertext())


def _values(datasets: Any) -> Iterator[str]:
    for data in datasets.iterchildren("{*}data"):
        for element in data.iter("{*}*"):
            if not len(element):
                yield element.text or ""
