from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from core.documents.office import hwpx
from core.errors import DocumentError

NAMESPACES = (
    'xmlns:hs="http://www.hancom.co.kr/hwpml/2011/section"'
    ' xmlns:hp="http://www.hancom.co.kr/hwpml/2011/paragraph"'
)


def paragraph(text: str, more: str = "") -> str:
    return f"<hp:p><hp:run>{more}<hp:t>{text}</hp:t></hp:run></hp:p>"


def written(tmp_path: Path, *sections: str) -> Path:
    path = tmp_path / "report.hwpx"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/hwp+zip")
        for index, section in enumerate(sections):
            content = f"<hs:sec {NAMESPACES}>{section}</hs:sec>" if section else "<broken"
            package.writestr(f"Contents/section{index}.xml", content)
    return path


@pytest.mark.parametrize(
    ("sections", "text"),
    [
        ([paragraph("까마귀") + paragraph("왜가리")], "까마귀\n\n왜가리"),
        ([paragraph("one")] * 12, "\n\n".join(["one"] * 12)),
        ([paragraph("a<hp:lineBreak/>b<hp:tab/>c")], "a\nb\tc"),
        (
            [paragraph("Table:", f"<hp:tbl><hp:tc>{paragraph('cell')}</hp:tc></hp:tbl>")],
            "Table:\n\ncell",
        ),
    ],
)
def test_paragraphs_are_read_in_order(tmp_path: Path, sections: list[str], text: str) -> None:
    assert hwpx.read(written(tmp_path, *sections)).pages[0].text == text


def test_a_damaged_section_is_reported(tmp_path: Path) -> None:
    page = hwpx.read(written(tmp_path, paragraph("Crow"), "")).pages[0]
    assert page.text == "Crow"
    assert page.unread


def test_another_package_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="Not a Hangul document"):
        hwpx.read(written(tmp_path))
