"""The targets of links, as they are searched and shown."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_SCHEME: Final = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")
# Schemes without an address, or whose address a person neither knows nor sees.
_NO_ADDRESS: Final = frozenset({"javascript", "data", "cid", "mid", "about", "blob", "vbscript"})
# Schemes that a person does not type.
_BARE: Final = frozenset({"mailto", "tel", "sms"})
# Characters of a query string. Longer ones are codes that identify the reader.
_LONGEST_QUERY: Final = 100
_BRACKETS: Final = "()<>[]{}.,;:!?\"'“”„«»"


def link_target(href: str | None, *, is_absolute: bool = False) -> str:
    """Return the target of a link as text; "" if it is no address.

    Query strings of more than 100 characters are left out.

    Args:
        href: The target as the document has it.
        is_absolute: Whether targets relative to the document are left out.

    >>> link_target("https://example.org/a?b=1#c"), link_target("mailto:anna@example.org")
    ('https://example.org/a?b=1#c', 'anna@example.org')
    >>> link_target("#top"), link_target("notes/a.md"), link_target("a.html", is_absolute=True)
    ('', 'notes/a.md', '')
    """
    target = "".join((href or "").split())
    match = _SCHEME.match(target)
    scheme = match[1].lower() if match else ""
    if not target or target.startswith("#") or scheme in _NO_ADDRESS:
        return ""
    if is_absolute and not scheme and not target.startswith("//"):
        return ""
    if scheme in _BARE:
        target = target[len(scheme) + 1 :]
    address, _, query = target.partition("?")
    return address if len(query) > _LONGEST_QUERY else target


# The code of a link's field in Word and RTF. WordPad writes the address without quotes.
_FIELD: Final = re.compile(r'\bHYPERLINK\s+(?:"([^"\n]+)"|([^\s"\\]+))', re.IGNORECASE)


def field_targets(codes: str) -> Iterator[str]:
    r"""Yield the targets in the codes of fields.

    >>> list(field_targets(r'HYPERLINK "https://a.example" \o "Tip" HYPERLINK \l "end"'))
    ['https://a.example']
    """
    return (match[1] or match[2] for match in _FIELD.finditer(codes))


def unseen(targets: Iterable[str], text: str) -> Iterator[str]:
    """Yield the targets that are no word of a text.

    >>> list(unseen(["a.org", "b.org"], "See (a.org)."))
    ['b.org']
    """
    words = {word.strip(_BRACKETS) for word in text.split()}
    return (target for target in targets if target.strip(_BRACKETS) not in words)
