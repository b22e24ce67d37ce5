"""Options that several commands of the laboratory share."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

unrelated: Final = click.option(
    "--unrelated",
    multiple=True,
    metavar="SET",
    type=click.Path(path_type=Path),
    help="Add the documents of another set, which answer none of the queries. May be repeated.",
)
