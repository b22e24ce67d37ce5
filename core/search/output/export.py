"""Results written down for other programs and for people: as a table, as JSON, as Markdown."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from core.addresses import readable_path
from core.errors import WinnowError
from core.locations import Location
from core.own_files import atomic_write, is_out_of_room
from core.printable import json_text, quoted
from core.printable import passage as passage_text
from core.responses import Alignment, DocumentHit, Passage, SearchResults

_MARKUP: Final = re.compile(r"[\\`*_\[\]<>|~&]")
_MARKUP_OF_LINES: Final = re.compile(r"^(\s*\d*)([#+.)=-])(?=[#=\s-]|$)", re.MULTILINE)
# What a spreadsheet takes for a formula where a cell begins. Where its list separator is another
# than the comma, that is behind each semicolon, tab and line break, too.
_FORMULA: Final = re.compile(
    r"""(?:^|(?<=[;\t\r\n]))(?=[\s\u200b\ufeff"']*[=+@＝＋－＠-]|\A[\t\r])"""
)
_COLUMNS: Final = ("rank", "score", "title", "page", "path", "author", "date", "passage", "likely")


class ExportError(WinnowError):
    """Results cannot be written."""


class Form(StrEnum):
    """In which form results are written."""

    CSV = "csv"
    JSON = "json"
    MARKDOWN = "md"


def exported(
    results: SearchResults, form: Form, descriptions: Mapping[Path, str] | None = None
) -> str:
    """The results in the order in which they stand, as a text that ends with its last line.

    Args:
        results: what was found.
        form: how it is written.
        descriptions: what the person says of folders, which JSON tells of those with results.
    """
    match form:
        case Form.CSV:
            return _as_csv(results)
        case Form.JSON:
            fields = _fields(results, descriptions or {})
            return json_text(json.dumps(fields, ensure_ascii=False, indent=2)) + "\n"
        case Form.MARKDOWN:
            return _as_markdown(results)


def write(results: SearchResults, form: Form, path: Path) -> None:
    """Write the results into a file, whole.

    Raises:
        ExportError: it cannot be written; a file that was there before is as it was.
    """
    # Spreadsheets take a table without this mark for one of an older encoding.
    encoding = "utf-8-sig" if form is Form.CSV else "utf-8"
    text = exported(results, form)
    try:
        atomic_write(path, text.encode(encoding))
    except OSError as error:
        if is_out_of_room(error):
            raise ExportError(
                "The results cannot be written to {0}, because the disk is full; "
                "make room, or choose another place.",
                path,
            ) from error
        reason = error.strerror or "unknown reason"
        raise ExportError("The results cannot be written to {0}: {1}.", path, reason) from error


def quotation(hit: DocumentHit, passage: Passage) -> str:
    """Return a passage with where it is from, to be put into a text of one's own."""
    said = [_title(hit), quoted(hit.author), _page(hit, passage), _place(hit)]
    return f"{passage_text(passage.text.strip())}\n\n— {', '.join(filter(None, said))}\n"


def _as_csv(results: SearchResults) -> str:
    written = io.StringIO(newline="")
    table = csv.writer(written, quoting=csv.QUOTE_ALL)
    table.writerow(_COLUMNS)
    for rank, hit in enumerate(results.hits, 1):
        for passage in hit.passages:
            names = (_title(hit), _place(hit), quoted(hit.author), quoted(hit.date))
            said = passage_text(passage.passage.text.strip())
            title, path, author, day, text = map(cell, (*names, said))
            number = passage.passage.page
            likely = "yes" if hit.is_likely else "no"
            score = round(passage.score, 6)
            table.writerow([rank, score, title, number, path, author, day, text, likely])
    return written.getvalue()


def cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula, which a document could have brought in.

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
        # What lies in a library of others is no file of this machine.
        path = _plain(_place(hit))
        parts.append(f"{path}\n" if hit.is_elsewhere else f"[{path}](<{link}>)\n")
        for passage in hit.passages:
            lines = passage.passage.text.strip().splitlines()
            block = "\n".join(f"> {_plain(passage_text(line.strip()))}".rstrip() for line in lines)
            page = _page(hit, passage.passage)
            parts.append(f"{block}\n>\n> — {page}\n" if page else f"{block}\n")
    return "\n".join(parts)


def _plain(text: str) -> str:
    r"""Text in which Markdown sees no markup.

    >>> print(_plain("# 2*3 [x]"))
    \# 2\*3 \[x\]
    >>> print(_plain("1. One"))
    1\. One
    """
    inline = _MARKUP.sub(r"\\\g<0>", text)
    return _MARKUP_OF_LINES.sub(r"\1\\\2", inline)


def _title(hit: DocumentHit) -> str:
    return quoted(" ".join(hit.title.split()) or hit.path.name)


def _place(hit: DocumentHit) -> str:
    """Return the path, behind the library's name where that is not one's own."""
    return ": ".join(filter(None, [quoted(hit.library), quoted(hit.path)]))


def _page(hit: DocumentHit, passage: Passage) -> str:
    """Return the page; "" for a document that is not known to have any."""
    return f"p. {passage.page}" if hit.has_page_images or passage.page > 1 else ""


def described(
    hits: Iterable[DocumentHit], descriptions: Mapping[Path, str]
) -> Iterator[tuple[str, str]]:
    """Yield the folders of one's own that hits lie in, each with what the person says of it.

    They are their words, and stand apart from what documents say.
    """
    own = [hit.path for hit in hits if not hit.library]
    for folder, said in descriptions.items():
        if any(path.is_relative_to(folder) for path in own):
            yield readable_path(folder), said


def _fields(results: SearchResults, descriptions: Mapping[Path, str]) -> dict[str, Any]:
    folders = [
        {"path": path, "description": said} for path, said in described(results.hits, descriptions)
    ]
    return {
        "query": results.query,
        "took_ms": round(results.took_ms, 2),
        # What was typed where `query` was searched for in its place, and what else may be meant.
        "typed": results.asked,
        "did_you_mean": results.offered,
        **({"folders": folders} if folders else {}),
        "results": [_hit_fields(rank, hit, results) for rank, hit in enumerate(results.hits, 1)],
        "named": [
            {"path": readable_path(one.path), "state": str(one.state), "reason": one.reason}
            for one in results.named
        ],
    }


def _hit_fields(rank: int, hit: DocumentHit, results: SearchResults) -> dict[str, Any]:
    best, *others = hit.passages
    tokens = {token.index: token.text for token in results.tokens}
    return {
        "rank": rank,
        "score": round(best.score, 6),
        "is_likely": hit.is_likely,
        "path": readable_path(hit.path),
        **({"library": hit.library} if hit.library else {}),
        "title": hit.title,
        "copies": [
            {"path": readable_path(copy.path), "is_exact": copy.is_exact} for copy in hit.copies
        ],
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
