from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Heading
from core.documents.text_formats import delimited


@pytest.fixture
def read(tmp_path: Path):
    def read_source(source: str | bytes, name: str = "table.csv") -> Document:
        path = tmp_path / name
        path.write_bytes(source.encode() if isinstance(source, str) else source)
        return delimited.read(path)

    return read_source


def _text(document: Document) -> str:
    (page,) = document.pages
    return page.text


def test_rows_are_lines_below_the_names_of_the_columns(read) -> None:
    (page,) = read(
        'Name,Born,Note\r\nAnn,1999,"likes ""crows"", owls\nand rooks"\r\nBob,2001,\r\n'
    ).pages
    assert page.text == 'Name | Born | Note\nAnn | 1999 | likes "crows", owls and rooks\nBob | 2001'
    assert page.headings == (Heading(0, 1, "Name | Born | Note"),)


def test_rows_of_values_alone_have_no_heading(read) -> None:
    assert read("1,2\n3,4\n").pages[0].headings == ()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(read, delimiter: str) -> None:
    rows = [["Ort", "Preis", "Text"], ["Köln", "1,50", "a. b"], ["Bonn", "2,75", "c"]]
    source = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    assert _text(read(source)) == "Ort | Preis | Text\nKöln | 1,50 | a. b\nBonn | 2,75 | c"


def test_a_file_may_say_its_delimiter_itself(read) -> None:
    assert _text(read("sep=;\r\na,b;c\r\n")) == "a,b | c"


def test_commas_in_a_tabbed_table_part_nothing(read) -> None:
    assert _text(read("a, b\tc, d\ne, f\tg, h\n", "table.tsv")) == "a, b | c, d\ne, f | g, h"


def test_old_encodings_are_read(read) -> None:
    rows = "名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n"
    assert _text(read(rows.encode("shift_jis"))) == (
        "名前 | 年齢 | 住所\n佐藤太郎 | 30 | 東京\n三木英子 | 25 | 大阪"
    )


def test_an_enormous_file_is_read_verbatim(read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "_MOST_CELLS", 3)
    assert _text(read("a,b\nc,d\n")) == "a,b\nc,d"


def test_an_unterminated_quotation_is_read_verbatim(read) -> None:
    assert _text(read('a,b\n"' + "c" * 140_000)).startswith('a,b\n"ccc')


def test_an_empty_table_has_no_text(read) -> None:
    assert _text(read("")) == ""
    assert _text(read("\n,,\n")) == ""


@given(source=st.text(alphabet=st.sampled_from(',;\t|"\n\r ab1')))
def test_any_source_keeps_the_promises_of_a_page(
    source: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("table") / "table.csv"
    path.write_bytes(source.encode())
    (page,) = delimited.read(path).pages
    assert page.text == page.text.strip()
    assert all(page.text.startswith(heading.text, heading.start) for heading in page.headings)
