"""`winnow explain`: why a result was found, in a sentence and token by token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from core.addresses import readable_path
from core.commands import calling_process, terminal
from core.errors import UsageError
from core.printable import quoted

if TYPE_CHECKING:
    from core.responses import DocumentHit, PassageHit, SearchResults
    from core.search.explanation import ScoreBreakdown, TokenLine
    from core.token_comparison import Explanation


@click.command()
@click.argument("query")
@click.option(
    "--result",
    default=1,
    show_default=True,
    help="Explain the document at this rank of winnow search.",
)
@click.option(
    "--passage", default=1, show_default=True, help="Explain this passage of the document."
)
@click.option(
    "--exact/--stored",
    default=None,
    help="Compare newly encoded tokens, or the stored vectors. Default: as ranked.",
)
@click.option(
    "--alignment", metavar="topk:K|topp:P", help="Use this alignment instead of the library's."
)
@terminal.model_option
@terminal.libraries_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def explain(
    query: str,
    result: int,
    passage: int,
    exact: bool | None,
    alignment: str | None,
    model: str | None,
    libraries: tuple[str, ...],
    as_json: bool,
) -> None:
    """Explain why a result was found: in a sentence, and its score token by token.

    QUERY is searched as by winnow search; --result and --passage choose the result.

    \b
    Examples:
      winnow explain "how to prune apple trees"
      winnow explain --result 3 "lease contract"
    """
    from core import requests
    from core.alignment.pairwise import AlignmentStrategy
    from core.commands.publishing import searching
    from core.library.library import LibraryOptions
    from core.search.explanation import break_down

    chosen = AlignmentStrategy.parse(alignment) if alignment is not None else None
    with searching(libraries, LibraryOptions(model=calling_process.model_source(model))) as (
        searched,
        _,
    ):
        results = searched.answer(requests.Search(query, limit=max(10, result)))
        if results.notice:
            terminal.say(f"winnow: {results.notice}", is_error=True)
        document, hit = _chosen(results, result, passage)
        if not hit.is_compared:
            raise UsageError(
                "This result was found by words only, so there is no alignment to explain."
            )
        explanation = searched.answer(requests.Explain(query, hit.passage.id, hit.terms))
    strategy = chosen or explanation.strategy
    stored = None if exact is None else not exact
    breakdown = break_down(explanation, strategy, stored=stored)
    if as_json:
        terminal.print_json(_fields(document, hit, explanation, breakdown))
    else:
        _print(document, hit, explanation, breakdown)


def _chosen(results: SearchResults, result: int, passage: int) -> tuple[DocumentHit, PassageHit]:
    """Return the passage chosen by `--result` and `--passage`.

    Raises:
        UsageError: it does not exist.
    """
    if not 1 <= result <= len(results.hits):
        raise UsageError("There is no result {0}; the search found {1}.", result, len(results.hits))
    document = results.hits[result - 1]
    if not 1 <= passage <= len(document.passages):
        there_are = len(document.passages)
        raise UsageError("Result {0} has no passage {1}; it has {2}.", result, passage, there_are)
    return document, document.passages[passage - 1]


def _print(
    document: DocumentHit, hit: PassageHit, explanation: Explanation, breakdown: ScoreBreakdown
) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from core.search.explanation import SCORE_DIGITS
    from core.search.match_summary import summarise

    console = terminal.console()
    console.print(Text(quoted(document.title or document.path.name), "bold"))
    library = f", in {quoted(document.library)}" if document.library else ""
    console.print(Text(f"{quoted(document.path)}, page {hit.passage.page}{library}", "dim"))
    console.print(Text(quoted(summarise(explanation).sentence)))
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("Query")
    table.add_column("Weight", justify="right")
    table.add_column("Aligned with", overflow="fold")
    for name in ("Similarity", "Score", "Total"):
        table.add_column(name, justify="right")
    for line in breakdown.lines:
        table.add_row(
            Text(quoted(_name(line, explanation)), "" if line.token.is_significant else "dim"),
            f"{line.token.share:.0%}",
            " · ".join(quoted(partner) or "(whole text)" for partner in line.partners),
            f"{line.similarity:.2f}",
            f"{line.adds:.{SCORE_DIGITS}f}",
            f"{line.so_far:.{SCORE_DIGITS}f}",
        )
    score = f"{breakdown.score:.{SCORE_DIGITS}f}"
    for term in breakdown.terms:
        adds, so_far = f"{term.adds:.{SCORE_DIGITS}f}", f"{term.so_far:.{SCORE_DIGITS}f}"
        table.add_row(term.label, "", "", "", adds, so_far)
    console.print(table)
    if explanation.pruned:
        count, words = len(explanation.pruned), " · ".join(explanation.pruned_words)
        terminal.say(
            f"{count} of the passage's {len(explanation.exact.tokens)} tokens, the least salient "
            f"ones, have no vector: {quoted(words)}."
        )
    if breakdown.is_ranking_score:
        terminal.say(f"Total: {score}, the score in the search results.")
    else:
        terminal.say(
            f"Total: {score}. The score in the search results is {hit.score:.{SCORE_DIGITS}f}."
        )


def _name(line: TokenLine, explanation: Explanation) -> str:
    if line.token.text:
        return line.token.text
    return (
        "(whole text)" if explanation.has_summaries and line.token.index == 0 else "(special token)"
    )


def _fields(
    document: DocumentHit, hit: PassageHit, explanation: Explanation, breakdown: ScoreBreakdown
) -> dict[str, Any]:
    from core.responses import MEANING, WORDS
    from core.search.explanation import SCORE_DIGITS

    meaning = round(sum(line.adds for line in breakdown.lines), SCORE_DIGITS)
    other_terms = ((term.name, term.adds) for term in breakdown.terms)
    vectors = "stored" if breakdown.compared is explanation.stored else "exact"
    return {
        "path": readable_path(document.path),
        **({"library": document.library} if document.library else {}),
        "page": hit.passage.page,
        "vectors": vectors,
        "alignment": str(breakdown.aligned.strategy),
        "tokens": [
            {
                "text": line.token.text,
                "share": round(line.token.share, 4),
                "is_significant": line.token.is_significant,
                "aligned_with": list(line.partners),
                "aligned": line.count,
                "similarity": round(line.similarity, 4),
                "adds": line.adds,
            }
            for line in breakdown.lines
        ],
        "without_vector": list(explanation.pruned_words),
        "terms": [
            {"name": name, "adds": adds} for name, adds in ((MEANING, meaning), *other_terms)
        ],
        "words": breakdown.term(WORDS),
        "score": breakdown.score,
        "score_in_list": round(hit.score, 6),
    }
