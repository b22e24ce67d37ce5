"""Export of results: as a table, JSON, Markdown or BibTeX."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from core.addresses import readable_path
from core.catalog.text.normalisation import fold
from core.errors import WinnowError
from core.files.locations import Location
from core.files.own_files import atomic_write, is_out_of_room
from core.printable import json_text, quoted
from core.printable import passage as passage_text
from core.responses import Alignment, DocumentHit, Passage, SearchResults
from core.search.near_misses import NearMiss

_MARKUP: Final = re.compile(r"[\\`*_\[\]<>|~&]")
_MARKUP_OF_LINES: Final = re.compile(r"^(\s*\d*)([#+.)=-])(?=[#=\s-]|$)", re.MULTILINE)
# Characters that begin a formula in a spreadsheet. If its list separator is not
# the comma, a cell may begin after each semicolon, tab and line break, too.
_FORMULA: Final = re.compile(
    r"""(?:^|(?<=[;\t\r\n]))(?=[\s\u200b\ufeff"']*[=+@＝＋－＠-]|\A[\t\r])"""
)
_COLUMNS: Final = ("rank", "score", "title", "page", "path", "author", "date", "passage", "likely")


class ExportError(WinnowError):
    """Results cannot be written."""


class Form(StrEnum):
    """A format for exported results."""

    CSV = "csv"
    JSON = "json"
    MARKDOWN = "md"


def exported(
    results: SearchResults,
    form: Form,
    descriptions: Mapping[Path, str] | None = None,
    steps: Sequence[NearMiss] = (),
) -> str:
    """Return the results, in their order, as text without a final line break.

    Args:
        results: the results.
        form: the format.
        descriptions: the person's descriptions of folders; JSON has those of folders with hits.
        steps: what a query without results finds with one step less; in JSON.
    """
    match form:
        case Form.CSV:
            return _as_csv(results)
        case Form.JSON:
            fields = _fields(results, descriptions or {}, steps)
            return json_text(json.dumps(fields, ensure_ascii=False, indent=2)) + "\n"
        case Form.MARKDOWN:
            return _as_markdown(results)


def write(results: SearchResults, form: Form, path: Path) -> None:
    """Write the results to a file, atomically.

    Raises:
        ExportError: it cannot be written; an existing file is unchanged.
    """
    # Without a byte order mark, spreadsheets assume a legacy encoding.
    encoding = "utf-8-sig" if form is Form.CSV else "utf-8"
    text = exported(results, form)
    try:
        atomic_write(path, text.encode(encoding))
    except OSError as error:
        if is_out_of_room(error):
            raise ExportError(
                "The results cannot be written to {0} because the disk is full. Free up space, "
                "or choose another location.",
                path,
            ) from error
        reason = error.strerror or "unknown reason"
        raise ExportError("The results cannot be written to {0}: {1}.", path, reason) from error


def quotation(hit: DocumentHit, passage: Passage) -> str:
    """Return a passage with its source, for quoting."""
    source = [_title(hit), quoted(hit.author), _page(hit, passage), _library_and_path(hit)]
    return f"{passage_text(passage.text.strip())}\n\n— {', '.join(filter(None, source))}\n"


def _as_csv(results: SearchResults) -> str:
    written = io.StringIO(newline="")
    table = csv.writer(written, quoting=csv.QUOTE_ALL)
    table.writerow(_COLUMNS)
    for rank, hit in enumerate(results.hits, 1):
        for passage in hit.passages:
            names = (_title(hit), _library_and_path(hit), quoted(hit.author), quoted(hit.date))
            excerpt = passage_text(passage.passage.text.strip())
            title, path, author, day, text = map(cell, (*names, excerpt))
            page = passage.passage.page
            likely = "yes" if hit.is_likely else "no"
            score = round(passage.score, 6)
            table.writerow([rank, score, title, page, path, author, day, text, likely])
    return written.getvalue()


def cell(text: str) -> str:
    """Escape a text that a spreadsheet would treat as a formula, because documents are untrusted.

    >>> cell("=1+1"), cell("a; ＝1"), cell("half-moon; 3 - 2 = 1")
    ("'=1+1", "a;' ＝1", 'half-moon; 3 - 2 = 1')
    """
    return _FORMULA.sub("'", text)


def _as_markdown(results: SearchResults) -> str:
    parts = [f"# {_plain(quoted(' '.join(results.query.split())))}\n"]
    for rank, hit in enumerate(results.hits, 1):
        if rank == results.likely + 1:
            parts.append("---\n\nLess likely:\n")
        link = Location.of(hit.file or hit.path).url
        parts.append(f"## {rank}. {_plain(_title(hit))}\n")
        # Documents of other people's libraries are not files on this machine.
        path = _plain(_library_and_path(hit))
        parts.append(f"{path}\n" if hit.is_elsewhere else f"[{path}](<{link}>)\n")
        for passage in hit.passages:
            lines = passage.passage.text.strip().splitlines()
            block = "\n".join(f"> {_plain(passage_text(line.strip()))}".rstrip() for line in lines)
            page = _page(hit, passage.passage)
            parts.append(f"{block}\n>\n> — {page}\n" if page else f"{block}\n")
    return "\n".join(parts)


def _plain(text: str) -> str:
    r"""Escape Markdown markup in a text.

    >>> print(_plain("# 2*3 [x]"))
    \# 2\*3 \[x\]
    >>> print(_plain("1. One"))
    1\. One
    """
    inline = _MARKUP.sub(r"\\\g<0>", text)
    return _MARKUP_OF_LINES.sub(r"\1\\\2", inline)


def _title(hit: DocumentHit) -> str:
    return quoted(" ".join(hit.title.split()) or hit.path.name)


def _library_and_path(hit: DocumentHit) -> str:
    """Return the path, after the library's name if it is not the person's own."""
    return ": ".join(filter(None, [quoted(hit.library), quoted(hit.path)]))


def _page(hit: DocumentHit, passage: Passage) -> str:
    """Return the page number; "" if the document has no known pages."""
    return f"p. {passage.page}" if hit.has_page_images or passage.page > 1 else ""


def described(
    hits: Iterable[DocumentHit], descriptions: Mapping[Path, str]
) -> Iterator[tuple[str, str]]:
    """Yield the person's folders that contain hits, each with its description.

    Descriptions are the person's words, and are listed separately from documents.
    """
    own = [hit.path for hit in hits if not hit.library]
    for folder, description in descriptions.items():
        if any(path.is_relative_to(folder) for path in own):
            yield readable_path(folder), description


def _fields(
    results: SearchResults, descriptions: Mapping[Path, str], steps: Sequence[NearMiss]
) -> dict[str, Any]:
    folders = [
        {"path": path, "description": description}
        for path, description in described(results.hits, descriptions)
    ]
    return {
        "query": results.query,
        "took_ms": round(results.took_ms, 2),
        # The typed query if `query` was searched for instead, and a suggested query.
        "typed": results.original_query,
        "did_you_mean": results.offered,
        # The sentence of the first result that answers a question; "" if none is clearly best.
        "answer": results.answer,
        **({"folders": folders} if folders else {}),
        **({"near_misses": list(map(near_miss_fields, steps))} if steps else {}),
        "results": [_hit_fields(rank, hit, results) for rank, hit in enumerate(results.hits, 1)],
        "named": [
            {"path": readable_path(named.path), "state": str(named.state), "reason": named.reason}
            for named in results.named
        ],
    }


def near_miss_fields(step: NearMiss) -> dict[str, Any]:
    """Return what is left out of a query without results, and what it then finds."""
    return {
        "without": step.text,
        "kind": str(step.kind),
        "documents": step.without,
        "query": step.query,
    }


def _hit_fields(rank: int, hit: DocumentHit, results: SearchResults) -> dict[str, Any]:
    best, *further = hit.passages
    tokens = {token.index: token.text for token in results.tokens}
    return {
        "rank": rank,
        "score": round(best.score, 6),
        "path": readable_path(hit.path),
        **hit.listed,
        "copies": [
            {
                "path": readable_path(copy.path),
                "is_exact": copy.is_exact,
                "is_quoting": copy.is_quoting,
            }
            for copy in hit.copies
        ],
        "page": best.passage.page,
        "found_by": [str(way) for way in best.found_by],
        "passage": {
            "text": best.passage.text,
            "start": best.passage.start,
            "end": best.passage.end,
        },
        # Offsets into the passage's text; tokens of its title and headings are listed separately.
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
            for other in further
        ],
    }


def _alignment_fields(
    alignments: Sequence[Alignment], tokens: dict[int, str], *, in_context: bool
) -> list[dict[str, Any]]:
    return [
        {
            "query_token": tokens.get(alignment.query_index, alignment.query_token),
            "query_index": alignment.query_index,
            "start": alignment.start,
            "end": alignment.end,
            "similarity": alignment.similarity,
            "text": alignment.text,
        }
        for alignment in alignments
        if alignment.in_context == in_context
    ]


# The form of nearly all DOIs, according to Crossref, without characters special in links.
_DOI: Final = re.compile(r"(?<![\w.])10\.\d{4,9}/[-._;()/:a-z0-9]*[a-z0-9)]", re.IGNORECASE)
_SPECIAL: Final = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}
_BETWEEN_NAMES: Final = re.compile(r" ?(?:;|&|\band\b|\bund\b) ?")
_LITTLE: Final = frozenset({"a", "an", "the", "der", "die", "das", "le", "la", "les", "on", "of"})


def doi_in(text: str) -> str:
    """Return the first DOI in a text; "" if there is none.

    >>> doi_in("See https://doi.org/10.1145/3397271.3401075.")
    '10.1145/3397271.3401075'
    >>> doi_in("(doi:10.1016/S0140-6736(20)30183-5)"), doi_in("10.2 of 12/7")
    ('10.1016/S0140-6736(20)30183-5', '')
    """
    match = _DOI.search(text)
    if match is None:
        return ""
    doi = match[0]
    while doi.endswith(")") and doi.count(")") > doi.count("("):
        doi = doi[:-1].rstrip(".,;:")
    return doi


def bibtex(hit: DocumentHit, doi: str) -> str:
    """Return a document as an entry of BibTeX, with the known fields.

    Args:
        hit: the document.
        doi: its DOI; "" if unknown.
    """
    year = hit.date[:4] if hit.date[:4].isdigit() else ""
    authors = authors_of(_line(hit.author))
    title = _line(hit.title) or quoted(hit.path.stem)
    fields = {
        "title": _escaped(title),
        "author": " and ".join(map(_escaped, authors)),
        "year": year,
        # Not escaped, because packages turn them into links.
        "doi": doi,
        "url": f"https://doi.org/{doi}" if doi else "",
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{_key(authors, year, title)},", *lines, "}", ""])


def authors_of(text: str) -> list[str]:
    r"""Return the names in a document's author field.

    >>> authors_of("Mouse, Anna; Rat, Bo"), authors_of("A. Mouse, B. Rat and C. Vole")
    (['Mouse, Anna', 'Rat, Bo'], ['A. Mouse', 'B. Rat', 'C. Vole'])
    >>> authors_of("Mouse,\nAnna"), authors_of(" ,\t")
    (['Mouse, Anna'], [])
    """
    names = []
    for part in _BETWEEN_NAMES.split(" ".join(text.split())):
        by_comma = [name.strip() for name in part.split(",")]
        # "Mouse, Anna" is one name, "A. Mouse, B. Rat" are two.
        whole = len(by_comma) > 1 and all(" " in name for name in by_comma)
        names += by_comma if whole else [part.strip(" ,")]
    return [name for name in names if name]


def _key(authors: list[str], year: str, title: str) -> str:
    """Return the entry's key: the first author's name, the year, a word of the title."""
    first = authors[0] if authors else ""
    family = first.split(",")[0] if "," in first else first.rpartition(" ")[2]
    words = re.findall("[a-z0-9]+", fold(title))
    word = next((word for word in words if word not in _LITTLE), "")
    name = "".join(re.findall("[a-z]+", fold(family)))
    return f"{name}{year}{word}" or "document"


def _line(text: str) -> str:
    return quoted(" ".join(text.split()))


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)
