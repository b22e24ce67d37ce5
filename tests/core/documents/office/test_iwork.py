"""Documents of Pages, Numbers and Keynote before and since 2013."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from core.documents.document import Document
from core.documents.office import iwork
from core.errors import DocumentError
from tests.core.documents.mutations import mutations, package_mutations, packed, read_all

_SPACES = (
    'xmlns:sf="http://developer.apple.com/namespaces/sf"'
    ' xmlns:sfa="http://developer.apple.com/namespaces/sfa"'
    ' xmlns:ls="http://developer.apple.com/namespaces/ls"'
)
_OLD = f"""<document {_SPACES}>
<sf:metadata><sf:title><sf:string sfa:string="On Birds"/></sf:title>
<sf:authors><sf:string sfa:string="Ann Rook"/></sf:authors></sf:metadata>
<sf:stylesheet><sf:text-storage><sf:p>A style</sf:p></sf:text-storage></sf:stylesheet>
<sf:text-storage sf:kind="header"><sf:p>Page head</sf:p></sf:text-storage>
<sf:text-storage sf:kind="header"><sf:p>Page head</sf:p></sf:text-storage>
<sf:text-storage sf:kind="body"><sf:text-body>
<sf:p>Crows<sf:tab/>are <sf:span>clever</sf:span>.<sf:br/></sf:p>
<sf:p><sf:ghost-text>Type here</sf:ghost-text></sf:p></sf:text-body></sf:text-storage>
<ls:workspace ls:workspace-name="Costs"><sf:tabular-model sf:name="Food"><sf:grid sf:numcols="2">
<sf:datasource><sf:t><sf:ct sfa:s="Seeds"/></sf:t><sf:n sf:v="8.3999999999999998"/>
<sf:g/><sf:d><sf:cell-date sf:date="2024-06-30"/></sf:d></sf:datasource>
</sf:grid></sf:tabular-model></ls:workspace></document>""".encode()
_OLD_TEXT = "Crows\tare clever.\n\nCosts\n\nFood\n\nSeeds | 8.4\n2024-06-30\n\nPage head"


def _varint(number: int) -> bytes:
    raw = bytearray()
    while number > 0x7F:
        raw.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*raw, number])


def _bytes(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _message(kind: int, content: bytes) -> bytes:
    info = _number(1, 7) + _bytes(2, _number(1, kind) + _number(3, len(content)))
    return _varint(len(info)) + info + content


def _text(text: str, kind: int = 0) -> bytes:
    return _message(2001, _number(1, kind) + _bytes(3, text.encode()))


def _part(*messages: bytes) -> bytes:
    """Return messages as a Snappy block of literals."""
    data = b"".join(messages)
    pieces = b"".join(
        bytes([62 << 2]) + (len(piece) - 1).to_bytes(3, "little") + piece
        for piece in (data[at : at + 9000] for at in range(0, len(data), 9000))
    )
    snapped = _varint(len(data)) + pieces
    return b"\0" + len(snapped).to_bytes(3, "little") + snapped


_STRINGS = _message(6005, _number(1, 1) + _bytes(3, _number(1, 1) + _bytes(3, "Käuze".encode())))
_NEW = {
    "Index/MasterSlide-1.iwa": _part(_text("Click to edit")),
    "Index/Tables/DataList.iwa": _part(_STRINGS),
    "Index/Slide-10.iwa": _part(_text("Tenth")),
    "Index/Slide-2.iwa": _part(_text("A note", 4), _text("Second")),
    "Index/Document.iwa": _part(_text("Page head", 1), _message(11, b""), _text("Crows\ufffc罪")),
}
_NEW_TEXT = "Crows 罪\n\nSecond\n\nA note\n\nTenth\n\nKäuze\n\nPage head"


def _read(tmp_path: Path, data: bytes) -> Document:
    (tmp_path / "a.pages").write_bytes(data)
    return iwork.read(tmp_path / "a.pages")


@pytest.mark.parametrize(
    "members",
    [
        {"index.xml": _OLD},
        {"index.apxl.gz": gzip.compress(_OLD)},
        {"QuickLook/Preview.pdf": b"%PDF", "index.xml": _OLD},
    ],
)
def test_documents_of_before_2013(tmp_path: Path, members: dict[str, str | bytes]) -> None:
    document = _read(tmp_path, packed(members))
    assert (document.title, document.author) == ("On Birds", "Ann Rook")
    assert document.pages[0].text == _OLD_TEXT
    assert [heading.text for heading in document.pages[0].headings] == ["Costs", "Food"]


def test_documents_of_today(tmp_path: Path) -> None:
    assert _read(tmp_path, packed(dict(_NEW))).pages[0].text == _NEW_TEXT
    inner = packed(dict(_NEW))
    assert _read(tmp_path, packed({"Talk.key/Index.zip": inner})).pages[0].text == _NEW_TEXT


def test_a_password_is_requested(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="Password required"):
        _read(tmp_path, packed({**_NEW, ".iwpv2": b"x"}))
    old = bytearray(packed({"index.xml": _OLD}))
    for mark, place in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        at = old.index(mark) + place
        old[at : at + 2] = (25451).to_bytes(2, "little")
    with pytest.raises(DocumentError, match="Password required"):
        _read(tmp_path, bytes(old))


def test_an_invalid_file_has_a_reason(tmp_path: Path) -> None:
    for data, reason in (
        (b"", "Empty file"),
        (b"-----BEGIN", "Not a Pages"),
        (packed({}), "Damaged"),
    ):
        with pytest.raises(DocumentError, match=reason):
            _read(tmp_path, data)


def test_one_damaged_part_costs_itself(tmp_path: Path) -> None:
    members = {**_NEW, "Index/Slide-2.iwa": _part(b"\xff" * 20)}
    (page,) = _read(tmp_path, packed(members)).pages
    assert page.unread == "Some damaged text was skipped"
    assert page.text.startswith("Crows 罪\n\nTenth")
    bomb = _varint(20) + b"\0a" + b"\xfe\1\0" * 10
    members = {"Index/Document.iwa": b"\0" + len(bomb).to_bytes(3, "little") + bomb}
    with pytest.raises(DocumentError, match="a part cannot be unpacked"):
        _read(tmp_path, packed(members))


def test_damage_leaves_a_document_or_a_reason(tmp_path: Path) -> None:
    for data in (packed({"index.xml": _OLD}), packed(dict(_NEW))):
        count, reasons = read_all(iwork.read, tmp_path / "a.pages", package_mutations(data))
        assert count
        assert reasons
    with zipfile.ZipFile(tmp_path / "stored.pages", "w") as archive:
        for name, content in _NEW.items():
            archive.writestr(name, content)
    stored = (tmp_path / "stored.pages").read_bytes()
    count, _ = read_all(iwork.read, tmp_path / "a.pages", mutations(stored))
    assert count
