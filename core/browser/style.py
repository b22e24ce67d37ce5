"""How the page looks: one style sheet, which stands in each page, and what allows it alone."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Final

from core.palette import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Scheme

# The lines under lit words, as in the window: who sees colours otherwise tells the words by them.
_LINES: Final = ("solid", "dashed", "double", "dotted", "dashed")
_COLOURS: Final = (
    "window",
    "surface",
    "text",
    "muted",
    "faint",
    "line",
    "accent",
    "on_accent",
    "warning",
    "warning_surface",
)
_SHEET: Final = """
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,sans-serif;background:var(--window);color:var(--text)}
body{max-width:52rem;margin:0 auto;padding:1rem 1.25rem 3rem;overflow-wrap:anywhere}
a{color:var(--accent)}
a:focus-visible,input:focus-visible,button:focus-visible{outline:3px solid var(--accent);\
outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{position:static}
form{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center;margin:.5rem 0 1.25rem}
form label:first-child{flex-basis:100%;font-weight:600}
input[type=search]{flex:1 1 16rem;font:inherit;padding:.5rem .75rem;color:var(--text);\
background:var(--surface);border:1px solid var(--faint);border-radius:8px}
button{font:inherit;padding:.5rem 1rem;border:0;border-radius:8px;background:var(--accent);\
color:var(--on-accent);cursor:pointer}
h1{font-size:1.15rem;margin:.5rem 0}
h2{font-size:1rem;margin:1.5rem 0 .25rem}
article h2{font-size:1.05rem;margin:0}
ol,ul{list-style:none;margin:0;padding:0}
article{background:var(--surface);border:1px solid var(--line);border-radius:10px;\
padding:.75rem 1rem;margin:.6rem 0}
.place,.more,footer{color:var(--muted);font-size:.875rem;margin:.1rem 0}
.text{margin:.4rem 0 0;white-space:pre-line}
.notice{background:var(--warning-surface);color:var(--warning);border-radius:8px;\
padding:.5rem .75rem}
article.here{border:2px solid var(--accent)}
nav ul{display:flex;gap:1rem;flex-wrap:wrap}
nav{margin:1.25rem 0}
mark{color:inherit;background:none;border-radius:2px;padding:0 1px}
"""


@cache
def sheet() -> str:
    """Return the style sheet: the window's colours, light or dark as the system has them."""
    return "".join(
        (
            "\n",
            _colours(LIGHT),
            _media("prefers-color-scheme:dark", DARK),
            _media("prefers-contrast:more", LIGHT_CONTRAST),
            _media("(prefers-contrast:more) and (prefers-color-scheme:dark)", DARK_CONTRAST),
            _SHEET.lstrip("\n"),
            *(
                f"mark.w{number}{{background:var(--lit{number});"
                f"border-bottom:{_width(number)} {_LINES[number % len(_LINES)]} "
                f"var(--word{number})}}\n"
                for number in range(len(LIGHT.words))
            ),
        )
    )


@cache
def policy() -> str:
    """Return what a page may do, as the header Content-Security-Policy has it: nothing.

    But have this style sheet, and send its form to where it came from.
    """
    digest = base64.b64encode(hashlib.sha256(sheet().encode()).digest()).decode("ascii")
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    )


def word_class(word: int) -> str:
    """Return the class of a stretch that the query's word number `word` lights.

    >>> word_class(0), word_class(9)
    ('w0', 'w1')
    """
    return f"w{word % len(LIGHT.words)}"


def _width(number: int) -> str:
    return "3px" if _LINES[number % len(_LINES)] == "double" else "2px"


def _media(condition: str, scheme: Scheme) -> str:
    condition = condition if condition.startswith("(") else f"({condition})"
    return f"@media {condition}{{{_colours(scheme).rstrip()}}}\n"


def _colours(scheme: Scheme) -> str:
    said = [f"--{name.replace('_', '-')}:{getattr(scheme, name)}" for name in _COLOURS]
    alpha = f"{round(255 * scheme.lit_alpha):02x}"
    for number, colour in enumerate(scheme.words):
        said += [f"--word{number}:{colour}", f"--lit{number}:{colour}{alpha}"]
    kind = "dark" if scheme.is_dark else "light"
    return f":root{{color-scheme:{kind};{';'.join(said)}}}\n"
