"""The pages as HTML: functions of what was found, which look at nothing else.

Whatever comes from a document, a file's name or the question goes through `_text` or `_passage`:
what steers a screen is shown by what it is, and nothing of it is taken for HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

from core.addresses import readable_path
from core.browser import opensearch, style
from core.browser.address import BrowserAddress
from core.documents.formats import format_of, kind_name
from core.printable import passage, passage_line, quoted
from core.search.match import (
    BEST_SNIPPET,
    FURTHER_SNIPPET,
    QueryWord,
    SnippetSize,
    highlights_in_text,
    query_words,
    snippet_of,
    visible_highlights,
)
from core.search.results import DocumentHit, PassageHit, SearchResults
from core.search.stored_texts import Reading

A_PAGE: Final = 10
"""Documents."""
MOST_PAGES: Final = 20
_MOST_NAMED: Final = 20
_WORDS_ONLY: Final = "words"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a browser asked for.

    Attributes:
        query: as it was typed.
        page: of the results, from 1.
        is_by_words: whether meaning is left out.
        is_exact: for what was typed, even where the library has none of its words.
    """

    query: str = ""
    page: int = 1
    is_by_words: bool = False
    is_exact: bool = False


def start_page(address: BrowserAddress, *, is_empty: bool) -> str:
    """Return the page without a question."""
    said = (
        "The library is empty: add a folder in Winnow, or with winnow index FOLDER."
        if is_empty
        else "Type what you look for: words, a question, and filters such as type:pdf."
    )
    return _page(address, "Winnow", Asked(), f"<h1>Search your folders</h1>\n<p>{said}</p>")


def results_page(address: BrowserAddress, asked: Asked, results: SearchResults) -> str:
    """Return a page of results, of which there may be more than are shown."""
    first = (asked.page - 1) * A_PAGE
    shown = results.hits[first : first + A_PAGE]
    likely = max(0, min(len(shown), results.likely - first))
    words = query_words(results.tokens, results.query)

    def listed(hits: Sequence[DocumentHit], start: int) -> str:
        items = "".join(
            f"<li>{_document(address, asked, results, words, hit, rank)}</li>\n"
            for rank, hit in enumerate(hits, start)
        )
        return f'<ol start="{start}">\n{items}</ol>\n' if hits else ""

    parts = [
        f"<h1>{_headline(asked, results, len(shown))}</h1>\n",
        *_notices(address, asked, results),
    ]
    parts.append(listed(shown[:likely], first + 1))
    if likely < len(shown):
        parts += ["<h2>Less likely</h2>\n", listed(shown[likely:], first + likely + 1)]
    if asked.page == 1:
        parts.append(_named(results))
    parts.append(_further(address, asked, has_more=len(results.hits) > first + A_PAGE))
    return _page(address, f"{results.asked} – Winnow", asked, "".join(parts))


def document_page(
    address: BrowserAddress, asked: Asked, reading: Reading, found: SearchResults | None
) -> str:
    """Return a passage with those that stand before and behind it, as they were read.

    Args:
        address: of the page.
        asked: the question by which the passage was found; its query may be "".
        reading: the passage and its neighbours.
        found: what that question finds in this document, whose words are lit.
    """
    document = reading.document
    title = document.title.strip() or document.path.name
    number = document.id
    lit = _lit_texts(found) if found is not None else {}
    at = reading.passage.page if document.pages > 1 else 0
    parts = [f"<h1>{_text(title)}</h1>\n", _place(document.path, "", at)]
    parts.append(
        '<p class="more">The text as Winnow read it; in Winnow’s window the document itself '
        "is shown.</p>\n"
    )
    if reading.before:
        parts.append(_step(address, asked, number, reading.before[0].id, "Earlier in the text"))
    heading, page_number = "", reading.passage.page
    for one in (*reading.before, reading.passage, *reading.behind):
        is_here = one.id == reading.passage.id
        marked = ' class="here" aria-current="true"' if is_here else ""
        # Each once, where it begins.
        is_new_page, is_new_heading = one.page != page_number, one.context != heading
        page = f'<p class="place">Page {one.page}</p>' if is_new_page else ""
        context = f"<h2>{_text(one.context)}</h2>" if is_new_heading and one.context else ""
        heading, page_number = one.context, one.page
        text = lit.get(one.id) or _passage(one.text)
        parts.append(
            f'<article id="p{one.id}"{marked}>{context}{page}<p class="text">{text}</p></article>\n'
        )
    if reading.behind:
        parts.append(_step(address, asked, number, reading.behind[-1].id, "Later in the text"))
    return _page(address, f"{title} – Winnow", asked, "".join(parts))


def message_page(address: BrowserAddress, sentence: str, asked: Asked | None = None) -> str:
    """Return a page that says one sentence, for whoever knows the address."""
    return _page(address, "Winnow", asked or Asked(), f"<h1>{_text(sentence)}</h1>")


def bare_page(sentence: str) -> str:
    """Return a page that says one sentence and tells nothing else, for whoever may ask nothing."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Not here</title>'
        f"<style>{style.sheet()}</style></head>"
        f"<body><main><h1>{_text(sentence)}</h1></main></body></html>\n"
    )


def _page(address: BrowserAddress, title: str, asked: Asked, body: str) -> str:
    checked = " checked" if asked.is_by_words else ""
    # Who has come to ask types at once; who has come to read is not taken from there.
    focused = "" if asked.query else " autofocus"
    opened = f"winnow:search?q={quote(asked.query, safe='', errors='replace')}"
    in_window = (
        f'<a href="{escape(opened)}">Open this search in Winnow’s window</a>. '
        if asked.query
        else ""
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{_text(title)}</title>
<link rel="search" type="{opensearch.KIND}" title="Winnow" href="{address.path(opensearch.PAGE)}">
<style>{style.sheet()}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<form role="search" action="{address.path("search")}" method="get">
<label for="q">Search your folders with Winnow</label>
<input id="q" name="q" type="search" value="{_text(asked.query)}" autocomplete="off"{focused}>
<button>Search</button>
<label><input type="checkbox" name="mode" value="{_WORDS_ONLY}"{checked}> By words only</label>
</form>
</header>
<main id="content" tabindex="-1">
{body}
</main>
<footer><p>{in_window}This page comes from this computer; nothing was sent anywhere.</p></footer>
</body>
</html>
"""


def _headline(asked: Asked, results: SearchResults, shown: int) -> str:
    about = f"“{_text(results.query)}”"
    if not results.hits:
        return f"Nothing was found for {about}; try other or fewer words."
    if not shown:
        return f"There are no more results for {about}."
    if not results.likely:
        return f"Nothing likely was found for {about}."
    first = (asked.page - 1) * A_PAGE + 1
    return f"Results {first} to {first + shown - 1} for {about}"


def _notices(address: BrowserAddress, asked: Asked, results: SearchResults) -> Iterable[str]:
    if results.notice:
        yield f'<p class="notice" role="status">{_text(results.notice)}</p>\n'
    if results.is_mended:
        typed = replace(asked, query=results.asked, page=1, is_exact=True)
        exactly = _link(address, typed, _text(results.asked))
        yield f"<p>Nothing was found for “{_text(results.asked)}”. Search only for {exactly}.</p>\n"
    elif results.offered:
        better = replace(asked, query=results.offered, page=1, is_exact=False)
        offered = _link(address, better, _text(results.offered))
        yield f"<p>Did you mean {offered}?</p>\n"


def _document(
    address: BrowserAddress,
    asked: Asked,
    results: SearchResults,
    words: Sequence[QueryWord],
    hit: DocumentHit,
    rank: int,
) -> str:
    title = _text(hit.title.strip() or hit.path.name)
    best, *others = hit.passages
    asked = replace(asked, query=results.query)
    name = f"r{rank}"
    page = best.passage.page if hit.has_page_images else 0
    lines = "".join(
        f'<li class="text">{_snippet(one, results, words, FURTHER_SNIPPET)} '
        f'<a href="{_place_of(address, asked, hit.document_id, one.passage.id)}" '
        f'aria-label="Read on at this passage of {title}">Read on</a></li>'
        for one in others
    )
    further = f'<ul aria-label="Further passages">{lines}</ul>' if lines else ""
    count = len(hit.copies)
    versions = "copy or version" if count == 1 else "copies or versions"
    copies = f'<p class="more">Stands for {count} {versions} of it.</p>' if count else ""
    return (
        f'<article aria-labelledby="{name}"><h2 id="{name}">'
        f'<a href="{_place_of(address, asked, hit.document_id, best.passage.id)}">{title}</a></h2>'
        f"{_place(hit.path, _day(hit.dated_ns), page)}"
        f'<p class="text">{_snippet(best, results, words, BEST_SNIPPET)}</p>{further}{copies}'
        "</article>"
    )


def _place(path: Path, day: str, page: int) -> str:
    """Return a line on a document: its file, folder, kind, day and page, as far as there are."""
    found = format_of(path)
    kind = kind_name(found.key) if found is not None else ""
    parts = [f"<b>{_text(path.name)}</b> in {_text(readable_path(path.parent))}", _text(kind)]
    parts.append(f'<time datetime="{day}">{day}</time>' if day else "")
    parts.append(f"page {page}" if page else "")
    return f'<p class="place">{" · ".join(part for part in parts if part)}</p>\n'


def _day(moment_ns: int) -> str:
    """Return the day of a moment where this computer is; "" where there is none, or no such year.

    >>> _day(0)
    ''
    """
    if not moment_ns:
        return ""
    try:
        return f"{datetime.fromtimestamp(moment_ns / 1e9).astimezone():%Y-%m-%d}"
    except (OverflowError, OSError, ValueError):
        return ""


def _snippet(
    hit: PassageHit, results: SearchResults, words: Sequence[QueryWord], size: SnippetSize
) -> str:
    highlights = highlights_in_text(hit, results.tokens, words)
    cut = snippet_of(hit.passage.text, highlights, size.characters)
    shown = visible_highlights(cut.highlights)
    line, places = passage_line(cut.text, [(one.start, one.end) for one in shown])
    return _lit(line, [(*place, one.word) for place, one in zip(places, shown, strict=True)])


def _lit_texts(found: SearchResults) -> dict[int, str]:
    """Return whole passages that were found, by their numbers, with what is lit of them."""
    words = query_words(found.tokens, found.query)
    texts = {}
    for one in (one for hit in found.hits for one in hit.passages):
        shown = visible_highlights(highlights_in_text(one, found.tokens, words))
        spans = [(span.start, span.end, span.word) for span in shown]
        texts[one.passage.id] = _lit(one.passage.text, spans)
    return texts


def _lit(text: str, spans: Sequence[tuple[int, int, int]]) -> str:
    """Return a text with stretches of it marked: start, end and the number of the query's word.

    >>> _lit("a < b", [(4, 5, 0)])
    'a &lt; <mark class="w0">b</mark>'
    """
    parts, at = [], 0
    for start, end, word in spans:
        parts.append(_passage(text[at:start]))
        parts.append(f'<mark class="{style.word_class(word)}">{_passage(text[start:end])}</mark>')
        at = end
    parts.append(_passage(text[at:]))
    return "".join(parts)


def _named(results: SearchResults) -> str:
    if not results.named:
        return ""
    title = "Also named so" if results.hits else "In no text, but named so"
    items = "".join(
        f"<li><b>{_text(one.path.name)}</b> in {_text(readable_path(one.path.parent))}</li>"
        for one in results.named[:_MOST_NAMED]
    )
    return f"<h2>{title}</h2>\n<ul>{items}</ul>\n"


def _further(address: BrowserAddress, asked: Asked, *, has_more: bool) -> str:
    links = []
    if asked.page > 1:
        links.append(("Previous page", asked.page - 1, "prev"))
    if has_more and asked.page < MOST_PAGES:
        links.append(("Next page", asked.page + 1, "next"))
    if not links:
        return ""
    items = "".join(
        f'<li><a rel="{rel}" href="{_question(address, replace(asked, page=page))}">{text}</a></li>'
        for text, page, rel in links
    )
    return f'<nav aria-label="Pages of results"><ul>{items}</ul></nav>\n'


def _question(address: BrowserAddress, asked: Asked) -> str:
    fields = {"q": asked.query}
    if asked.page > 1:
        fields["page"] = str(asked.page)
    if asked.is_by_words:
        fields["mode"] = _WORDS_ONLY
    if asked.is_exact:
        fields["exactly"] = "1"
    return escape(f"{address.path('search')}?{urlencode(fields, errors='replace')}")


def _link(address: BrowserAddress, asked: Asked, text: str) -> str:
    return f'<a href="{_question(address, asked)}">{text}</a>'


def _place_of(address: BrowserAddress, asked: Asked, document_id: int, passage_id: int) -> str:
    fields = {"id": str(document_id), "passage": str(passage_id)}
    if asked.query:
        fields["q"] = asked.query
    if asked.is_by_words:
        fields["mode"] = _WORDS_ONLY
    said = urlencode(fields, errors="replace")
    return escape(f"{address.path('document')}?{said}#p{passage_id}")


def _step(
    address: BrowserAddress, asked: Asked, document_id: int, passage_id: int, text: str
) -> str:
    place = _place_of(address, asked, document_id, passage_id)
    return f'<nav aria-label="{text}"><a href="{place}">{text}</a></nav>\n'


def _text(text: object) -> str:
    """Return a name, a title or a sentence as HTML, also inside an attribute."""
    return escape(quoted(text))


def _passage(text: str) -> str:
    return escape(passage(text))
