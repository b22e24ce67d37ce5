"""Merges results of several libraries, by score if scores are comparable; ids for them."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from core import responses
from core.documents.document import Box, Page, PageImage, PageSize
from core.errors import Message
from core.search.floor import above_the_line
from core.search.ranking import WordsScorer
from core.token_comparison import Comparison

_Value = TypeVar("_Value")
_SHIFT: Final = 40
# Fields of requests and responses that hold ids.
_IDS: Final = ("document_id", "passage_id", "id")
# Parts of responses without ids; there may be thousands of them.
_WITHOUT_IDS: Final = (
    *(responses.Alignment, responses.QueryToken, responses.ScoreTerm, Comparison),
    *(Page, PageImage, PageSize, Box),
)


def numbered(own_id: int, member: int) -> int:
    """Return the id of a library's passage or document among several libraries.

    Negative ids, which mean no passage, are unchanged, as are all ids of library 0.

    >>> numbered(7, 0), numbered(7, 2) == (2 << 40) + 7, numbered(-1, 2)
    (7, True, -1)
    """
    return own_id if own_id < 0 else (member << _SHIFT) + own_id


def member_and_own_id(id_among_several: int) -> tuple[int, int]:
    """Return the library of an id, and the id in that library.

    >>> member_and_own_id(numbered(7, 2)), member_and_own_id(7)
    ((2, 7), (0, 7))
    """
    return (
        (0, id_among_several)
        if id_among_several < 0
        else (id_among_several >> _SHIFT, id_among_several & ((1 << _SHIFT) - 1))
    )


def own_ids(request: object) -> list[int]:
    """Return the document or passage id of a request, if it has one.

    >>> from core.requests import Explain, ListFolders
    >>> own_ids(Explain("owls", 7)), own_ids(ListFolders())
    ([7], [])
    """
    return [getattr(request, name) for name in _IDS if hasattr(request, name)]


def renumber(value: _Value, new_id: Callable[[int], int]) -> _Value:
    """Return a request or response with all its document and passage ids changed by a function.

    >>> from core.requests import Explain
    >>> renumber(Explain("owls", 7), lambda own_id: own_id + 1)
    Explain(query='owls', passage_id=8, terms=None)
    """
    changed: Any = value
    if type(value) is tuple:
        changed = tuple(renumber(item, new_id) for item in cast("tuple[Any, ...]", value))
    elif is_dataclass(value) and not isinstance(value, (type, *_WITHOUT_IDS)):
        changes = {
            field.name: new_id(inner) if field.name in _IDS else renumber(inner, new_id)
            for field in fields(value)
            for inner in [getattr(value, field.name)]
        }
        changed = replace(cast("Any", value), **changes)
    return cast("_Value", changed)


# Source: Cormack, Clarke and Buettcher, "Reciprocal rank fusion", 2009: k.
_RANKS_ADDED: Final = 60


@dataclass(frozen=True, slots=True)
class MemberResults:
    """The results of one library.

    Attributes:
        member: the library's number, by which its passages are numbered; 0 for the own library.
        name: shown with its results; "" for the own library.
        scale: of its scores by meaning; None if unknown.
        results: with the library's own numbers.
        is_here: whether its documents' files are on this machine.
    """

    member: int
    name: str
    scale: responses.ScoreScale | None
    results: responses.SearchResults
    is_here: bool = True


def merge(
    results_of: Sequence[MemberResults], limit: int, tokens: tuple[responses.QueryToken, ...]
) -> tuple[tuple[responses.DocumentHit, ...], str]:
    """Return the best `limit` documents of all, and a sentence if scores are not comparable.

    Scores by meaning are compared if model, weights and alignment are the same. BM25 scores are not
    comparable, because each library has its own document frequencies: the best score of each
    library is scaled by the share of the query's words in its passages. Documents listed by age
    stay sorted by age. Lists that cannot be compared are merged by reciprocal rank, without less
    likely results. A file of this machine that is in several libraries is listed once, as a result
    of the first.

    Args:
        results_of: the results of each library, the person's own first.
        limit: maximum number of documents.
        tokens: the query's; all alignments are converted to them.
    """
    groups: dict[Hashable, list[MemberResults]] = {}
    for results in _each_once(results_of):
        if results.results.hits:
            groups.setdefault(_comparable(results), []).append(results)
    lists = [_ordered(group, tokens) for group in groups.values()]
    if len(lists) < 2:
        return above_the_line(lists[0][:limit]) if lists else (), ""
    ranked: list[tuple[float, int, responses.DocumentHit]] = [
        (1 / (_RANKS_ADDED + rank), group_index, hit)
        for group_index, hits in enumerate(lists)
        for rank, hit in enumerate(hits, 1)
    ]
    ranked.sort(key=lambda key: (-key[0], key[1]))
    _, *others = groups.values()
    names = ", ".join(results.name for group in others for results in group)
    notice = Message(
        "The library {0} ranks with another model or by words only; its results are merged by "
        "rank.",
        names,
    )
    merged = [hit for _, _, hit in ranked[:limit]]
    if all(hit.is_likely for hit in merged):
        return tuple(merged), notice
    # Merged by rank, unlikely results of one model are among likely ones of another.
    unmarked = Message("These results are not sorted into likely and less likely ones.")
    marked = tuple(replace(hit, is_likely=True) for hit in merged)
    return marked, Message.joined([notice, unmarked])


def _each_once(results_of: Sequence[MemberResults]) -> Iterator[MemberResults]:
    """Yield results without files of this machine that an earlier library has found, too."""
    seen: set[Path] = set()
    for results in results_of:
        if not results.is_here:
            yield results
            continue
        hits = tuple(hit for hit in results.results.hits if hit.path not in seen)
        for hit in hits:
            seen.add(hit.path)
            seen.update(copy.path for copy in hit.copies)
        yield replace(results, results=replace(results.results, hits=hits))


def _comparable(results: MemberResults) -> Hashable:
    """Return a key that is equal for results with comparable scores."""
    terms = {
        term.name for hit in results.results.hits for each in hit.passages for term in each.terms
    }
    if responses.MEANING in terms:
        return results.member if results.scale is None else results.scale
    return responses.WORDS if terms else "age"


def _ordered(
    group: Sequence[MemberResults], tokens: tuple[responses.QueryToken, ...]
) -> list[responses.DocumentHit]:
    """Return the documents of comparable results in one order."""
    covered = [_words_covered(results.results) for results in group]
    most = max(covered)
    best = [_best_by_words(results.results) for results in group]
    reference = best[covered.index(most)]
    weight = max(_words_weight(results) for results in group)
    hits: list[responses.DocumentHit] = []
    final: set[int] = set()
    for results, count, own_best in zip(group, covered, best, strict=True):
        share = count / most if most else 1.0
        if not weight and own_best > 0:  # by words only
            share *= reference / own_best
        new_tokens = translation(results.results.tokens, tokens)
        if not any(hit.passages[0].is_exact for hit in results.results.hits):
            # An index with a refinement store does not rerank: its order is final.
            final.update(range(len(hits), len(hits) + len(results.results.hits)))
        hits += (
            _merged_hit(hit, results, share, weight, new_tokens) for hit in results.results.hits
        )
    if len(group) == 1:
        return hits
    if not any(hit.passages[0].terms for hit in hits):
        return sorted(hits, key=lambda hit: -hit.dated_ns)
    is_first = [rank in final or hit.passages[0].is_exact for rank, hit in enumerate(hits)]
    order = sorted(range(len(hits)), key=lambda at: (not is_first[at], -hits[at].passages[0].score))
    return [hits[at] for at in order]


def _words_covered(results: responses.SearchResults) -> int:
    """Return the largest number of different query words in one passage."""
    passages = (each for hit in results.hits for each in hit.passages)
    return max(
        len({each.passage.text[start:end].casefold() for start, end in each.words})
        for each in passages
    )


def _best_by_words(results: responses.SearchResults) -> float:
    passages = (each for hit in results.hits for each in hit.passages)
    return max(
        (term.value for each in passages for term in each.terms if term.name == responses.WORDS),
        default=0.0,
    )


def _words_weight(results: MemberResults) -> float:
    """Return the weight of words in scores by meaning; 0 if they have none."""
    terms = results.results.hits[0].passages[0].terms
    if not any(term.name == responses.MEANING for term in terms):
        return 0.0
    return sum(term.weight for term in terms if term.name == responses.WORDS)


def _merged_hit(
    hit: responses.DocumentHit,
    results: MemberResults,
    share: float,
    words_weight: float,
    new_tokens: Mapping[int, responses.QueryToken] | None,
) -> responses.DocumentHit:
    passages = [_rescaled(each, share, words_weight) for each in hit.passages]
    if any(each is not before for each, before in zip(passages, hit.passages, strict=True)):
        # Reranked passages come first, as in each library's own list.
        passages.sort(key=lambda passage: (not passage.is_exact, -passage.score))
    merged = replace(
        hit,
        passages=tuple(
            replace(each, alignments=translated(each.alignments, new_tokens)) for each in passages
        ),
        library=results.name,
        is_elsewhere=not results.is_here,
    )
    return renumber(merged, lambda own_id: numbered(own_id, results.member))


def _rescaled(hit: responses.PassageHit, share: float, words_weight: float) -> responses.PassageHit:
    """Return a passage with its words' score scaled by a share, and their weight in the score."""
    names = [term.name for term in hit.terms]
    if responses.WORDS in names:
        if share == 1.0:
            return hit
        # By words only, the weights of all terms depend on the library.
        terms = [
            replace(term, value=term.value * share)
            if term.name == responses.WORDS or responses.MEANING not in names
            else term
            for term in hit.terms
        ]
    elif responses.MEANING in names and words_weight:
        # All words of the query are too common in that library, but not in others.
        terms = [
            replace(term, weight=term.weight * (1 - words_weight))
            if term.name == responses.MEANING
            else term
            for term in hit.terms
        ]
        terms.append(responses.ScoreTerm(responses.WORDS, WordsScorer.label, words_weight, 0.0))
    else:
        return hit
    return replace(hit, terms=tuple(terms), score=sum(term.adds for term in terms))


def translation(
    theirs: tuple[responses.QueryToken, ...], ours: tuple[responses.QueryToken, ...]
) -> Mapping[int, responses.QueryToken] | None:
    """Return our token for each of another model's tokens; None if they are the same.

    It is the token that shares most characters of the query with it.

    >>> under = responses.QueryToken(0, "under", 0, 5, 0)
    >>> water = responses.QueryToken(1, "water", 5, 10, 0)
    >>> ours = (responses.QueryToken(0, "underwater", 0, 10, 0),)
    >>> {index: token.text for index, token in translation((under, water), ours).items()}
    {0: 'underwater', 1: 'underwater'}
    >>> translation(ours, ours) is None
    True
    """
    if theirs == ours:
        return None
    token_of = {}
    for token in theirs:
        best = max(ours, key=lambda own_token: _common(own_token, token), default=None)
        if best is not None and _common(best, token) > 0:
            token_of[token.index] = best
    return token_of


def _common(token: responses.QueryToken, other: responses.QueryToken) -> int:
    return min(token.end, other.end) - max(token.start, other.start)


def translated(
    alignments: Iterable[responses.Alignment], new_tokens: Mapping[int, responses.QueryToken] | None
) -> tuple[responses.Alignment, ...]:
    """Return alignments with the tokens from `translation`, without those that have none."""
    if new_tokens is None:
        return tuple(alignments)
    return tuple(
        replace(alignment, query_index=token.index, query_token=token.text)
        for alignment in alignments
        if (token := new_tokens.get(alignment.query_index)) is not None
    )
