"""The commands that serve a library to a team, and say who may ask."""

from __future__ import annotations

import contextlib
import os
import re
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

import click

from core import paths
from core.addresses import readable_path
from core.commands import terminal
from core.errors import FolderError, ModelError, UsageError

_PORT: Final = 8765
_DAYS: Final = re.compile(r"([1-9][0-9]{0,4})d")


@click.group(invoke_without_command=True)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where to listen; beyond this machine it needs TLS and a token.",
)
@click.option(
    "--port", default=_PORT, show_default=True, type=click.IntRange(0, 65535), help="0: a free one."
)
@click.option(
    "--tls-cert",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The certificate, with those that vouch for it, in PEM form.",
)
@click.option(
    "--tls-key",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The certificate's key, in PEM form.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="A name by which others reach this machine; may be given several times.",
)
@click.option(
    "--audit",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to note who asked and when; by default beside the library.",
)
@click.option(
    "--threads", type=click.IntRange(1, 256), help="How many searches at a time; one a processor."
)
@click.option(
    "--rate",
    type=click.FloatRange(0.1, 100_000),
    help="How many requests a second of one token; 20.",
)
@click.pass_context
def serve(
    context: click.Context,
    host: str,
    port: int,
    tls_cert: Path | None,
    tls_key: Path | None,
    names: tuple[str, ...],
    audit: Path | None,
    threads: int | None,
    rate: float | None,
) -> None:
    """Serve the library to a team, over HTTP, until Ctrl-C.

    Windows, scripts and agents can search it and read in it, and change nothing. It listens on
    this machine alone unless told otherwise. Without tokens, who works on this machine may search.
    """
    if context.invoked_subcommand is not None:
        return
    from dataclasses import replace

    try:
        from core.serving.http import server as serving
        from core.serving.http.limits import usual_limits
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"mcp", "starlette", "uvicorn"}:
            raise
        raise UsageError(
            "The server is not installed; pip install 'winnow[server]' adds it."
        ) from error
    from core.library.library import Library, LibraryOptions
    from core.serving.http.tokens import TokenFile

    limits = usual_limits()
    if threads is not None:
        limits = replace(limits, threads=threads)
    if rate is not None:
        limits = replace(limits, rate_per_s=rate, burst=max(round(rate * 3), 1))
    address = serving.Address(host, port, names, tls_cert, tls_key)
    with Library.open(options=LibraryOptions(is_read_only=True)) as library:
        tokens = TokenFile(library.home)
        serving.check(address, tokens)
        server = serving.made(library, address, limits, audit)
        with serving.bound(address) as listening:
            try:
                library.warm_up()
            except ModelError as error:
                terminal.say(f"{error} Found is by words alone.", is_error=True)
            url = address.url(listening.getsockname()[1])
            terminal.say(f"Serving {library.holdings().documents} documents at {url}")
            if not tokens.is_there:
                terminal.say(
                    "No token is asked for: who works on this machine may search. "
                    "winnow serve token add NAME changes that."
                )
            # Ctrl-C is how a server is ended: nothing was broken off.
            with contextlib.suppress(KeyboardInterrupt):
                server.run(sockets=[listening])
            terminal.say("The server has ended.")


@serve.group()
def token() -> None:
    """Say who may ask the server, and what they may see."""


@token.command()
@click.argument("name")
@click.option(
    "--folders",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="What it may see, with all that is in it; may be given several times. All by default.",
)
@click.option("--expires", metavar="DATE|DAYS", help="Its last day (2027-01-31), or how many: 30d.")
def add(name: str, folders: tuple[Path, ...], expires: str | None) -> None:
    """Give out a token for somebody; it is shown once.

    A server that runs takes it from now on.
    """
    from core.library.library import Library, LibraryOptions
    from core.serving.http.tokens import TokenFile

    expires_s = None if expires is None else _end_of(expires)
    with Library.open(options=LibraryOptions(is_read_only=True)) as library:
        roots = [folder.path for folder in library.folders()]
        places = [_checked(folder, roots) for folder in folders]
        secret = TokenFile(library.home).add(name, places, expires_s)
    terminal.say(secret)
    terminal.say(f"This is the token of {name}, and shown only now.", is_error=True)


@token.command(name="list")
def list_() -> None:
    """List the tokens, what they may see, and until when."""
    from core.serving.http.tokens import TokenFile

    for one in TokenFile(paths.home()).tokens():
        end = "never expires"
        if one.expires_s is not None:
            day = datetime.fromtimestamp(one.expires_s - 1, UTC).astimezone().date()
            end = f"until {day}" if one.is_valid(time.time()) else f"expired on {day}"
        seen = ", ".join(readable_path(folder) for folder in one.folders) or "all folders"
        terminal.say(f"{one.name}: {seen}; {end}")


@token.command()
@click.argument("name")
def revoke(name: str) -> None:
    """Take a token back; a server that runs refuses it from now on."""
    from core.serving.http.tokens import TokenFile

    TokenFile(paths.home()).revoke(name)
    terminal.say(f"The token of {name} is revoked.")


def _checked(folder: Path, roots: list[Path]) -> Path:
    place = Path(os.path.normpath(paths.absolute(folder)))
    if not any(place.is_relative_to(root) or root.is_relative_to(place) for root in roots):
        raise FolderError(
            "{0} is in none of the library's folders; winnow status tells which there are.", place
        )
    return place


def _end_of(expires: str) -> float:
    """Return the moment after the last day of a token, in seconds since 1970."""
    days = _DAYS.fullmatch(expires)
    try:
        if days is not None:
            return time.time() + timedelta(days=int(days[1])).total_seconds()
        day = date.fromisoformat(expires) + timedelta(days=1)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            "{0} is no day: write its last one as 2027-01-31, or how many days as 30d.",
            f"{expires!a}",
        ) from error
    end_s = datetime(day.year, day.month, day.day).astimezone().timestamp()
    if end_s <= time.time():
        raise UsageError("{0} has passed.", expires)
    return end_s
