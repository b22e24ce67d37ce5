"""`winnow mcp`: serves the library to agents, and registers Winnow in their programs."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from core.addresses import readable_path
from core.commands import terminal
from core.errors import Cancelled, UsageError
from core.federation.library_list import added_libraries, open_all
from core.files.paths import launch_command
from core.progress import Job
from core.serving.mcp import registration

if TYPE_CHECKING:
    from core.library.library import Library
    from core.requests import Answerer

# Their first response waits until their index is open.
_PATIENCE_S: Final = 20.0
_REFRESHED_EACH_S: Final = 600.0
_PORT: Final = 8766
_HOLDER: Final = "agents"
_NO_AGENTS: Final = "Support for AI agents is not installed. Run: pip install 'winnow-search[mcp]'."


@click.command()
@click.option(
    "--own", "only_own", is_flag=True, help="Search your own library only, without added libraries."
)
@click.option(
    "--http",
    "port",
    is_flag=False,
    flag_value=_PORT,
    type=click.IntRange(0, 65535),
    metavar="[PORT]",
    help="Serve over HTTP on this machine only, with a token, until Ctrl-C. Default port: "
    f"{_PORT}; 0 for any free port.",
)
@click.option(
    "--new-token", is_flag=True, help="With --http, create a new token and revoke the old one."
)
@click.option(
    "--install",
    "change",
    flag_value="install",
    help="Register Winnow with the agent programs on this computer, in their configuration files.",
)
@click.option(
    "--uninstall",
    "change",
    flag_value="uninstall",
    help="Remove Winnow from these configuration files.",
)
@click.option(
    "--agent",
    "chosen",
    multiple=True,
    type=click.Choice([agent.key for agent in registration.agent_programs(Path(), {})]),
    help="With --install or --uninstall, change this program only. Can be repeated.",
)
def mcp(
    only_own: bool, port: int | None, new_token: bool, change: str | None, chosen: tuple[str, ...]
) -> None:
    """Serve the library to AI agents (MCP).

    Agent programs start this Model Context Protocol server themselves and talk to it on standard
    input and output; use --http for programs that connect to an address. Agents can search and
    read the documents in your library and the added libraries, and cannot change anything.

    \b
    Examples:
      winnow mcp --install
      winnow mcp --install --agent claude-code
      winnow mcp --http
    """
    if chosen and change is None:
        raise UsageError("--agent requires --install or --uninstall.")
    if port is not None and change is not None:
        raise UsageError("--http cannot be used with --install or --uninstall.")
    if new_token and port is None:
        raise UsageError("--new-token requires --http.")
    if change == "uninstall":
        _uninstall(chosen)
        return
    with terminal.requiring(_NO_AGENTS, "mcp"):
        from core.serving.mcp.server import server
    if change == "install":
        _install(chosen, only_own=only_own)
        return
    from core.daemon_client.client import ServiceAnswerer
    from core.files import paths
    from core.library.library import Library, LibraryOptions
    from core.serving.mcp.tools import Tools

    with contextlib.ExitStack() as stack:
        # While the service runs, no model is loaded for each agent.
        options = LibraryOptions(is_read_only=True, service=ServiceAnswerer(paths.home()))
        library = stack.enter_context(Library.open(options=options))
        searched = stack.enter_context(_searching(library, only_own=only_own))
        if port is not None:
            _serve(library, searched, port, is_token_new=new_token)
        else:
            server(lambda: Tools(searched)).run("stdio")


def _serve(library: Library, searched: Answerer, port: int, *, is_token_new: bool) -> None:
    """Answer over HTTP until Ctrl-C, and print the settings for an agent's program."""
    with terminal.requiring(terminal.NO_SERVER, "starlette", "uvicorn"):
        from core.serving.http import server as serving
        from core.serving.http.limits import usual_limits
        from core.serving.http.tokens import OWN_AGENTS_FILE, TokenFile

    address = serving.Address(port=port)
    with serving.bound(address) as listening:
        url = f"{address.url(listening.getsockname()[1])}/mcp"
        tokens = TokenFile(library.home, OWN_AGENTS_FILE)
        if is_token_new:
            for token in tokens.tokens():
                tokens.revoke(token.name)
        if tokens.tokens():
            terminal.say(
                "Use the token that was shown before, or create a new one with winnow mcp --http "
                "--new-token."
            )
        else:
            secret = tokens.add(_HOLDER, (), None)
            headers = {"Authorization": f"Bearer {secret}"}
            entry = {"type": "http", "url": url, "headers": headers}
            terminal.say(
                "Add this to the agent program's configuration. The token is shown only once:"
            )
            terminal.say(json.dumps({"mcpServers": {"winnow": entry}}))
        http_server = serving.build_server(
            searched, library.home, address, usual_limits(), is_own=True
        )
        terminal.say(f"Serving agents at {url}, on this machine only.")
        # Ctrl-C is how it is ended: nothing was broken off.
        with contextlib.suppress(KeyboardInterrupt):
            http_server.run(sockets=[listening])
        terminal.say("The server has stopped.")


def _install(chosen: Sequence[str], *, only_own: bool) -> None:
    launch = launch_command("mcp", *(["--own"] if only_own else []))
    sentences = {
        registration.ConfigChange.ADDED: "added Winnow to {}; restart the program.",
        registration.ConfigChange.UPDATED: "updated Winnow's entry in {}; restart the program.",
        registration.ConfigChange.NONE: "Winnow is already registered in {}.",
    }
    _change_each(chosen, lambda agent: registration.register(agent, launch), sentences)


def _uninstall(chosen: Sequence[str]) -> None:
    sentences = {
        registration.ConfigChange.REMOVED: "removed Winnow from {}.",
        registration.ConfigChange.NONE: "Winnow is not registered in {}.",
    }
    _change_each(chosen, registration.unregister, sentences)


def _change_each(
    chosen: Sequence[str],
    change: Callable[[registration.AgentProgram], registration.ConfigChange],
    sentences: Mapping[registration.ConfigChange, str],
) -> None:
    """Change the file of each installed or chosen program, and report the changes.

    Raises:
        UsageError: the program is not supported.
        RegistrationError: a file was left alone; the others were changed.
    """
    known = registration.agent_programs(Path.home(), os.environ)
    agents = [agent for agent in known if (agent.key in chosen if chosen else agent.is_here)]
    if not agents:
        names = ", ".join(agent.name for agent in known)
        raise UsageError(
            "No supported agent program was found ({0}). The guide's page on AI agents explains "
            "how to connect another one.",
            names,
        )
    problems: list[registration.RegistrationError] = []
    for agent in agents:
        try:
            done = change(agent)
        except registration.RegistrationError as error:
            problems.append(error)
            continue
        terminal.say(f"{agent.name}: {sentences[done].format(readable_path(agent.file))}")
        if done is not registration.ConfigChange.NONE and agent.backup.exists():
            terminal.say(f"  Backup of the previous file: {readable_path(agent.backup)}")
    for problem in problems[:-1]:
        terminal.say(problem.message, is_error=True)
    if problems:
        raise problems[-1]


@contextlib.contextmanager
def _searching(library: Library, *, only_own: bool) -> Iterator[Answerer]:
    """Open the added libraries, if they are searched, and refresh them until the end."""
    from core.federation.federation import Federation
    from core.federation.source import LibrarySource

    federation = Federation(LibrarySource("", library), deadline_s=_PATIENCE_S)
    if only_own or not added_libraries(library.home):
        yield federation
        return
    is_over, job = threading.Event(), Job()

    def keep_fresh() -> None:
        with contextlib.suppress(Cancelled):
            while not is_over.is_set():
                federation.refresh(job)
                is_over.wait(_REFRESHED_EACH_S)

    fresh = threading.Thread(target=keep_fresh, name="news", daemon=True)
    try:
        for source, is_on in open_all(library.home, library):
            federation.add(source, is_on=is_on)
        fresh.start()
        yield federation
    finally:
        is_over.set()
        job.cancel()
        if fresh.ident is not None:
            fresh.join()
        federation.close()
