"""`winnow search`: its options are filters of the query."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.addresses import readable_path
from core.commands import calling_process, result_lines, terminal
from core.errors import UsageError
from core.files import paths
from core.files.locations import Location

if TYPE_CHECKING:
    from core.requests import Search
    from core.responses import SearchResults
    from core.search.near_misses import NearMiss
    from core.search.query.language import Clause


class _WithLanguage(click.Command):
    """A command whose help ends with the operators of the query language."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        typed = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            name = error.option_name
            if name.startswith("--"):
                raise
            query = next((text for text in typed if text.startswith(name)), name)
            raise UsageError(
                "{0} is not an option. To search for text that begins with a minus, put -- before "
                'it: winnow search -- "{0}".',
                query,
            ) from error

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from core.search.query.operators import OPERATORS

        with formatter.section("Query syntax"):
            formatter.write_dl(
                [
                    (operator.form, f"{operator.meaning} (example: {operator.example})")
                    for operator in OPERATORS
                ]
            )
        super().format_epilog(ctx, formatter)


@click.command(cls=_WithLanguage)
@click.argument("query")
@click.option("-n", "limit", default=10, show_default=True, help="Number of documents to show.")
@click.option(
    "--mode",
    type=click.Choice(("hybrid", "meaning", "words")),
    default="hybrid",
    show_default=True,
    help="Search by words, by meaning, or both (hybrid).",
)
@click.option(
    "--in",
    "within",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER|FILE",
    help="Limit results to a folder or file. Can be repeated.",
)
@click.option(
    "--type",
    "kinds",
    multiple=True,
    metavar="KIND",
    help="Limit results to a file type (pdf, word, code, …) or extension. Can be repeated.",
)
@click.option(
    "--since",
    metavar="DATE",
    help="Limit results to documents from DATE or later: 2024-06, yesterday, 3w, …",
)
@click.option("--until", metavar="DATE", help="Limit results to documents from DATE or earlier.")
@click.option(
    "--larger", metavar="SIZE", help="Limit results to files larger than SIZE, for example 1mb."
)
@click.option("--smaller", metavar="SIZE", help="Limit results to files smaller than SIZE.")
@click.option("--fast", is_flag=True, help="Skip reranking; faster, but less precise.")
@click.option(
    "--exactly",
    is_flag=True,
    help="Search the query as typed, without spelling correction.",
)
@terminal.model_option
@terminal.libraries_option
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "csv", "json", "md")),
    default="text",
    show_default=True,
    help="Output format.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON: --format json.")
def search(
    query: str,
    limit: int,
    mode: str,
    within: tuple[Path, ...],
    kinds: tuple[str, ...],
    since: str | None,
    until: str | None,
    larger: str | None,
    smaller: str | None,
    fast: bool,
    exactly: bool,
    model: str | None,
    libraries: tuple[str, ...],
    form: str,
    as_json: bool,
) -> None:
    """Search your library and added libraries.

    Filters can be given as options or inside the query. Put -- before a query that starts with a
    minus.

    \b
    Examples:
      winnow search "how to prune apple trees"
      winnow search --type pdf --since 2024-06 "lease contract"
      winnow search 'type:mail author:anna "train tickets"'
      winnow search -- "-car jaguar"
    """
    from core.federation.library_list import added_libraries
    from core.requests import CORRECTED, NO_REWRITE, ListDescriptions, Search
    from core.responses import Mode
    from core.search.query.language import Query, parse

    if clauses := _clauses(within, kinds, since, until, larger, smaller):
        query = str(Query((*parse(query).parts, *clauses)))
    rewrites = NO_REWRITE if exactly else CORRECTED
    request = Search(query, Mode(mode), limit, is_refined=not fast, rewrites=rewrites)
    form = "json" if as_json else form
    is_simple = request.mode is Mode.WORDS and form == "text" and not (libraries or model)
    if is_simple and (by_words := _from_catalog(request)) is not None:
        _print(by_words)
        return
    from core.commands.publishing import searching
    from core.library.library import LibraryOptions
    from core.search.near_misses import near_misses
    from core.search.output import export as exporting

    options = LibraryOptions(model=calling_process.model_source(model))
    with searching(libraries, options) as (searched, library):
        results = searched.answer(request)
        descriptions = library.answer(ListDescriptions()) if library is not None else {}
        status = library.status() if library is not None and not results.hits else None
        is_empty = status is not None and not status.passages
        has_folders = status is not None and bool(status.folders)
        # A person who added other libraries may not have their own.
        is_alone = library is not None and not added_libraries(library.home)
        # Counting their documents takes long, and is only done if nothing was found.
        is_lost = bool(within) and is_alone and not results.hits
        roots = [folder.path for folder in library.folders()] if library and is_lost else []
        is_nothing = not (results.hits or results.named or is_empty)
        steps = near_misses(searched, results.original_query) if is_nothing else ()
    if form == "text":
        _print(results, steps)
    else:
        terminal.write(exporting.exported(results, exporting.Form(form), descriptions, steps))
        _say_notices(results)
    if is_empty and has_folders:
        terminal.say(
            "winnow: The library is empty. Run winnow index to read the files in your folders.",
            is_error=True,
        )
    elif is_empty and is_alone:
        terminal.say(
            "winnow: The library is empty. Add a folder with winnow index FOLDER.", is_error=True
        )
    elif is_lost:
        for folder in within:
            if not _may_hold(path := Path(_folder(folder)), roots):
                terminal.say(
                    f"winnow: {readable_path(path)} is not in the library. Check the spelling, or "
                    "run winnow folders to list the library's folders.",
                    is_error=True,
                )


def _from_catalog(request: Search) -> SearchResults | None:
    """Search by words without opening the library, which takes longer than the search.

    Returns None if other libraries are searched as well, or if there is more to say than results.
    """
    from core.federation.library_list import added_libraries
    from core.search.pipeline import from_catalog
    from core.search.query.addressing import with_unknown_libraries
    from core.search.words.vocabulary import Vocabulary

    home = paths.home().absolute()
    if calling_process.invocation() is not None or added_libraries(home):
        return None
    with terminal.job() as job:
        results = from_catalog(home, request, Vocabulary(), job)
    if results is None or not results.hits:
        return None
    return with_unknown_libraries(results, request.query)


def _print(results: SearchResults, steps: Sequence[NearMiss] = ()) -> None:
    result_lines.print_results(results, steps)
    _say_notices(results)


def _say_notices(results: SearchResults) -> None:
    for sentence in filter(None, [result_lines.spelling_sentence(results), results.notice]):
        terminal.say(f"winnow: {sentence}", is_error=True)


def _clauses(
    folders: Sequence[Path],
    kinds: Sequence[str],
    since: str | None,
    until: str | None,
    larger: str | None,
    smaller: str | None,
) -> list[Clause]:
    """Return the filters of the options."""
    from core.search.query.language import filter_clause

    return [
        *(filter_clause("in", _folder(folder)) for folder in folders),
        *(filter_clause("type", kind) for kind in kinds),
        *([filter_clause("after", since)] if since is not None else []),
        # The query's `before` leaves out the day that it names.
        *([filter_clause("date", f"..{until}")] if until is not None else []),
        *([filter_clause("size", f">{larger}")] if larger is not None else []),
        *([filter_clause("size", f"<{smaller}")] if smaller is not None else []),
    ]


def _may_hold(folder: Path, roots: Sequence[Path]) -> bool:
    """Return whether a library with these folders may have documents at `folder` or in it."""
    from core.documents.containers.members import file_of

    if any(root.is_relative_to(folder) for root in roots):
        return True
    holding = [root for root in roots if folder.is_relative_to(root)]
    # Documents on an unplugged drive or in a bucket are still found by name.
    return any(not root.is_dir() for root in holding) or (
        bool(holding) and file_of(folder).exists()
    )


def _folder(folder: Path) -> str:
    return readable_path(Location.of(calling_process.absolute(folder)).resolved())
