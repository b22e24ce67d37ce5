"""Search results as lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from core.addresses import readable_path
from core.commands.terminal import Part, line_printer, say
from core.printable import passage_line, quoted

if TYPE_CHECKING:
    from core.catalog.documents import NamedDocument
    from core.responses import DocumentHit, PassageHit, QueryToken, SearchResults
    from core.search.near_misses import NearMiss


_MOST_COPIES: Final = 5


def print_results(results: SearchResults, steps: Sequence[NearMiss] = ()) -> None:
    """Print the answer, and the documents, each with its best passage and highlighted matches.

    Args:
        results: the results.
        steps: what a query without results finds with one step less.
    """
    print_line = line_printer()
    if results.answer:
        first = results.hits[0]
        print_line((passage_line(results.answer, ())[0], "bold"))
        print_line((f"    {quoted(first.path)}", "dim"))
        print_line()
    for rank, hit in enumerate(results.hits, 1):
        if rank == results.likely + 1:
            say("Less likely:" if results.likely else "No close matches. Less likely:")
            print_line()
        best = hit.passages[0]
        page = f"page {best.passage.page}" if hit.has_page_images else ""
        print_line(f"{rank:2}  ", (quoted(hit.title or hit.path.name), "bold"))
        details = ", ".join(filter(None, (quoted(hit.path), page, *_printed_fields(hit))))
        print_line((f"    {details}  ({best.score:.3f})", "dim"))
        copies = [copy for copy in hit.copies if not copy.is_quoting]
        if copies:
            paths = ", ".join(quoted(copy.path) for copy in copies[:_MOST_COPIES])
            left = len(copies) - _MOST_COPIES
            more = f" and {left:,} more" if left > 0 else ""
            print_line((f"    also: {paths}{more}", "dim"))
        if mails := len(hit.copies) - len(copies):
            which = "1 further mail" if mails == 1 else f"{mails:,} further mails"
            print_line((f"    and {which} of this conversation", "dim"))
        print_line(*snippet(best, results.tokens))
        print_line()
    if results.named:
        say("File names:" if results.hits else "File names only:")
    for named in results.named:
        say(f"    {readable_path(named.path)}{_state(named)}")
    if not (results.hits or results.named):
        _print_nothing(steps)


def _print_nothing(steps: Sequence[NearMiss]) -> None:
    """Say that nothing was found, and what one step less finds."""
    empty = [step.text for step in steps if step.kind == "filter" and not step.alone]
    if empty:
        say(f"Nothing found. No document matches {' or '.join(map(quoted, empty))}.")
    elif steps:
        say("Nothing found with these filters, quotation marks and excluded words.")
    else:
        say("Nothing found. Try other or fewer words.")
    for step in steps:
        if step.without:
            say(f"  {quoted(step.sentence)}")


def _printed_fields(hit: DocumentHit) -> Iterator[str]:
    """Yield the fields of a result that are printed, unless empty."""
    from core.catalog.document_fields import result_fields

    for name, each in result_fields(type(hit)).items():
        if each.printed and (value := getattr(hit, name)):
            yield each.printed.format(quoted(value) if isinstance(value, str) else value)


def spelling_sentence(results: SearchResults) -> str:
    """Return a sentence on a query that is offered, or was searched for instead; "" on none.

    >>> from core.responses import SpellingSuggestion, Mode, SearchResults
    >>> suggestion = SpellingSuggestion("owls")
    >>> spelling_sentence(SearchResults("owsl", Mode.WORDS, (), (), 1.0, suggestion=suggestion))
    'Did you mean: owls'
    """
    if results.is_corrected:
        typed, better = quoted(results.original_query), quoted(results.query)
        return f"Showing results for {better}. To search for {typed} instead, use --exactly."
    suggestion = results.suggestion
    if suggestion is not None and suggestion.is_filter:
        return f"With filters: {quoted(suggestion.query)} ({suggestion.documents:,})"
    return f"Did you mean: {quoted(results.offered)}" if results.offered else ""


def _state(named: NamedDocument) -> str:
    if named.reason:
        return f" ({named.reason})"
    if named.has_no_text:
        return " (no text)"
    return " (not indexed yet)" if named.is_waiting else ""


def snippet(hit: PassageHit, tokens: Sequence[QueryToken]) -> list[Part]:
    """Return the part of a passage that made the match; `tokens` are the query's."""
    from core.search.output import match

    highlights = match.highlights_in_text(hit, tokens, match.query_words(tokens))
    cut = match.snippet_of(hit.passage.text, highlights, match.TERMINAL_SNIPPET)
    spans = [
        (highlight.start, highlight.end) for highlight in match.visible_highlights(cut.highlights)
    ]
    line, spans = passage_line(cut.text, spans)
    parts: list[Part] = ["    "]
    done = 0
    for start, end in spans:
        parts += [line[done:start], (line[start:end], "bold yellow")]
        done = end
    return [*parts, line[done:]]
