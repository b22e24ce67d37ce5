"""The command that searches: its options are filters of the query, its help tells them all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core import terminal

if TYPE_CHECKING:
    from core.search.clauses import Clause
    from core.search.results import DocumentHit, SearchResults


class _WithLanguage(click.Command):
    """A command whose help ends with the operators of the query language."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from core.search.operators import OPERATORS

        with formatter.section("In the query"):
            formatter.write_dl([(one.form, f"{one.meaning}; {one.example}") for one in OPERATORS])
        super().format_epilog(ctx, formatter)


@click.command(cls=_WithLanguage)
@click.argument("query")
@click.option("-n", "limit", default=10, show_default=True, help="How many documents.")
@click.option(
    "--mode",
    type=click.Choice(("hybrid", "meaning", "words")),
    default="hybrid",
    show_default=True,
)
@click.option(
    "--in",
    "places",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER|FILE",
    help="Only what lies in it; may be given several times.",
)
@click.option(
    "--type",
    "kinds",
    multiple=True,
    metavar="KIND",
    help="Only such files: pdf, word, code, …, or a suffix; may be given several times.",
)
@click.option("--since", metavar="DATE", help="Only files changed on that day or later.")
@click.option("--until", metavar="DATE", help="Only files changed on that day or earlier.")
@click.option("--larger", metavar="SIZE", help="Only files larger than that, for example 1mb.")
@click.option("--smaller", metavar="SIZE", help="Only files smaller than that.")
@click.option("--model", metavar="NAME|DIR", help="A built-in model, or a folder that holds one.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def search(
    query: str,
    limit: int,
    mode: str,
    places: tuple[Path, ...],
    kinds: tuple[str, ...],
    since: str | None,
    until: str | None,
    larger: str | None,
    smaller: str | None,
    model: str | None,
    as_json: bool,
) -> None:
    """Find the passages that answer QUERY.

    The options that narrow the search can be written into the query as well. A query that begins
    with a minus stands behind two: winnow search -- "-car jaguar".
    """
    from core.library import Library, LibraryOptions
    from core.search.query import Query, parse
    from core.search.results import Mode

    if clauses := _clauses(places, kinds, since, until, larger, smaller):
        query = str(Query((*parse(query).parts, *clauses)))
    with Library.open(options=LibraryOptions(model=model)) as library:
        results = library.search(query, mode=Mode(mode), limit=limit)
        is_empty = not results.hits and not library.status().passages
    if as_json:
        terminal.print_json(
            {
                "query": results.query,
                "took_ms": round(results.took_ms, 2),
                "results": [
                    _hit_fields(rank, hit, results) for rank, hit in enumerate(results.hits, 1)
                ],
                "named": [
                    {"path": str(one.path), "state": str(one.state), "reason": one.reason}
                    for one in results.named
                ],
            }
        )
    else:
        terminal.print_results(results)
    for sentence in filter(None, [results.notice]):
        click.echo(f"winnow: {sentence}", err=True)
    if is_empty:
        click.echo("winnow: The library is empty; fill it with winnow index FOLDER.", err=True)


def _clauses(
    places: Sequence[Path],
    kinds: Sequence[str],
    since: str | None,
    until: str | None,
    larger: str | None,
    smaller: str | None,
) -> list[Clause]:
    """The filters that the options stand for."""
    from core.search.clauses import given
    from core.search.operators import day_after

    if until is not None:
        # The query's `before` leaves out the day that it names.
        until = day_after(given("before", until).value).isoformat()
    return [
        *(given("in", str(place.expanduser().resolve())) for place in places),
        *(given("type", kind) for kind in kinds),
        *([given("after", since)] if since is not None else []),
        *([given("before", until)] if until is not None else []),
        *([given("size", f">{larger}")] if larger is not None else []),
        *([given("size", f"<{smaller}")] if smaller is not None else []),
    ]


def _hit_fields(rank: int, hit: DocumentHit, results: SearchResults) -> dict[str, Any]:
    best, *others = hit.passages
    tokens = {token.index: token.text for token in results.tokens}
    return {
        "rank": rank,
        "score": round(best.score, 6),
        "path": str(hit.path),
        "title": hit.title,
        "page": best.passage.page,
        "found_by": [str(way) for way in best.found_by],
        "passage": {
            "text": best.passage.text,
            "start": best.passage.start,
            "end": best.passage.end,
        },
        # Offsets into the passage's text; tokens of the title and the headings above it apart.
        "alignments": _alignment_fields(best.alignments, tokens, in_context=False),
        "context": best.passage.context,
        "context_alignments": _alignment_fields(best.alignments, tokens, in_context=True),
        "other_passages": [
            {
                "score": round(other.score, 6),
                "page": other.passage.page,
                "text": other.passage.text,
                "start": other.passage.start,
                "end": other.passage.end,
            }
            for other in others
        ],
    }


def _alignment_fields(
    alignments: Sequence[Any], tokens: dict[int, str], *, in_context: bool
) -> list[dict[str, Any]]:
    return [
        {
            "query_token": tokens.get(one.query_index, one.query_token),
            "query_index": one.query_index,
            "start": one.start,
            "end": one.end,
            "similarity": one.similarity,
            "text": one.text,
        }
        for one in alignments
        if one.in_context == in_context
    ]
