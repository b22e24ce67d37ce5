"""The pages: what they say, and that nothing in a document is taken for more than text."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.browser import opensearch, page, site, style
from core.browser.address import BrowserAddress
from core.browser.page import Asked
from core.browser.request import RefusedError
from core.catalog.documents import DocumentState, NamedDocument, ReadDocument
from core.search.results import (
    DocumentHit,
    Mending,
    Mode,
    Passage,
    PassageHit,
    SearchResults,
)
from core.search.stored_texts import Reading

HERE = BrowserAddress(20_000, "s" * 32)
VOID = {"meta", "link", "input"}
HOSTILE = '"><script>alert(1)</script><img src=x onerror=y>\x1b[2J\u202egpj.exe\x00'


class Seen(HTMLParser):
    """What a browser sees of a page: elements, attributes and texts; all that opens is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


def hit(
    number: int, text: str = "Owls hunt mice.", name: str = "owl.txt", title: str = ""
) -> DocumentHit:
    passage = Passage(number * 10, number, 1, 0, len(text), text, "")
    words = ((0, 4),) if text.startswith("Owls") else ()
    found = PassageHit(passage, 1.0, (Mode.WORDS,), (), words)
    return DocumentHit(number, Path("/docs") / name, title, False, (found,), changed_ns=10**18)


def results(*hits: DocumentHit, query: str = "owls") -> SearchResults:
    return SearchResults(query, Mode.WORDS, (), hits, 1.0)


def shown(found: SearchResults, asked: Asked | None = None) -> Seen:
    return Seen(page.results_page(HERE, asked or Asked(found.query), found))


def test_results_are_listed_with_their_words_lit() -> None:
    seen = shown(results(hit(1), hit(2, name="night.md", title="Night")))
    assert "Results 1 to 2 for “owls”" in seen.text
    assert [one["class"] for one in seen.all("mark")] == ["w0", "w0"]
    assert "owl.txt in /docs · Plain text · " in seen.text
    assert "Night" in seen.text
    (first, _) = [one for one in seen.all("a") if "/document?" in one["href"]]
    assert first["href"] == f"/{HERE.secret}/document?id=1&passage=10&q=owls#p10"
    assert seen.all("time")[0]["datetime"].startswith("2001-09-0")


def test_a_screen_reader_finds_its_way() -> None:
    seen = shown(results(hit(1)))
    assert seen.all("html") == [{"lang": "en"}]
    assert len(seen.all("main")) == len(seen.all("h1")) == len(seen.all("header")) == 1
    assert seen.all("form")[0]["role"] == "search"
    labelled = {one["for"] for one in seen.all("label") if "for" in one}
    assert {one["id"] for one in seen.all("input") if one["name"] == "q"} == labelled
    names = {one["id"] for _, one in seen.elements if "id" in one}
    assert {one["aria-labelledby"] for one in seen.all("article")} <= names
    assert seen.all("a")[0]["href"] == "#content"
    assert "content" in names


def test_it_asks_for_nothing_from_anywhere() -> None:
    text = page.results_page(HERE, Asked("owls"), results(hit(1)))
    seen = Seen(text)
    assert not {"script", "img", "iframe", "object"} & {tag for tag, _ in seen.elements}
    assert not any(name.startswith("on") for _, one in seen.elements for name in one)
    links = [one.get("href", "") for _, one in seen.elements]
    assert all(one.startswith(("/", "#", "winnow:search?q=")) for one in links if one)
    assert "url(" not in text
    assert "@import" not in text


def test_what_is_less_likely_stands_below() -> None:
    near, far = hit(1), replace(hit(2), is_likely=False)
    assert re.search("owl.txt.*Less likely.*owl.txt", shown(results(near, far)).text, re.DOTALL)
    assert "Nothing likely was found for “owls”." in shown(results(far)).text


def test_more_is_on_further_pages() -> None:
    found = results(*(hit(number) for number in range(1, 25)))
    first = shown(found)
    assert len(first.all("article")) == page.A_PAGE
    links = {one["rel"]: one["href"] for one in first.all("a") if "rel" in one}
    assert links == {"next": f"/{HERE.secret}/search?q=owls&page=2"}
    second = shown(found, Asked("owls", 2, is_by_words=True))
    assert "Results 11 to 20" in second.text
    assert second.all("ol")[0]["start"] == "11"
    links = {one["rel"]: one["href"] for one in second.all("a") if "rel" in one}
    assert links["prev"] == f"/{HERE.secret}/search?q=owls&mode=words"
    assert links["next"] == f"/{HERE.secret}/search?q=owls&page=3&mode=words"
    last = shown(found, Asked("owls", 3))
    assert "next" not in {one.get("rel") for one in last.all("a")}
    assert "There are no more results" in shown(found, Asked("owls", 9)).text


def test_nothing_found_is_said() -> None:
    assert "Nothing was found for “owls”" in shown(results()).text


def test_other_spellings_are_offered_or_told() -> None:
    offered = replace(results(hit(1), query="owsl"), mending=Mending("owls"))
    assert "Did you mean owls?" in shown(offered).text
    mended = replace(results(hit(1)), typed="owsl", mending=Mending("owls", is_needed=True))
    seen = shown(mended)
    assert "Nothing was found for “owsl”. Search only for owsl." in seen.text
    assert f"/{HERE.secret}/search?q=owsl&exactly=1" in {one["href"] for one in seen.all("a")}
    by_words = shown(mended, Asked("owsl", is_by_words=True))
    places = [one["href"] for one in by_words.all("a")]
    assert f"/{HERE.secret}/search?q=owsl&mode=words&exactly=1" in places
    assert f"/{HERE.secret}/document?id=1&passage=10&q=owls&mode=words#p10" in places


def test_documents_named_so_are_listed() -> None:
    named = NamedDocument(1, Path("/docs/<b>.pdf"), "", DocumentState.FAILED)
    seen = shown(replace(results(), named=(named,)))
    assert "In no text, but named so" in seen.text
    assert "<b>.pdf in /docs" in seen.text


def test_the_window_is_a_link_away() -> None:
    seen = shown(results(hit(1), query="tax & <b> 50 %"))
    assert "winnow:search?q=tax%20%26%20%3Cb%3E%2050%20%25" in {
        one["href"] for one in seen.all("a")
    }


def reading(text: str = "Owls hunt mice.") -> Reading:
    one, two, three = (
        Passage(number, 7, 1, 0, len(words), words, "")
        for number, words in ((1, "Before."), (2, text), (3, "Behind."))
    )
    return Reading(ReadDocument(7, Path("/docs/owl.txt"), "Owls", 1), two, (one,), (three,))


def test_a_passage_is_shown_among_its_neighbours() -> None:
    found = results(replace(hit(7), passages=(replace_number(hit(7).passages[0], 2),)))
    seen = Seen(page.document_page(HERE, Asked("owls"), reading(), found))
    assert [one["id"] for one in seen.all("article")] == ["p1", "p2", "p3"]
    assert [one.get("aria-current") for one in seen.all("article")] == [None, "true", None]
    assert len(seen.all("mark")) == 1
    steps = [one["href"] for one in seen.all("a") if "/document?" in one["href"]]
    assert steps == [
        f"/{HERE.secret}/document?id=7&passage=1&q=owls#p1",
        f"/{HERE.secret}/document?id=7&passage=3&q=owls#p3",
    ]
    assert not Seen(page.document_page(HERE, Asked(), reading(), None)).all("mark")


def replace_number(found: PassageHit, number: int) -> PassageHit:
    return replace(found, passage=replace(found.passage, id=number))


names = st.text(st.characters(exclude_characters="/\x00"), min_size=1, max_size=60).filter(
    lambda name: name not in {".", ".."}
)


@given(text=st.text(max_size=300), name=names, title=st.text(max_size=80), query=st.text())
@example(
    text=HOSTILE, name=HOSTILE.replace("/", "").replace("\x00", ""), title=HOSTILE, query=HOSTILE
)
@example(text="Owls </mark>", name="\udce9.txt", title="'", query="\ud800")
def test_whatever_a_document_says_is_text(text: str, name: str, title: str, query: str) -> None:
    plain = shown(results(hit(1)))
    found = results(hit(1, "Owls " + text, name, title), query="q" + query)
    seen = shown(replace(found, notice="x" + query))
    usual = shown(replace(results(hit(1)), notice="x"))
    assert [tag for tag, _ in seen.elements] == [tag for tag, _ in usual.elements]
    assert [sorted(one) for _, one in seen.elements] == [sorted(one) for _, one in usual.elements]
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", seen.text
    )
    assert plain.all("style") == seen.all("style")


@given(st.text(max_size=200), st.text(max_size=200))
@example(HOSTILE, HOSTILE)
def test_whatever_is_asked_is_text(query: str, text: str) -> None:
    usual = Seen(page.document_page(HERE, Asked("q"), reading(), None))
    seen = Seen(page.document_page(HERE, Asked("q" + query), reading(text), None))
    assert [tag for tag, _ in seen.elements] == [tag for tag, _ in usual.elements]
    assert [sorted(one) for _, one in seen.elements] == [sorted(one) for _, one in usual.elements]
    said = Seen(page.message_page(HERE, text, Asked(query)))
    assert "script" not in {tag for tag, _ in said.elements}


def test_a_date_beyond_all_years_is_left_out() -> None:
    assert not shown(results(replace(hit(1), said_ns=10**30))).all("time")


def test_the_style_is_the_one_that_the_policy_allows() -> None:
    import base64
    import hashlib

    text = page.results_page(HERE, Asked("owls"), results(hit(1)))
    (inline,) = re.findall("<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in style.policy()
    assert style.policy().startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in style.policy()
    assert " style=" not in text


def test_a_refusal_tells_nothing() -> None:
    answer = site.refused(RefusedError(404, "There is nothing at this address.", retry_after="2"))
    assert HERE.secret not in answer.text
    assert "Winnow" not in answer.text
    assert site.headers(answer, 5)["retry-after"] == "2"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cache-Control", "no-store"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("X-Content-Type-Options", "nosniff"),
    ],
)
def test_no_page_may_be_framed_kept_or_read(name: str, value: str) -> None:
    assert site.headers(site.Answer(200, "x"), 1)[name] == value


def test_it_describes_itself_as_a_search_engine() -> None:
    from lxml import etree

    described = etree.fromstring(opensearch.described(HERE).encode())
    names = {"os": "http://a9.com/-/spec/opensearch/1.1/"}
    assert described.xpath("string(os:ShortName)", namespaces=names) == "Winnow"
    (url,) = described.xpath("os:Url", namespaces=names)
    assert url.get("template") == f"http://127.0.0.1:20000/{HERE.secret}/search?q={{searchTerms}}"
    links = Seen(page.start_page(HERE, is_empty=False)).all("link")
    assert links[0]["href"] == f"/{HERE.secret}/opensearch.xml"
    assert links[0]["type"] == "application/opensearchdescription+xml"
