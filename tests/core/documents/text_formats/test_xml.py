from __future__ import annotations

import gzip
import zlib
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.damage import SOME_TEXT
from core.documents.document import Document
from core.documents.text_formats import xml
from core.errors import DocumentError


@pytest.fixture
def read(tmp_path: Path):
    def read_source(source: str | bytes, name: str = "data.xml") -> Document:
        path = tmp_path / name
        path.write_bytes(source.encode() if isinstance(source, str) else source)
        return xml.read(path)

    return read_source


def _text(document: Document) -> str:
    (page,) = document.pages
    return page.text


def test_a_book_is_read_without_its_tags(read) -> None:
    document = read(
        "<book xmlns='http://docbook.org/ns/docbook'><info><title>The Book</title><author>"
        "<personname><firstname>Ann</firstname><surname>Rook</surname></personname></author>"
        "<pubdate>2024-06-30</pubdate></info><chapter><title>One</title>"
        "<para>Text with <emphasis>set</emphasis> words &amp; <!-- no -->more.</para>"
        "<programlisting>def f():\n    return 1</programlisting><section><title>Sub</title>"
        "<row><entry>1</entry><entry><para>a</para><para>b</para></entry></row>"
        "<row><entry>2</entry></row></section></chapter></book>"
    )
    assert (document.title, document.author, document.date) == (
        "The Book",
        "Ann Rook",
        "2024-06-30",
    )
    (page,) = document.pages
    assert page.text == (
        "The Book\n\nAnn Rook\n\n2024-06-30\n\nOne\n\nText with set words & more.\n\n"
        "def f():\n    return 1\n\nSub\n\n1 | a b\n2"
    )
    assert [(h.level, h.text) for h in page.headings] == [(1, "The Book"), (2, "One"), (3, "Sub")]


def test_a_feed_is_read_with_the_markup_in_its_items_set(read) -> None:
    document = read(
        "<rss><channel><title>News</title><link>http://x.y</link>"
        "<lastBuildDate>Sun, 30 Jun 2024 10:00:00 GMT</lastBuildDate>"
        "<item><title>First</title><description>&lt;p&gt;Some &lt;b&gt;bold&lt;/b&gt; text"
        "</description><pubDate>Mon, 01 Jul 2024 10:00:00 GMT</pubDate></item></channel></rss>"
    )
    assert (document.title, document.date) == ("News", "2024-06-30T10:00:00+00:00")
    assert "First\n\nSome bold text" in _text(document)
    assert _text(document).endswith("\n\nhttp://x.y")


def test_a_drawing_contains_its_words(read) -> None:
    document = read(
        "<svg xmlns='http://www.w3.org/2000/svg'><title>Plan</title><style>a{}</style><g>"
        "<title>tip</title><text><tspan>Two</tspan><tspan>lines</tspan></text></g>"
        "<text>more</text></svg>",
        "plan.svg",
    )
    assert document.title == "Plan"
    assert _text(document) == "Plan\n\nTwo lines\n\nmore"


def test_data_is_read_as_names_and_values(read) -> None:
    text = _text(
        read(
            "<c:config xmlns:c='u'><server port='80' name='a'>main</server><db><user id='1'>ann"
            "</user><empty/></db><flag on='yes'/></c:config>"
        )
    )
    assert (
        text == "server: main\n  port: 80\n  name: a\n\ndb:\n  user: ann (id: 1)\nflag:\n  on: yes"
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1251", "shift_jis"])
def test_the_declared_encoding_counts(read, encoding: str) -> None:
    word = {"windows-1251": "Ворона", "shift_jis": "烏"}.get(encoding, "Krähe")
    source = f"<?xml version='1.0' encoding='{encoding}'?><doc><p>{word}</p></doc>"
    assert _text(read(source.encode(encoding))) == word


def test_entities_of_a_document_s_own_are_put_in_their_place(read) -> None:
    source = (
        "<!DOCTYPE doc [<!ENTITY app 'Winnow'><!ENTITY full '&app; Search'>]>"
        "<doc><p a='&app;'>&full; &lt;1&gt;</p></doc>"
    )
    assert _text(read(source)) == "Winnow Search <1>"


def test_no_other_file_is_opened(read, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SECRET")
    source = (
        f"<!DOCTYPE doc SYSTEM 'secret.txt' [<!ENTITY a SYSTEM 'file://{tmp_path}/secret.txt'>"
        f"<!ENTITY % b SYSTEM 'secret.txt'>%b;]><doc><p>x&a;y</p></doc>"
    )
    assert "SECRET" not in _text(read(source))


def _bomb(use: str, declaration: str = "") -> str:
    lines = ["<!ENTITY a0 'lol'>"]
    lines += [f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 12)]
    return f"<!DOCTYPE doc [{''.join(lines)}{declaration}]><doc>{use}</doc>"


@pytest.mark.parametrize(
    "source",
    [
        _bomb("&a11;"),
        _bomb("<p a='&a11;'/>"),
        _bomb("<p/>", "<!ATTLIST p a CDATA '&a11;'>"),
        f"<!DOCTYPE doc [<!ENTITY a '{'x' * 20_000}'>]><doc>{'&a;' * 1000}</doc>",
        "<!DOCTYPE doc [<!ENTITY a '&b;'><!ENTITY b '&a;'>]><doc>&a;</doc>",
        "<!DOCTYPE doc [" + "".join(f"<!ENTITY a{n} 'x'>" for n in range(2000)) + "]><doc/>",
    ],
    ids=["text", "attribute", "default", "long", "circle", "many"],
)
def test_entities_that_swell_are_refused(read, source: str) -> None:
    with pytest.raises(DocumentError, match=r"^Expands entities to far more"):
        read(source)


@pytest.mark.parametrize(
    "source",
    ["", "<a>", "<a></b>", "no xml", "<a>&undefined;</a>", "<a>" * 300 + "x" + "</a>" * 300],
)
def test_invalid_xml_is_read_verbatim(read, source: str) -> None:
    assert _text(read(source)) == source


def test_an_enormous_file_is_read_verbatim(read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "_LONGEST_PARSED", 5)
    assert _text(read("<doc>x</doc>")) == "<doc>x</doc>"


_TREES = st.recursive(
    st.text(alphabet="ab &", max_size=5).map(lambda text: text.replace("&", "&amp;")),
    lambda inner: st.tuples(
        st.sampled_from(["p", "title", "section", "row", "text", "author", "item", "pre", "info"]),
        st.lists(inner, max_size=4),
    ).map(lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"),
    max_leaves=20,
)


@given(root=st.sampled_from(["doc", "svg", "data", "rss"]), tree=_TREES)
def test_any_tree_keeps_the_promises_of_a_page(
    root: str, tree: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("data") / "data.xml"
    path.write_text(f"<{root}>{tree}</{root}>", encoding="utf-8")
    (page,) = xml.read(path).pages
    assert page.text == page.text.strip()
    assert all(page.text.startswith(heading.text, heading.start) for heading in page.headings)


def test_fictionbook_is_read_as_a_book(tmp_path: Path) -> None:
    path = tmp_path / "book.fb2"
    path.write_text(
        '<?xml version="1.0" encoding="utf-8"?>'
        '<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info>'
        "<genre>nature</genre><author><first-name>Ann</first-name><last-name>Rook</last-name>"
        "</author><book-title>On Birds</book-title><date>2021-05-04</date></title-info>"
        "<document-info><id>1234-5678</id></document-info></description>"
        "<body><section><title><p>Crows</p></title><p>They hide <emphasis>food</emphasis>.</p>"
        "</section></body><binary id='a.jpg' content-type='image/jpeg'>AAAA</binary></FictionBook>",
        encoding="utf-8",
    )
    document = xml.read(path)
    assert (document.title, document.author, document.date) == (
        "On Birds",
        "Ann Rook",
        "2021-05-04",
    )
    (page,) = document.pages
    assert page.text.endswith("Crows\n\nThey hide food.")
    assert "AAAA" not in page.text
    assert "1234" not in page.text


def test_a_compressed_drawing_is_read(tmp_path: Path) -> None:
    path = tmp_path / "plan.svgz"
    packed = gzip.compress(b"<svg><title>Plan</title><text>The nest</text></svg>")
    path.write_bytes(packed)
    document = xml.read(path)
    assert (document.title, document.pages[0].text) == ("Plan", "Plan\n\nThe nest")
    path.write_bytes(packed[:-12])
    with pytest.raises(DocumentError, match="Damaged"):
        xml.read(path)
    path.write_bytes(gzip.compress(b"<svg>" + bytes(20_000_000), compresslevel=1))
    with pytest.raises(DocumentError, match="Larger than 20 MB"):
        xml.read(path)


@pytest.mark.parametrize("is_packed", [False, True])
def test_the_labels_of_a_diagram_are_read(tmp_path: Path, *, is_packed: bool) -> None:
    path = tmp_path / "plan.drawio"
    model = (
        '<mxGraphModel><root><mxCell id="0"/><mxCell id="1" value="&lt;b&gt;Nest&lt;/b&gt;"/>'
        '<object label="Two eggs"><mxCell/></object></root></mxGraphModel>'
    )
    if is_packed:
        deflating = zlib.compressobj(wbits=-15)
        deflated = deflating.compress(quote(model).encode()) + deflating.flush()
        model = b64encode(deflated).decode()
    path.write_text(f'<mxfile><diagram name="Birds">{model}</diagram></mxfile>', encoding="utf-8")
    (page,) = xml.read(path).pages
    assert (page.text, page.unread) == ("Birds\n\nNest\n\nTwo eggs", "")
    if is_packed:
        cut = f'<mxfile><diagram name="Birds">{model[:20]}</diagram></mxfile>'
        path.write_text(cut, encoding="utf-8")
        assert xml.read(path).pages[0].unread == SOME_TEXT
