"""What the inspector says of tokens, pairs and alignments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app import texts
from core.alignment.pairwise import AlignmentKind

if TYPE_CHECKING:
    from core.alignment.pairwise import AlignmentStrategy
    from core.responses import QueryToken
    from core.search.explanation import ScoreBreakdown, TokenLine
    from core.token_comparison import PassageToken


def of_query_token(token: QueryToken, *, has_summaries: bool) -> str:
    if token.text:
        return token.text
    return _tr("(as a whole)") if has_summaries and token.index == 0 else _tr("(frame)")


def of_passage_token(token: PassageToken) -> str:
    return token.text or _tr("(as a whole)")


def of_strategy(strategy: AlignmentStrategy) -> str:
    """Return the short name that its button has."""
    if strategy.kind is AlignmentKind.TOP_K:
        return texts.number(int(strategy.value))
    if strategy.value == 1:
        return _tr("all")
    digits = 0 if (100 * strategy.value) % 1 == 0 else 1
    return _tr("{0} %").format(texts.figure(100 * strategy.value, digits))


def about_strategy(strategy: AlignmentStrategy) -> str:
    """Return what it means, for a tool tip and for screen readers."""
    if strategy.kind is AlignmentKind.TOP_K:
        if strategy.value == 1:
            return _tr("Each query token with the one passage token that is most like it")
        count = texts.number(int(strategy.value))
        return _tr("Each query token with the {0} passage tokens most like it").format(count)
    if strategy.value == 1:
        return _tr("Each query token with all passage tokens")
    share = of_strategy(strategy)
    return _tr("Each query token with the most similar {0} of the passage").format(share)


def of_pair(
    asked: QueryToken,
    found: PassageToken,
    similarity: float,
    adds: float | None,
    *,
    is_summary: bool,
) -> str:
    """Return a cell of the matrix in words; `adds` is None where the two are not aligned."""
    said = _tr("“{0}” and “{1}”: similarity {2}").format(
        of_query_token(asked, has_summaries=is_summary),
        of_passage_token(found),
        texts.figure(similarity, 2),
    )
    if adds is None:
        return _tr("{0}, not aligned").format(said)
    return _tr("{0}, aligned, adds {1}").format(said, texts.figure(adds, 4))


def of_partners(line: TokenLine) -> str:
    """Return what a query token is aligned with."""
    shown = " · ".join(partner or _tr("(as a whole)") for partner in line.partners)
    rest = line.count - len(line.partners)
    return _tr("{0} … {1} more").format(shown, texts.number(rest)) if rest > 0 else shown


def of_score(breakdown: ScoreBreakdown, listed: float, digits: int) -> str:
    """Say which number this is, and how it stands to the one in the list."""
    score, in_list = texts.figure(breakdown.score, digits), texts.figure(listed, digits)
    if breakdown.is_ranking_score:
        return _tr("Adds up to {0}, the score in the list.").format(score)
    return _tr("Adds up to {0}. The score in the list is {1}.").format(score, in_list)


def _tr(text: str) -> str:
    return QCoreApplication.translate("inspector", text)
