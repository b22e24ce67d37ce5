"""Registration of Winnow in the configuration files of agents' programs on this computer.

Files and formats follow each program's documentation. All other contents of a file stay unchanged,
including the spelling of numbers; a file that cannot be written back like this is not changed.
"""

import json
import os
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Any, Final

from core.errors import WinnowError
from core.files import own_files
from core.files.paths import LaunchCommand

# The server's name in every file.
NAME: Final = "winnow"
# Claude Code also stores other data in its file; larger files are not settings.
_LARGEST_BYTES: Final = 64 << 20


class RegistrationError(WinnowError):
    """The file of an agent's program cannot be changed; the message says why and what to do."""


class _InexactError(Exception):
    """A file cannot be changed without changing other parts of it."""


@dataclass(frozen=True, slots=True)
class AgentProgram:
    """A program that runs agents.

    Attributes:
        key: its name on the command line.
        name: its display name.
        file: its configuration of servers, which may not exist.
        signs: paths of which at least one exists if the program is in use.
        table: the key of the servers in the file.
        names_transport: whether an entry has the type "stdio".
    """

    key: str
    name: str
    file: Path
    signs: tuple[Path, ...]
    table: str = "mcpServers"
    names_transport: bool = False

    @property
    def is_here(self) -> bool:
        """Whether it is in use on this computer."""
        return any(os.path.lexists(sign) for sign in self.signs)

    @property
    def backup(self) -> Path:
        """The path of the file's backup, made before Winnow last changed it."""
        return self.file.with_name(f"{self.file.name}.before-winnow")


class ConfigChange(Enum):
    """The change of an entry."""

    ADDED = auto()
    UPDATED = auto()
    REMOVED = auto()
    NONE = auto()


def agent_programs(
    home: Path, environment: Mapping[str, str], system: str = sys.platform
) -> tuple[AgentProgram, ...]:
    """Return the supported programs, installed or not.

    Args:
        home: the user's home folder.
        environment: variables that may change the location of some files.
        system: a value of `sys.platform`.
    """
    if system == "win32":
        config = Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    elif system == "darwin":
        config = home / "Library" / "Application Support"
    else:
        config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home)
    codex = Path(environment.get("CODEX_HOME") or home / ".codex")
    code = config / "Code" / "User"
    return (
        AgentProgram(
            "claude-code",
            "Claude Code",
            claude / ".claude.json",
            (claude / ".claude.json", home / ".claude"),
            names_transport=True,
        ),
        AgentProgram(
            "claude-desktop",
            "Claude Desktop",
            config / "Claude" / "claude_desktop_config.json",
            (config / "Claude",),
        ),
        AgentProgram("codex", "Codex", codex / "config.toml", (codex,), table="mcp_servers"),
        AgentProgram("cursor", "Cursor", home / ".cursor" / "mcp.json", (home / ".cursor",)),
        AgentProgram(
            "gemini", "Gemini CLI", home / ".gemini" / "settings.json", (home / ".gemini",)
        ),
        AgentProgram(
            "vscode",
            "Visual Studio Code",
            code / "mcp.json",
            (code,),
            table="servers",
            names_transport=True,
        ),
    )


def register(agent: AgentProgram, launch: LaunchCommand) -> ConfigChange:
    """Add the server to a program's file; return the change.

    Raises:
        RegistrationError: the file cannot be read or written, or has another server of that name.
    """
    entry = _entry(agent, launch)
    try:
        text = _read(agent)
        before = _servers(agent, text).get(NAME)
        if before == entry:
            return ConfigChange.NONE
        if before is not None and not _is_ours(before):
            raise RegistrationError(
                "{0} already has a different server named {1} in {2}. Rename that one and try "
                "again.",
                agent.name,
                NAME,
                agent.file,
            )
        _write(agent, text, _with(agent, text, entry))
    except (_InexactError, RecursionError) as error:
        raise RegistrationError(
            "{0} was left unchanged because it has comments or is not in the format of {1}. Add "
            "this yourself: {2}",
            agent.file,
            agent.name,
            _by_hand(agent, entry),
        ) from error
    return ConfigChange.ADDED if before is None else ConfigChange.UPDATED


def unregister(agent: AgentProgram) -> ConfigChange:
    """Remove the server from a program's file; return the change.

    Raises:
        RegistrationError: the file cannot be read or written.
    """
    try:
        text = _read(agent)
        before = _servers(agent, text).get(NAME)
        if before is None or not _is_ours(before):
            return ConfigChange.NONE
        _write(agent, text, _with(agent, text, None))
    except (_InexactError, RecursionError) as error:
        raise RegistrationError(
            "{0} was left unchanged because it has comments or is not in the format of {1}. "
            "Remove {2} from {3} yourself, if it is there.",
            agent.file,
            agent.name,
            NAME,
            agent.table,
        ) from error
    return ConfigChange.REMOVED


def _is_ours(entry: object) -> bool:
    """Return whether an entry starts `winnow mcp`, from any path."""
    if not isinstance(entry, dict):
        return False
    arguments = entry.get("args")
    words = [entry.get("command"), *(arguments if isinstance(arguments, list) else ())]
    texts = [word for word in words if isinstance(word, str)]
    program = os.path.basename(texts[0].replace("\\", "/")) if texts else ""  # noqa: PTH119
    is_module = texts[1:3] == ["-m", "app"]
    return "mcp" in texts[1:] and (program.lower().startswith("winnow") or is_module)


def _entry(agent: AgentProgram, launch: LaunchCommand) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": "stdio"} if agent.names_transport else {}
    entry |= {"command": launch.command, "args": list(launch.arguments)}
    if launch.environment:
        entry["env"] = dict(launch.environment)
    return entry


def _is_toml(agent: AgentProgram) -> bool:
    return agent.file.suffix == ".toml"


def _read(agent: AgentProgram) -> str:
    """Return the text of the file; "" if there is none."""
    # Reading a pipe would block forever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(agent.file, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise _InexactError("not a file")
            data = file.read(_LARGEST_BYTES + 1)
        if len(data) > _LARGEST_BYTES:
            raise _InexactError("too large")
        return data.decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise _InexactError from error
    except OSError as error:
        raise RegistrationError(
            "{0} cannot be read ({1}). Check its permissions.", agent.file, error.strerror
        ) from error


def _parsed(agent: AgentProgram, text: str) -> dict[str, Any]:
    """Return the parsed file, if all of it can be written back."""
    try:
        if _is_toml(agent):
            import tomllib

            return tomllib.loads(text)
        parsed = _json(text) if text.strip() else {}
    except ValueError as error:
        raise _InexactError from error
    if not isinstance(parsed, dict):
        raise _InexactError("not an object")
    return parsed


def _json(text: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: it is invalid, or would change when written back.
    """
    return json.loads(
        text,
        object_pairs_hook=_object,
        parse_constant=_as_number,
        parse_float=_as_number,
        parse_int=_as_number,
    )


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key occurs twice")
    return table


def _as_number(spelling: str) -> int | float:
    """Return a number, if it is written back with the same spelling.

    >>> _as_number("12"), _as_number("0.5")
    (12, 0.5)
    >>> _as_number("1.10")
    Traceback (most recent call last):
    ValueError: 1.10 would be written 1.1
    """
    value: int | float = int(spelling) if spelling.lstrip("-").isdecimal() else float(spelling)
    written = json.dumps(value)
    if written != spelling or written.endswith(("NaN", "Infinity")):
        raise ValueError(f"{spelling} would be written {written}")
    return value


def _servers(agent: AgentProgram, text: str) -> dict[str, Any]:
    servers = _parsed(agent, text).get(agent.table, {})
    if not isinstance(servers, dict):
        raise _InexactError("the servers are not a table")
    return servers


def _by_hand(agent: AgentProgram, entry: Mapping[str, Any]) -> str:
    """Return a line that the user can add to the file."""
    if _is_toml(agent):
        pairs = ", ".join(f"{key} = {_toml_value(value)}" for key, value in entry.items())
        return f"{agent.table}.{NAME} = {{ {pairs} }}"
    return json.dumps({agent.table: {NAME: entry}}, ensure_ascii=False)[1:-1]


def _with(agent: AgentProgram, text: str, entry: dict[str, Any] | None) -> str:
    """Return the file's text with the entry replaced or removed."""
    parsed = _parsed(agent, text)
    servers = {**parsed.get(agent.table, {})}
    servers.pop(NAME, None)
    if entry is not None:
        servers[NAME] = entry
    wanted = {**parsed, agent.table: servers}
    if not servers:
        del wanted[agent.table]
    newline = "\r\n" if "\r\n" in text else "\n"
    if not _is_toml(agent):
        new_text = json.dumps(wanted, indent=_indent(text), ensure_ascii=False) + "\n"
        if not _is_text(new_text):
            # A lone surrogate can only be written as an escape.
            new_text = json.dumps(wanted, indent=_indent(text)) + "\n"
        new_text = new_text.replace("\n", newline)
    else:
        new_text = _without_table(text)
        if entry is not None:
            added = _toml(agent, entry).replace("\n", newline)
            new_text = f"{new_text.rstrip()}{newline}{newline}{added}".lstrip()
    # TOML is edited as text, to keep comments; parsing verifies that nothing else has changed.
    parsed = _parsed(agent, new_text)
    if not parsed.get(agent.table):
        parsed.pop(agent.table, None)
    if parsed != wanted:
        raise _InexactError("other entries would change")
    return new_text


def _is_text(new_text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in new_text)


def _indent(text: str) -> int | str:
    r"""Return the indentation of the first indented line, as for `json.dumps`.

    >>> _indent('{\n    "a": 1\n}'), _indent('{\n\t"a": 1\n}'), _indent("")
    (4, '\t', 2)
    """
    for line in text.splitlines():
        space = line[: len(line) - len(line.lstrip())]
        if space:
            return space if "\t" in space else len(space)
    return 2


def _without_table(text: str) -> str:
    r"""Return TOML without the table of our server, from its header to the next one.

    >>> _without_table('a = 1\n[mcp_servers.winnow]\ncommand = "w"\n\n[b]\n')
    'a = 1\n[b]\n'
    """
    lines_left, is_ours = [], False
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("["):
            header = line.strip().replace(" ", "").replace('"', "")
            is_ours = header.startswith((f"[mcp_servers.{NAME}]", f"[mcp_servers.{NAME}."))
        if not is_ours:
            lines_left.append(line)
    return "".join(lines_left)


def _toml(agent: AgentProgram, entry: Mapping[str, Any]) -> str:
    lines = [f"[{agent.table}.{NAME}]"]
    lines += [f"{key} = {_toml_value(value)}" for key, value in entry.items()]
    return "\n".join(lines) + "\n"


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        pairs = ", ".join(f"{_quoted(name)} = {_quoted(text)}" for name, text in value.items())
        return f"{{ {pairs} }}"
    return f"[{', '.join(map(_quoted, value))}]" if isinstance(value, list) else _quoted(value)


def _quoted(text: str) -> str:
    """Return a TOML string, which is a JSON string except for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _write(agent: AgentProgram, before: str, after: str) -> None:
    """Write the file atomically, with a backup of the old one."""
    with RegistrationError.on_os_error(
        "{0} cannot be written ({1}). Check the free disk space and its permissions.", agent.file
    ):
        agent.file.parent.mkdir(parents=True, exist_ok=True)
        if before:
            # It may contain tokens of other servers.
            own_files.write(agent.backup, before.encode("utf-8"))
        own_files.write(agent.file, after.encode("utf-8"))
