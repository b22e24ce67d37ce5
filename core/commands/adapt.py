"""`winnow adapt`: judgements, the alignment that they propose, and its adoption.

Judgements are listed in a file: JSON lines with `query`, `path`, and, if a document has several
passages, `page` or words of the passage as `text`; or TREC's qrels, `query-id iteration path
grade`, with the queries in a separate file (`query-id TAB query`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.addresses import readable_path
from core.commands import terminal
from core.errors import UsageError
from core.json_input import lines, object_of, text_of
from core.printable import quoted

if TYPE_CHECKING:
    from rich.table import Table

    from core.alignment.pairwise import AlignmentStrategy
    from core.catalog.judgements import Judgement
    from core.library.library import Library
    from core.search.teaching import Adaptation, Teaching


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of a judgement file.

    `where` is its place in words, `page` is None if it names none.
    """

    where: str
    query: str
    path: Path
    page: int | None = None
    text: str = ""


def read_judged(path: Path, queries: Path | None = None) -> list[Listed]:
    """Return a file's relevant passages; grades of 0 or less, which mean irrelevant, are skipped.

    A relative path is one from the folder of the file.

    Args:
        path: of the file: JSON where its name ends in .jsonl, else qrels.
        queries: the file of the queries, for qrels.

    Raises:
        UsageError: a file cannot be read, or a line is not as it should be; names file and line.
    """
    if path.suffix.lower() == ".jsonl":
        return [_from_json(where, text, path.parent) for where, text in lines(path)]
    if queries is None:
        raise UsageError("{0} refers to queries by ID. Add --queries FILE with their texts.", path)
    texts = _queries(queries)
    judged = []
    for where, text in lines(path):
        columns = text.split()
        if len(columns) < 4:
            raise UsageError("{0}: expected 4 columns, found {1}.", where, len(columns))
        identifier, grade = columns[0], columns[-1]
        # A path may contain white space: it is everything between the second and the last column.
        named = text.split(None, 2)[2].rstrip()[: -len(grade)].rstrip()
        if identifier not in texts:
            raise UsageError("{0}: {1} has no query {2}.", where, queries, f"{identifier!r}")
        try:
            is_right = int(grade) > 0
        except ValueError as error:
            raise UsageError(
                "{0}: the grade {1} is not a whole number.", where, f"{grade!r}"
            ) from error
        if is_right:
            judged.append(Listed(where, texts[identifier], _absolute(named, path.parent)))
    return judged


def _from_json(where: str, text: str, folder: Path) -> Listed:
    entry = object_of(text, where)
    page = entry.get("page")
    # True is a number to Python.
    if page is not None and (not isinstance(page, int) or isinstance(page, bool)):
        raise UsageError('{0}: "page" is not a whole number.', where)
    words = text_of(entry, "text", where) if "text" in entry else ""
    named = text_of(entry, "path", where)
    return Listed(where, text_of(entry, "query", where), _absolute(named, folder), page, words)


def _absolute(named: str, folder: Path) -> Path:
    return (folder / Path(named).expanduser()).resolve()


def _queries(path: Path) -> dict[str, str]:
    queries = {}
    for where, text in lines(path):
        identifier, tab, query = text.partition("\t")
        if not tab or not query.strip():
            raise UsageError("{0}: expected a query ID, a tab and the query text.", where)
        queries[identifier.strip()] = query.strip()
    return queries


@click.command()
@click.option(
    "--judge",
    "judged",
    type=(str, int),
    metavar="QUERY RANK",
    multiple=True,
    help="Mark the result at RANK of winnow search as correct. Can be repeated.",
)
@click.option(
    "--from",
    "listed",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read judgements from FILE: JSON lines (.jsonl) with query, path, and page or text; or "
    "TREC qrels with paths.",
)
@click.option(
    "--queries",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read the query texts for qrels from FILE: one ID, tab and text per line.",
)
@click.option(
    "--forget", type=int, metavar="N", multiple=True, help="Delete judgement N. Can be repeated."
)
@click.option("--accept", is_flag=True, help="Use the proposed alignment from now on.")
@click.option("--undo", is_flag=True, help="Undo the last accepted proposal.")
@click.option("--json", "as_json", is_flag=True, help="Print judgements and proposal as JSON.")
def adapt(
    judged: tuple[tuple[str, int], ...],
    listed: Path | None,
    queries: Path | None,
    forget: tuple[int, ...],
    accept: bool,
    undo: bool,
    as_json: bool,
) -> None:
    """Adapt ranking to results marked as correct.

    Five to eight queries with a correct result are enough for Winnow to test whether another
    alignment of words ranks better. Without options, list the judgements and the proposal. The
    index does not change.

    \b
    Examples:
      winnow adapt --judge "lease contract" 3
      winnow adapt --from judgements.jsonl
      winnow adapt --accept
    """
    from core.library.library import Library

    if accept and undo:
        raise UsageError("--accept and --undo cannot be used together.")
    if queries is not None and listed is None:
        raise UsageError("--queries requires --from FILE.")
    with Library.open() as library, terminal.job() as job:
        teaching = library.teaching
        for judgement_id in forget:
            teaching.forget(judgement_id)
        for query, passage in (*_of_ranks(library, judged), *_of_file(teaching, listed, queries)):
            teaching.judge(query, passage)
        if undo:
            teaching.undo()
        adaptation = teaching.propose(job)
        if accept:
            if not adaptation.is_proposed:
                raise UsageError("There is no proposal to accept. {0}", adaptation.reason)
            teaching.adopt(adaptation.best)
        judgements = teaching.judgements()
    if as_json:
        terminal.print_json(_fields(judgements, adaptation, is_accepted=accept))
    else:
        print_judgements(judgements)
        print_adaptation(adaptation, is_accepted=accept)


def _of_ranks(library: Library, judged: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the queries' passages at these ranks; all are passage_ids before any is judged."""
    from core.search.teaching import worded

    passage_ids = []
    for query, rank in judged:
        if rank < 1:
            raise UsageError("The rank must be at least 1, not {0}.", rank)
        hits = library.search(worded(query), limit=max(rank, 10)).hits
        if rank > len(hits):
            results = f"{len(hits):,} results" if len(hits) != 1 else "one result"
            raise UsageError("'{0}' has {1}; there is no rank {2}.", query, results, f"{rank:,}")
        passage_ids.append((query, hits[rank - 1].passages[0].passage.id))
    return passage_ids


def _of_file(
    teaching: Teaching, listed: Path | None, queries: Path | None
) -> list[tuple[str, int]]:
    judged = []
    for line in read_judged(listed, queries) if listed is not None else ():
        try:
            judged.append((line.query, teaching.find(line.query, line.path, line.page, line.text)))
        except UsageError as error:
            raise UsageError("{0}: {1}", line.where, error) from error
    return judged


def in_words(strategy: AlignmentStrategy) -> str:
    """Return the alignment in words.

    >>> from core.alignment.pairwise import AlignmentStrategy
    >>> in_words(AlignmentStrategy()), in_words(AlignmentStrategy.parse("topp:0.015"))
    ('the best token for each query token', 'the best 1.5% of tokens for each query token')
    """
    from core.alignment.pairwise import AlignmentKind

    if strategy.is_top_1:
        return "the best token for each query token"
    if strategy.kind is AlignmentKind.TOP_K:
        return f"the best {strategy.value:g} tokens for each query token"
    return f"the best {strategy.value * 100:g}% of tokens for each query token"


def print_judgements(judgements: Sequence[Judgement]) -> None:
    """Print the judgements, a line each."""
    from rich.text import Text

    console = terminal.console()
    if not judgements:
        terminal.say(
            "There are no judgements yet. Mark a correct result with winnow adapt --judge QUERY "
            "RANK."
        )
    for judgement in judgements:
        suffix = "" if judgement.passages else " (no longer in the library)"
        console.print(
            Text.assemble(
                f"{judgement.id:3}  {quoted(judgement.query)}  ",
                (f"{quoted(judgement.path)}, page {judgement.page}{suffix}", "dim"),
            )
        )


def print_adaptation(adaptation: Adaptation, *, is_accepted: bool) -> None:
    """Print the ranks before and after, and the possible actions."""
    if adaptation.queries:
        terminal.console().print(_ranks(adaptation))
    if is_accepted:
        terminal.say(
            f"This library now compares {in_words(adaptation.best)}. "
            "Run winnow adapt --undo to undo this."
        )
    elif adaptation.is_proposed:
        terminal.say(
            f"Proposal: compare {in_words(adaptation.best)} instead of "
            f"{in_words(adaptation.current)}. "
            f"Expected gain on similar queries: {adaptation.gain * 100:.1f} points of nDCG@10. "
            "Run winnow adapt --accept to use it."
        )
    else:
        terminal.say(f"In use: {in_words(adaptation.current)}. {adaptation.reason}")


def _ranks(adaptation: Adaptation) -> Table:
    from rich.table import Table

    table = Table("query", title="Rank of the correct passage", title_justify="left")
    for heading in (
        ("now", str(adaptation.best)) if adaptation.best != adaptation.current else ("now",)
    ):
        table.add_column(heading, justify="right")
    for query in adaptation.queries:
        cells = [_listed(query.before), _listed(query.after)]
        table.add_row(quoted(query.query), *cells[: len(table.columns) - 1])
    means = [f"{value:.3f}" for value in (adaptation.before, adaptation.after)]
    table.add_section()
    table.add_row("nDCG@10", *means[: len(table.columns) - 1])
    return table


def _listed(ranks: Sequence[int]) -> str:
    return ", ".join(map(str, ranks)) or "not found"


def _fields(
    judgements: Sequence[Judgement], adaptation: Adaptation, *, is_accepted: bool
) -> dict[str, Any]:
    return {
        "judgements": [
            {
                "id": judgement.id,
                "query": judgement.query,
                "path": readable_path(judgement.path),
                "page": judgement.page,
                "is_there": bool(judgement.passages),
                "judged_at": judgement.judged_at,
            }
            for judgement in judgements
        ],
        "alignment": str(adaptation.best if is_accepted else adaptation.current),
        "best": str(adaptation.best),
        "is_proposed": adaptation.is_proposed and not is_accepted,
        "reason": adaptation.reason,
        "ndcg@10": {"before": round(adaptation.before, 4), "after": round(adaptation.after, 4)},
        "gain": round(adaptation.gain, 4),
        "queries": [
            {
                "query": query.query,
                "right": query.right,
                "before": list(query.before),
                "after": list(query.after),
            }
            for query in adaptation.queries
        ],
    }
