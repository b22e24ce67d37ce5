"""`winnow serve`: serves a library to a team, and manages its tokens."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from core.addresses import readable_path
from core.commands import terminal
from core.errors import FolderError, ModelError, UsageError
from core.files import own_files, paths
from core.settings import chosen

if TYPE_CHECKING:
    from core.cluster.serve_answerer import ServeAnswerer
    from core.library.library import Library
    from core.requests import Answerer
    from core.serving.http.limits import ServerLimits
    from core.serving.http.server import Address

_PORT: Final = 8765
_REPLICAS: Final = 2
# The environment variable of the socket bound before the restart without a network.
_LISTENING: Final = "WINNOW_LISTENING"
_DAYS: Final = re.compile(r"([1-9][0-9]{0,4})d")


@click.group(invoke_without_command=True)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on. Addresses other than loopback require TLS and a token.",
)
@click.option(
    "--port",
    default=_PORT,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 for any free port.",
)
@click.option(
    "--tls-cert",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="TLS certificate with its chain, in PEM format.",
)
@click.option(
    "--tls-key",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Private key of the certificate, in PEM format.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Accept requests for this host name. Can be repeated.",
)
@click.option(
    "--audit",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the audit log to FILE. Default: in the library's folder.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    help="Number of concurrent searches. Default: one per CPU core.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0.1, 100_000),
    help="Limit requests per second and token. Default: 20.",
)
@click.option(
    "--ray",
    "cluster",
    envvar="WINNOW_RAY",
    metavar="ADDRESS",
    help="Serve from replicas on a Ray cluster: HOST:PORT or auto; local starts one on this "
    "machine. Requires --library.  [env: WINNOW_RAY]",
)
@click.option(
    "--replicas",
    type=click.IntRange(1, 1000),
    help=f"Number of replicas on the cluster. Default: {_REPLICAS}.",
)
@click.option(
    "--library",
    "published",
    metavar="FOLDER|URL",
    help="Published library for the replicas to serve; all machines must be able to reach it.",
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
    cluster: str | None,
    replicas: int | None,
    published: str | None,
) -> None:
    """Serve the library over HTTP until Ctrl-C.

    Winnow windows, scripts and AI agents can search and read the library, but not change it. By
    default the server listens on this machine only, and no token is required until one is added.

    \b
    Examples:
      winnow serve
      winnow serve token add anna
      winnow serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem --name winnow.example.org
    """
    if context.invoked_subcommand is not None:
        return
    serving = _server_module()
    from core.library.library import Library, LibraryOptions
    from core.serving.http.tokens import TokenFile

    if published is None and (replicas is not None or _is_typed(context, "cluster")):
        raise UsageError(
            "Replicas can serve published libraries only. Publish yours with winnow publish, and "
            "pass its location with --library."
        )
    if published is not None and not cluster:
        raise UsageError("--library requires --ray.")
    replica_count = 0 if published is None else replicas or _REPLICAS
    limits = _limits(threads, rate, replica_count)
    address = serving.Address(host, port, names, tls_cert, tls_key)
    if cluster and published is not None:
        _restrict_network(cluster, address)
    serving.check(address, TokenFile(paths.home()))
    with contextlib.ExitStack() as stack:
        answerer: Answerer
        if cluster and published is not None:
            replicated = _replicated(cluster, published, replica_count, limits.deadline_s)
            answerer = stack.enter_context(replicated)
        else:
            answerer = stack.enter_context(Library.open(options=LibraryOptions(is_read_only=True)))
        server = serving.build_server(answerer, paths.home(), address, limits, audit)
        listening = stack.enter_context(_listening(address))
        if isinstance(answerer, Library):
            _warm_up(answerer)
        _announce(answerer, address.url(listening.getsockname()[1]))
        # Ctrl-C is how a server is ended: nothing was broken off.
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
        terminal.say("The server has stopped.")


def _server_module() -> ModuleType:
    """Return `core.serving.http.server`.

    Raises:
        UsageError: the packages of the extra `server` are missing.
    """
    with terminal.requiring(terminal.NO_SERVER, "mcp", "starlette", "uvicorn"):
        from core.serving.http import server
    return server


def _limits(threads: int | None, rate: float | None, replicas: int) -> ServerLimits:
    """Return the server's limits: this machine's, or those for replicas, with the given changes."""
    from core.cluster.serve_deployment import CALLS_PER_REPLICA
    from core.serving.http.limits import usual_limits

    limits = usual_limits()
    if replicas:
        # Threads only wait for replicas.
        limits = replace(limits, threads=replicas * CALLS_PER_REPLICA)
    if threads is not None:
        limits = replace(limits, threads=threads)
    if rate is not None:
        limits = replace(limits, rate_per_s=rate, burst=max(round(rate * 3), 1))
    return limits


def _warm_up(library: Library) -> None:
    """Load the model; without it the library is searched by words only."""
    try:
        library.warm_up()
    except ModelError as error:
        terminal.say(f"{error} Searching by words only.", is_error=True)


def _announce(answerer: Answerer, url: str) -> None:
    """Say what is served where, and whether a token is required."""
    from core.requests import CountDocuments
    from core.serving.http.tokens import TokenFile

    terminal.say(f"Serving {answerer.answer(CountDocuments()).documents} documents at {url}")
    if not TokenFile(paths.home()).is_there:
        terminal.say(
            "No token is required: everyone on this machine may search. Run winnow serve "
            "token add NAME to require one."
        )


def _is_typed(context: click.Context, name: str) -> bool:
    """Return whether an option was given, and not only the variable that `winnow index` reads."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _restrict_network(cluster: str, address: Address) -> None:
    """Restart this program with loopback as its only network, if it starts a cluster itself.

    The socket is bound before and passed on: others reach the server, but not the cluster.
    """
    from core.cluster import loopback
    from core.cluster.connection import LOCAL, require_ray
    from core.serving.http import server as serving
    from core.serving.http.tokens import TokenFile

    require_ray()
    if cluster == LOCAL and _LISTENING not in os.environ and loopback.needs_namespace():
        serving.check(address, TokenFile(paths.home()))
        with serving.bound(address) as listening:
            listening.set_inheritable(True)
            os.environ[_LISTENING] = str(listening.fileno())
            loopback.enter()


def _listening(address: Address) -> socket.socket:
    """Return the listening socket: bound now, or before this program was restarted."""
    from core.serving.http import server as serving

    descriptor = os.environ.pop(_LISTENING, None)
    return serving.bound(address) if descriptor is None else socket.socket(fileno=int(descriptor))


@contextlib.contextmanager
def _replicated(
    cluster: str, published: str, replicas: int, deadline_s: float
) -> Iterator[ServeAnswerer]:
    """Deploy a published library on a cluster, and print the number of ready replicas."""
    from core.cluster.serve_answerer import Deployment, deployed

    def report(running: int) -> None:
        if running < replicas:
            terminal.say(
                f"The cluster has capacity for {running} of {replicas} replicas. The others start "
                "when machines are added.",
                is_error=True,
            )

    own_files.make_folder(paths.home())
    # As the server's own settings say; a published library does not choose its model.
    model = chosen(paths.home() / "settings.json").model
    deployment = Deployment(published, replicas, model, deadline_s)
    with deployed(cluster, deployment, report) as answerer:
        yield answerer


@serve.group()
def token() -> None:
    """Manage the tokens for access to the server.

    \b
    Examples:
      winnow serve token add anna --folders ~/Shared --expires 30d
      winnow serve token list
    """


@token.command()
@click.argument("name")
@click.option(
    "--folders",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Limit the token to FOLDER and its subfolders. Can be repeated. Default: all folders.",
)
@click.option(
    "--expires", metavar="DATE|DAYS", help="Last valid day (2027-01-31), or number of days (30d)."
)
def add(name: str, folders: tuple[Path, ...], expires: str | None) -> None:
    """Create a token named NAME and print it; it is shown only once.

    A running server accepts it immediately.

    \b
    Examples:
      winnow serve token add anna
      winnow serve token add guest --folders ~/Shared --expires 30d
    """
    from core.library.library import Library, LibraryOptions
    from core.serving.http.tokens import TokenFile

    expires_s = None if expires is None else _end_of(expires)
    with Library.open(options=LibraryOptions(is_read_only=True)) as library:
        roots = [folder.path for folder in library.folders()]
        checked = [_checked(folder, roots) for folder in folders]
        secret = TokenFile(library.home).add(name, checked, expires_s)
    terminal.say(secret)
    terminal.say(f"Token of {name}; it is shown only once.", is_error=True)


@token.command(name="list")
def list_() -> None:
    """List the tokens with their folders and expiry dates.

    \b
    Examples:
      winnow serve token list
    """
    from core.serving.http.tokens import TokenFile

    for listed in TokenFile(paths.home()).tokens():
        end = "never expires"
        if listed.expires_s is not None:
            day = datetime.fromtimestamp(listed.expires_s - 1, UTC).astimezone().date()
            end = f"until {day}" if listed.is_valid(time.time()) else f"expired on {day}"
        seen = ", ".join(readable_path(folder) for folder in listed.folders) or "all folders"
        terminal.say(f"{listed.name}: {seen}; {end}")


@token.command()
@click.argument("name")
def revoke(name: str) -> None:
    """Revoke the token NAME; a running server rejects it immediately.

    \b
    Examples:
      winnow serve token revoke anna
    """
    from core.serving.http.tokens import TokenFile

    TokenFile(paths.home()).revoke(name)
    terminal.say(f"Revoked the token of {name}.")


def _checked(folder: Path, roots: list[Path]) -> Path:
    path = Path(os.path.normpath(paths.absolute(folder)))
    if not any(path.is_relative_to(root) or root.is_relative_to(path) for root in roots):
        raise FolderError(
            "{0} is not in a folder of the library. Run winnow status to list its folders.", path
        )
    return path


def _end_of(expires: str) -> float:
    """Return the moment after the last day of a token, in seconds since 1970."""
    days = _DAYS.fullmatch(expires)
    try:
        if days is not None:
            return time.time() + timedelta(days=int(days[1])).total_seconds()
        day = date.fromisoformat(expires) + timedelta(days=1)
    except (ValueError, OverflowError) as error:
        raise UsageError(
            "{0} is not a valid expiry. Use a date such as 2027-01-31, or a number of days such "
            "as 30d.",
            f"{expires!a}",
        ) from error
    end_s = datetime(day.year, day.month, day.day).astimezone().timestamp()
    if end_s <= time.time():
        raise UsageError("The date {0} is in the past.", expires)
    return end_s
