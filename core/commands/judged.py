"""Judged passages of a person's own library, as they are listed in a file.

Either JSON, an object a line: `query`, `path`, and where a document has several passages `page` or
words of the passage as `text`. Or TREC's qrels: `query-id iteration path grade`, the queries
themselves in a file of their own (`query-id TAB query`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.errors import UsageError
from core.json_lines import lines, object_of, text_of


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of such a file; `where` it stands in words, `page` is None where it names none."""

    where: str
    query: str
    path: Path
    page: int | None = None
    text: str = ""


def read_judged(path: Path, queries: Path | None = None) -> list[Listed]:
    """What a file lists as right; grades of 0 or less, which call a passage wrong, are left out.

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
        raise UsageError(f"{path} names queries by their ids; add --queries FILE with their texts.")
    texts = _queries(queries)
    found = []
    for where, text in lines(path):
        columns = text.split()
        if len(columns) < 4:
            raise UsageError(f"{where}: there are {len(columns)} columns, not 4.")
        identifier, grade = columns[0], columns[-1]
        # A path may hold white space: all between the second column and the last is of it.
        named = text.split(None, 2)[2].rstrip()[: -len(grade)].rstrip()
        if identifier not in texts:
            raise UsageError(f"{where}: {queries} has no query {identifier!r}.")
        try:
            is_right = int(grade) > 0
        except ValueError as error:
            raise UsageError(f"{where}: the grade {grade!r} is not a whole number.") from error
        if is_right:
            found.append(Listed(where, texts[identifier], _place(named, path.parent)))
    return found


def _from_json(where: str, text: str, folder: Path) -> Listed:
    entry = object_of(text, where)
    page = entry.get("page")
    # True is a number to Python.
    if page is not None and (not isinstance(page, int) or isinstance(page, bool)):
        raise UsageError(f'{where}: "page" is not a whole number.')
    words = text_of(entry, "text", where) if "text" in entry else ""
    named = text_of(entry, "path", where)
    return Listed(where, text_of(entry, "query", where), _place(named, folder), page, words)


def _place(named: str, folder: Path) -> Path:
    return (folder / Path(named).expanduser()).resolve()


def _queries(path: Path) -> dict[str, str]:
    found = {}
    for where, text in lines(path):
        identifier, tab, query = text.partition("\t")
        if not tab or not query.strip():
            raise UsageError(f"{where}: a query is its id, a tab and its text.")
        found[identifier.strip()] = query.strip()
    return found
