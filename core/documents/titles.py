"""Which of the titles that a document's metadata give is a real one."""

from __future__ import annotations

import re

from core.documents.text import one_line

_LONGEST = 300
# What programs write where nobody gave a title.
_PLACEHOLDER = re.compile(
    r"(untitled|word document|no title|title|document|dokument|doc|unknown|unspecified"
    r"|unbenannt|sans titre|sin título|powerpoint presentation|adobe photoshop pdf|slide|print"
    r"|\(anonymous\)|none|null)"
    r"([ _-]*(document|page|file|presentation))?[ _-]*\d*",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"(microsoft (office )?(word|excel|powerpoint|publisher|visio|project|outlook|onenote|access)"
    r"( \d+)?|word|openoffice|libreoffice|acrobat|latex) - ",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"\.(docx?|docm|dotx?|rtf|odt|wpd|pdf|e?ps|dvi|tex|indd|qx[dp]|pages|pptx?|xlsx?|fm|p65|pmd|html?"
    r"|txt|md|tmp|ai|psd|tiff?|jpe?g|png|cdr|vsdx?)$",
    re.IGNORECASE,
)
_PATH = re.compile(r"^([a-z]:[\\/]|\\\\|/|file:|https?:)\S", re.IGNORECASE)


def real_title(raw: str | None) -> str:
    r"""Return a title from a file's metadata as one line, or "" if no person wrote it as a title.

    >>> real_title("Microsoft Word - report_v3.doc"), real_title("Untitled 1")
    ('', '')
    >>> real_title(" A Theory of\nJustice "), real_title("Microsoft Windows - Wikipedia")
    ('A Theory of Justice', 'Microsoft Windows - Wikipedia')
    """
    title = one_line(raw or "")
    if (
        not any(character.isalpha() for character in title)
        or _PLACEHOLDER.fullmatch(title)
        or _PROGRAM.match(title)
        or _FILE_NAME.search(title)
        or _PATH.match(title)
    ):
        return ""
    return shorten(title, _LONGEST)


def shorten(text: str, most: int) -> str:
    """Return `text` in at most `most` characters, cut at a word with an ellipsis.

    >>> shorten("The quick brown fox", 12)
    'The quick…'
    """
    if len(text) <= most:
        return text
    head = text[: most - 1]
    border = head.rfind(" ")
    return (head[:border] if border > most // 2 else head).rstrip() + "…"
