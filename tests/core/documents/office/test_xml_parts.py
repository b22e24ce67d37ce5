from __future__ import annotations

import io

import pytest

from core.documents.office.xml_parts import parse_xml, stream_xml
from core.errors import DocumentError

_BOMB = (
    '<!DOCTYPE r [<!ENTITY a0 "lollollol">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    + "]>"
)


@pytest.mark.parametrize(
    "body", ["<r>&a9;</r>", '<r x="&a9;"/>', "<r/>"], ids=["text", "attribute", "unused"]
)
def test_a_bomb_of_entities_is_refused(body: str) -> None:
    with pytest.raises(DocumentError, match=r"^is damaged: a part of it (is not well|defines ent)"):
        parse_xml((_BOMB + body).encode())


def test_entities_are_refused_and_nothing_outside_is_read(tmp_path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    markup = f'<!DOCTYPE r [<!ENTITY x SYSTEM "{secret.as_uri()}">]><r>&x;</r>'
    with pytest.raises(DocumentError, match="defines entities"):
        parse_xml(markup.encode())
    (root,) = stream_xml(io.BytesIO(markup.encode()), "r")
    assert "secret" not in "".join(root.itertext())


@pytest.mark.parametrize("data", [b"", b"\0", b"<a>", b"<a>&nbsp;</a>", b"<a>\xff</a>"])
def test_what_is_not_well_formed_is_damaged(data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"^is damaged: it is not well-formed$"):
        parse_xml(data, "it")
    with pytest.raises(DocumentError, match=r"^is damaged: it is not well-formed$"):
        list(stream_xml(io.BytesIO(data), "a", what="it"))


def test_depth_is_bounded_so_that_readers_may_recurse() -> None:
    def nested(depth: int) -> bytes:
        return b"<a>" * depth + b"</a>" * depth

    assert parse_xml(nested(250)).tag == "a"
    with pytest.raises(DocumentError, match="not well-formed"):
        parse_xml(nested(300))


def test_a_stream_keeps_nothing_of_what_it_gave() -> None:
    rows = "".join(f"<row><c>{number}</c></row>" for number in range(20_000))
    seen = []
    for row in stream_xml(io.BytesIO(f"<sheet>{rows}</sheet>".encode()), "{*}row"):
        seen.append(row[0].text)
        assert row.getparent().index(row) <= 1
        assert len(row.getparent()) < 5_000  # it reads some way ahead
    assert seen == [str(number) for number in range(20_000)]
