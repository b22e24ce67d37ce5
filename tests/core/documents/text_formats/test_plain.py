from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.decoding import decode
from core.documents.text_formats import plain
from core.errors import DocumentError

_GERMAN = "Der Müller fährt über die Brücke, und größer wird der Ärger.\n"


def _read(tmp_path: Path, data: bytes) -> str:
    path = tmp_path / "note.txt"
    path.write_bytes(data)
    (page,) = plain.read(path).pages
    assert page.number == 1
    return page.text


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252"],
)
def test_text_reads_in_every_usual_encoding(tmp_path: Path, encoding: str) -> None:
    assert _read(tmp_path, (_GERMAN * 5).encode(encoding)) == (_GERMAN * 5).strip()


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1251", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
        ("koi8-r", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
        ("shift_jis", "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"),
        ("euc_jp", "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"),
        ("gb18030", "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。"),
        ("cp1253", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. "),
    ],
)
def test_text_of_other_scripts_is_detected(encoding: str, text: str) -> None:
    assert decode((text * 10).encode(encoding)) == text * 10


def test_a_big_file_is_detected_where_it_is_not_ascii(tmp_path: Path) -> None:
    data = b"plain English words\n" * 100_000 + (_GERMAN * 20).encode("latin-1")
    assert _read(tmp_path, data).endswith("größer wird der Ärger.")


def test_some_bad_bytes_do_not_change_the_encoding(tmp_path: Path) -> None:
    data = (_GERMAN * 20).encode() + b"cut off: \xc3"
    text = _read(tmp_path, data)
    assert "Müller fährt" in text
    assert text.endswith("cut off: \ufffd")


@given(st.binary(max_size=300))
def test_no_bytes_make_decoding_fail(data: bytes) -> None:
    with suppress(DocumentError):
        assert isinstance(decode(data), str)


@pytest.mark.parametrize("magic", [b"\x89PNG\r\n\x1a\n", b"\x7fELF\x02\x01\x01\x00", b""])
def test_a_binary_file_is_refused(tmp_path: Path, magic: bytes) -> None:
    with pytest.raises(DocumentError, match="Not text"):
        _read(tmp_path, magic + random.Random(1).randbytes(5000))


def test_an_empty_file_is_a_page_without_text(tmp_path: Path) -> None:
    assert _read(tmp_path, b"") == ""
    assert _read(tmp_path, b"\xef\xbb\xbf \r\n") == ""


def test_the_colours_of_a_log_are_left_out(tmp_path: Path) -> None:
    assert _read(tmp_path, b"\x1b[1;31merror\x1b[0m: \x1b]0;t\x07no disk") == "error: no disk"


def test_a_file_beyond_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.documents.files.LARGEST_TEXT_BYTES", 1_000_000)
    with pytest.raises(DocumentError, match="Larger than 1 MB"):
        _read(tmp_path, b"x" * 1_000_001)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"greeting=Sch\u00f6ne Gr\u00FC\u00dfe", "greeting=Schöne Grüße"),
        (r"owl=\ud83e\udd89 and \uu20ac", "owl=🦉 and €"),
        (r"path=C:\\u00dcbung", r"path=C:\\u00dcbung"),
        ("long=one \\\n    two", "long=one\n    two"),
        (r"broken=\u00g1 \ud83e", "broken=\\u00g1 \ufffd"),
    ],
)
def test_codes_in_properties_are_read_as_characters(tmp_path: Path, source: str, text: str) -> None:
    path = tmp_path / "texts.properties"
    path.write_text(source, encoding="ascii")
    assert plain.read(path).pages[0].text == text
    other = tmp_path / "texts.txt"
    other.write_text(source, encoding="ascii")
    assert "".join(plain.read(other).pages[0].text.split()) == "".join(source.split())
