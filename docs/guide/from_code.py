"""Parts of the guide that are generated from the code, so that they always match it.

A page has a line `<!-- from the code: NAME -->` where the part of that name in `PARTS` goes.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import click

from core import cli
from core.documents.formats import FORMATS
from core.search.query.operators import OPERATORS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from core.serving.mcp.tools import Tools

_MARK: Final = re.compile(r"^<!-- from the code: (\w+) -->$", re.MULTILINE)


# Suffixes per row of the table of formats.
_SHOWN: Final = 10


def formats_table() -> str:
    """Return the table of formats."""
    rows = ["| Format | Files |", "|---|---|"]
    for format_ in FORMATS:
        shown = ", ".join(f"`{suffix}`" for suffix in format_.suffixes[:_SHOWN])
        more = " and others" if len(format_.suffixes) > _SHOWN else ""
        words = ", and with text recognition its text" if format_.drawer else ""
        how = f": captions, people, places, tags{words}" if format_.is_picture else ""
        rows.append(f"| {format_.name}{how} | {shown}{more} |")
    return "\n".join(rows)


def fill_in(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Put the parts in the places of a page that are marked for them."""
    source[0] = _MARK.sub(lambda match: PARTS[match[1]](), source[0])


def query_language() -> str:
    """Every operator of the query language, its meaning, and an example."""
    rows = ((_code(one.form), _plain(one.meaning), _code(one.example)) for one in OPERATORS)
    return _table(("Syntax", "Finds", "Example"), rows)


def commands() -> str:
    """Every command of the command line, with its arguments and options."""
    parts = []
    for name, command in _every(cli.commands):
        context = click.Context(command, info_name=f"winnow {name}")
        usage = " ".join(command.collect_usage_pieces(context))
        parts.append(f"## winnow {name}\n\n```text\nwinnow {name} {usage}\n```\n")
        parts += map(_paragraph, inspect.cleandoc(command.help or "").split("\n\n"))
        options = [one for one in command.params if isinstance(one, click.Option)]
        rows = (_option(one, context) for one in options)
        if options:
            parts.append(_table(("Option", "Description"), rows))
    return "\n".join(parts)


def _paragraph(text: str) -> str:
    r"""Return a paragraph of a command's help; click marks examples with a backspace.

    >>> print(_paragraph("\b\nExamples:\n  winnow status"))
    ```text
    winnow status
    ```
    <BLANKLINE>
    """
    if not text.startswith("\b\n"):
        return f"{_plain(text)}\n"
    _, _, examples = text.removeprefix("\b\n").partition("\n")
    return f"```text\n{inspect.cleandoc(examples)}\n```\n"


def _every(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield a group's commands by their names, each followed by those that belong to it."""
    for name, command in group.commands.items():
        yield f"{before}{name}", command
        if isinstance(command, click.Group):
            yield from _every(command, f"{before}{name} ")


def tools() -> str:
    """List the tools of agents and their arguments."""
    from core.serving.mcp.server import server

    # Listing them asks no library for anything.
    listed = asyncio.run(server(cast("Callable[[], Tools]", None)).list_tools())
    parts = []
    for tool in listed:
        about = " ".join((tool.description or "").split())
        parts.append(f"### {tool.name}\n\n{_plain(about)}\n")
        fields = tool.input_schema["properties"]
        required = tool.input_schema.get("required", ())
        rows = (
            (_code(name), _plain(_described(name, field)), _default(name, field, required))
            for name, field in fields.items()
        )
        parts.append(_table(("Argument", "Description", "Default"), rows))
    return "\n".join(parts)


def _described(name: str, field: dict[str, Any]) -> str:
    # The query language has its own page.
    return "A question or keywords." if name == "query" else field["description"]


def _default(name: str, field: dict[str, Any], required: Sequence[str]) -> str:
    if name in required:
        return "required"
    default = field.get("default")
    return "any" if default in (None, []) else _code(str(default))


def _option(option: click.Option, context: click.Context) -> tuple[str, str]:
    record = option.get_help_record(context)
    assert record is not None, f"{option.name} is hidden"
    names, about = record
    return _code(names), _plain(about)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def _code(text: str) -> str:
    r"""Text as it is typed.

    >>> print(_code("topk:K|topp:P"))
    `topk:K\|topp:P`
    """
    return "`" + text.replace("|", "\\|") + "`"


def _plain(text: str) -> str:
    r"""Text in which nothing is markup, and code stays code.

    >>> print(_plain("<b> *.bak [default: x|y]"))
    \<b> \*.bak \[default: x\|y\]
    """
    return re.sub(r"[\\*_\[\]<|]", r"\\\g<0>", text)


PARTS: Final[dict[str, Callable[[], str]]] = {
    "query_language": query_language,
    "formats": formats_table,
    "commands": commands,
    "tools": tools,
}
