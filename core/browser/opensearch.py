"""The description of the page as a search engine, by which browsers add it to theirs."""

from __future__ import annotations

import base64
from functools import cache
from typing import Final
from xml.sax.saxutils import escape

from core.browser.address import BrowserAddress
from core.paths import RESOURCES

KIND: Final = "application/opensearchdescription+xml"
PAGE: Final = "opensearch.xml"


def described(address: BrowserAddress) -> str:
    """Return the description, in the form of OpenSearch 1.1.

    Source: https://github.com/dewitt/opensearch, draft 6.

    >>> "/secret/search?q={searchTerms}" in described(BrowserAddress(20000, "secret"))
    True
    """
    template = escape(f"{address.origin}{address.path('search')}?q={{searchTerms}}")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
        "  <ShortName>Winnow</ShortName>\n"
        "  <Description>Searches your own folders on this computer</Description>\n"
        "  <InputEncoding>UTF-8</InputEncoding>\n"
        f'  <Image width="16" height="16" type="image/svg+xml">{_picture()}</Image>\n'
        f'  <Url type="text/html" rel="results" method="get" template="{template}"/>\n'
        "</OpenSearchDescription>\n"
    )


@cache
def _picture() -> str:
    data = (RESOURCES / "icons" / "winnow.svg").read_bytes()
    return f"data:image/svg+xml;base64,{base64.b64encode(data).decode('ascii')}"
