"""A document as an entry of a bibliography, for LaTeX and for programs that keep references.

Nothing is looked up anywhere: it says what the document says of itself. Programs such as Zotero and
JabRef complete an entry by its DOI.
"""

from __future__ import annotations

import re
from typing import Final

from core.catalog.normalisation import fold
from core.printable import quoted
from core.responses import DocumentHit

# The form that nearly all DOIs have, as Crossref tells it, but for what may stand in a link.
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
    """Return the first DOI in a text; "" where there is none.

    >>> doi_in("See https://doi.org/10.1145/3397271.3401075.")
    '10.1145/3397271.3401075'
    >>> doi_in("(doi:10.1016/S0140-6736(20)30183-5)"), doi_in("10.2 of 12/7")
    ('10.1016/S0140-6736(20)30183-5', '')
    """
    match = _DOI.search(text)
    if match is None:
        return ""
    found = match[0]
    while found.endswith(")") and found.count(")") > found.count("("):
        found = found[:-1].rstrip(".,;:")
    return found


def bibtex(hit: DocumentHit, doi: str) -> str:
    """Return a document as an entry of BibTeX, with what is known of it.

    Args:
        hit: the document.
        doi: its DOI; "" where none is known.
    """
    year = hit.date[:4] if hit.date[:4].isdigit() else ""
    authors = authors_of(_line(hit.author))
    title = _line(hit.title) or quoted(hit.path.stem)
    fields = {
        "title": _escaped(title),
        "author": " and ".join(map(_escaped, authors)),
        "year": year,
        # Packages that make links of them want these as they are.
        "doi": doi,
        "url": f"https://doi.org/{doi}" if doi else "",
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{_key(authors, year, title)},", *lines, "}", ""])


def authors_of(said: str) -> list[str]:
    r"""Return the names in what a document says of its authors.

    >>> authors_of("Mouse, Anna; Rat, Bo"), authors_of("A. Mouse, B. Rat and C. Vole")
    (['Mouse, Anna', 'Rat, Bo'], ['A. Mouse', 'B. Rat', 'C. Vole'])
    >>> authors_of("Mouse,\nAnna"), authors_of(" ,\t")
    (['Mouse, Anna'], [])
    """
    names = []
    for part in _BETWEEN_NAMES.split(" ".join(said.split())):
        by_comma = [name.strip() for name in part.split(",")]
        # Of "Mouse, Anna" no half is a whole name, of "A. Mouse, B. Rat" each is.
        whole = len(by_comma) > 1 and all(" " in name for name in by_comma)
        names += by_comma if whole else [part.strip(" ,")]
    return [name for name in names if name]


def _key(authors: list[str], year: str, title: str) -> str:
    """Return what the entry is cited by: the first author's name, the year, a word of the title."""
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
