"""The targets of links are part of the text, once, in each format that has links."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from core.documents.formats import format_of, load_function

HTML = (
    '<link rel="canonical" href="https://own.example/page">'
    '<p>See <a href="https://heron.example/a?id=7">this</a>,'
    ' <a href="mailto:anna@heron.example">Anna</a>, <a href="other.html">another page</a>,'
    ' <a href="#end">the end</a>, <a href="https://own.example/next">next</a>'
    ' and <a href="https://egret.example/">https://egret.example/</a></p>'
    '<nav><a href="https://menu.example/">Menu</a></nav>'
)
MARKDOWN = (
    "See [this](https://heron.example/a?id=7), [Anna](mailto:anna@heron.example)"
    " and [a note](birds/egret.md).\n\n| a |\n|---|\n| [b](https://cell.example) |\n"
)
FLAT_TEXT = """<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:text>
 <text:p>See <text:a xlink:href="https://heron.example/a?id=7">this</text:a></text:p>
</office:text></office:body></office:document>"""


OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def word(body: str, relations: str = "") -> bytes:
    """Return a Word document with a body and the relations of its main part."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        listed = f'<Relationships xmlns="{RELATIONS}">{{}}</Relationships>'
        main = f'<Relationship Id="a" Type="{OFFICE}/officeDocument" Target="word/document.xml"/>'
        package.writestr("_rels/.rels", listed.format(main))
        package.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{WORD}" xmlns:r="{OFFICE}"><w:body>{body}</w:body></w:document>',
        )
        package.writestr("word/_rels/document.xml.rels", listed.format(relations))
    return buffer.getvalue()


def text_of(path: Path, content: str | bytes) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    kind = format_of(path)
    assert kind is not None
    return "\n\n".join(page.text for page in load_function(kind.reader)(path).pages)


@pytest.mark.parametrize(
    ("name", "content", "targets"),
    [
        ("a.html", HTML, ["https://heron.example/a?id=7", "anna@heron.example"]),
        (
            "a.md",
            MARKDOWN,
            [
                *("https://heron.example/a?id=7", "anna@heron.example", "birds/egret.md"),
                "https://cell.example",
            ],
        ),
        ("a.fodt", FLAT_TEXT, ["https://heron.example/a?id=7"]),
        ("a.eml", f"From: a@b.example\nContent-Type: text/html\n\n{HTML}", ["anna@heron.example"]),
    ],
)
def test_targets_follow_the_text(
    tmp_path: Path, name: str, content: str, targets: list[str]
) -> None:
    lines = text_of(tmp_path / name, content).split("\n")
    assert set(targets) <= set(lines)


def test_unused_targets_are_left_out(tmp_path: Path) -> None:
    text = text_of(tmp_path / "a.html", HTML)
    assert text.count("https://egret.example/") == 1  # in the text already
    assert not any(word in text for word in ("other.html", "#end", "own.example", "menu.example"))


@pytest.mark.parametrize("separator", ["", "</w:instrText></w:r><w:r><w:instrText>"])
def test_the_code_of_a_field_of_word_is_a_target(tmp_path: Path, separator: str) -> None:
    body = (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPER'
        f'{separator}LINK "https://heron.example/"</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>this</w:t></w:r></w:p>'
    )
    text = text_of(tmp_path / "a.docx", word(body))
    assert text == "this\n\nhttps://heron.example/"


def test_the_links_of_a_word_document_are_targets(tmp_path: Path) -> None:
    relations = (
        f'<Relationship Id="b" Type="{OFFICE}/hyperlink" Target="https://heron.example/?a=1&amp;b=2"'
        f' TargetMode="External"/><Relationship Id="c" Type="{OFFICE}/attachedTemplate"'
        ' Target="file:///secret.dotx" TargetMode="External"/>'
    )
    body = '<w:p><w:hyperlink r:id="b"><w:r><w:t>this</w:t></w:r></w:hyperlink></w:p>'
    text = text_of(tmp_path / "a.docx", word(body, relations))
    assert text == "this\n\nhttps://heron.example/?a=1&b=2"


def test_the_links_of_a_pdf_are_targets(tmp_path: Path) -> None:
    link = "<</Type/Annot/Subtype/Link/Rect[10 10 90 30]/A<</S/URI/URI({})>>>>"
    uris = ("https://heron.example/", "mailto:anna@heron.example", "https://heron.example/")
    annotations = "".join(link.format(uri) for uri in uris)
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[{annotations}]>>",
    ]
    body = "".join(f"{i} 0 obj\n{content}\nendobj\n" for i, content in enumerate(objects, 1))
    content = f"%PDF-1.7\n{body}trailer<</Size 4/Root 1 0 R>>\n%%EOF\n"
    lines = text_of(tmp_path / "a.pdf", content).split("\n")
    assert lines == ["https://heron.example/", "anna@heron.example"]
