"""Winnow among the servers of agents' programs: added, kept up to date, and taken out again."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files.paths import LaunchCommand
from core.serving.mcp.registration import (
    AgentProgram,
    ConfigChange,
    RegistrationError,
    agent_programs,
    register,
    unregister,
)
from tests.conftest import Run

LAUNCH = LaunchCommand("/opt/winnow/winnow", ("mcp",))
KEYS = [agent.key for agent in agent_programs(Path(), {})]
CODEX = """# My settings
model = "o9"  # the best one

[mcp_servers.winnow2]
command = "other"

[mcp_servers.weather]
command = "weather"
args = ["[mcp_servers.winnow]"]

[tui]
theme = "dark"
"""


def agent(key: str, home: Path, environment: Mapping[str, str] | None = None) -> AgentProgram:
    (found,) = [one for one in agent_programs(home, environment or {}, "linux") if one.key == key]
    return found


def read(agent: AgentProgram) -> dict[str, Any]:
    text = agent.file.read_text(encoding="utf-8")
    return tomllib.loads(text) if agent.file.suffix == ".toml" else json.loads(text)


@pytest.mark.parametrize("key", KEYS)
def test_a_program_without_a_file_is_registered_and_unregistered(key: str, tmp_path: Path) -> None:
    program = agent(key, tmp_path)
    assert register(program, LAUNCH) is ConfigChange.ADDED
    (entry,) = read(program)[program.table].values()
    assert (entry["command"], entry["args"]) == ("/opt/winnow/winnow", ["mcp"])
    assert "env" not in entry
    assert not program.backup.exists()
    assert register(program, LAUNCH) is ConfigChange.NONE
    elsewhere = LaunchCommand("/usr/bin/winnow", ("mcp", "--own"), {"WINNOW_HOME": '/a "b"/ß'})
    assert register(program, elsewhere) is ConfigChange.UPDATED
    (entry,) = read(program)[program.table].values()
    assert entry["env"] == {"WINNOW_HOME": '/a "b"/ß'}
    assert unregister(program) is ConfigChange.REMOVED
    assert read(program) == {}
    assert unregister(program) is ConfigChange.NONE


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
SERVERS = st.dictionaries(st.text().filter(lambda name: name != "winnow"), VALUES, min_size=1)


@settings(max_examples=40)
@given(rest=st.dictionaries(st.text(), VALUES, max_size=4), servers=SERVERS)
def test_all_else_stays_as_it_was(
    rest: dict[str, Any], servers: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    program = agent("cursor", tmp_path_factory.mktemp("home"))
    before = {**rest, "mcpServers": servers}
    program.file.parent.mkdir(exist_ok=True)
    program.file.write_text(json.dumps(before), encoding="utf-8")
    register(program, LAUNCH)
    assert list(read(program)["mcpServers"]) == [*servers, "winnow"]
    unregister(program)
    assert read(program) == before
    assert list(read(program)) == list(before)


def test_in_toml_comments_and_all_else_stay_as_they_were(tmp_path: Path) -> None:
    program = agent("codex", tmp_path)
    program.file.parent.mkdir()
    program.file.write_text(CODEX, encoding="utf-8")
    register(program, LaunchCommand("winnow", ("mcp",), {"WINNOW_HOME": "/x"}))
    text = program.file.read_text(encoding="utf-8")
    assert text.startswith(CODEX.rstrip())
    assert read(program)["mcp_servers"]["winnow"] == {
        "command": "winnow",
        "args": ["mcp"],
        "env": {"WINNOW_HOME": "/x"},
    }
    # Something that the person wrote behind it, with a table of ours that they made long.
    longer = text.replace('env = { "WINNOW_HOME" = "/x" }', "")
    longer += '\n[mcp_servers.winnow.env]\nWINNOW_HOME = "/y"\n\n[last]\na = 1\n'
    program.file.write_text(longer, encoding="utf-8")
    assert unregister(program) is ConfigChange.REMOVED
    left = program.file.read_text(encoding="utf-8")
    assert left.split("[last]")[0].rstrip() == CODEX.rstrip()
    assert read(program)["last"] == {"a": 1}
    assert program.backup.read_text(encoding="utf-8") == longer


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("vscode", '{\n  // mine\n  "servers": {}\n}'),
        ("cursor", "[]"),
        ("gemini", '{"mcpServers": []}'),
        ("claude-code", '{"mcpServers": {'),
        ("claude-code", "[" * 100_000),
        ("codex", 'mcp_servers = { a = { command = "b" } }'),
        ("codex", "a = = 1"),
        ("codex", '[mcp_servers]\nwinnow = { command = "winnow", args = ["mcp"] }'),
        ("codex", 'a = """\n[mcp_servers.winnow]\n"""'),
        ("codex", "a = nan"),
        ("cursor", '{"mcpServers": {"a": 1}, "mcpServers": {"b": 2}}'),
        ("cursor", '{"a": {"b": 1, "b": 1}}'),
        ("cursor", '{"a": NaN}'),
        ("cursor", '{"a": [-Infinity]}'),
        ("cursor", '{"a": 1e999}'),
        ("cursor", '{"a": 1.10}'),
        ("cursor", '{"a": -0}'),
        ("cursor", '{"a": 1E5}'),
        ("cursor", '{"a": 0.1000000000000000055511151231257827}'),
    ],
)
def test_an_ambiguous_configuration_is_left_alone(key: str, text: str, tmp_path: Path) -> None:
    program = agent(key, tmp_path)
    program.file.parent.mkdir(parents=True, exist_ok=True)
    program.file.write_text(text, encoding="utf-8")
    with pytest.raises(RegistrationError, match="was left unchanged") as caught:
        register(program, LAUNCH)
    assert str(program.file) in caught.value.message
    line = caught.value.message.partition("yourself: ")[2]
    parsed = tomllib.loads(line) if key == "codex" else json.loads(f"{{{line}}}")
    assert parsed[program.table]["winnow"]["command"] == LAUNCH.command
    with contextlib.suppress(RegistrationError):
        assert unregister(program) is ConfigChange.NONE
    assert program.file.read_text(encoding="utf-8") == text
    assert not program.backup.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_in_a_files_place_is_not_waited_for(tmp_path: Path) -> None:
    for key in ("cursor", "codex"):
        program = agent(key, tmp_path)
        program.file.parent.mkdir()
        os.mkfifo(program.file)
        with pytest.raises(RegistrationError, match="was left unchanged"):
            register(program, LAUNCH)


def test_ends_of_lines_and_halves_of_characters_stay(tmp_path: Path) -> None:
    program = agent("cursor", tmp_path)
    program.file.parent.mkdir()
    program.file.write_bytes(b'{\r\n  "a": "\\ud800"\r\n}\r\n')
    register(program, LAUNCH)
    data = program.file.read_bytes()
    assert b'"\\ud800"' in data
    assert data.count(b"\n") == data.count(b"\r\n") > 3
    assert json.loads(data)["a"] == "\ud800"


def test_a_server_of_another_kind_that_is_called_so_is_not_ours(tmp_path: Path) -> None:
    program = agent("gemini", tmp_path)
    program.file.parent.mkdir()
    rest = {"mcpServers": {"winnow": {"command": "npx", "args": ["winnow-grain"]}}}
    program.file.write_text(json.dumps(rest), encoding="utf-8")
    with pytest.raises(RegistrationError, match="already has a different server named winnow"):
        register(program, LAUNCH)
    assert unregister(program) is ConfigChange.NONE
    assert read(program) == rest


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights elsewhere")
def test_a_files_rights_and_a_link_to_it_stay(tmp_path: Path) -> None:
    program = agent("claude-code", tmp_path)
    real = tmp_path / "dotfiles.json"
    real.write_text('{"oauth": "secret"}', encoding="utf-8")
    real.chmod(0o600)
    program.file.symlink_to(real)
    register(program, LAUNCH)
    assert program.file.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert stat.S_IMODE(program.backup.stat().st_mode) == 0o600
    assert json.loads(real.read_text(encoding="utf-8"))["oauth"] == "secret"


def test_programs_are_found_where_their_variables_point(tmp_path: Path) -> None:
    assert not any(one.is_here for one in agent_programs(tmp_path, {}, "linux"))
    elsewhere = {"CODEX_HOME": str(tmp_path / "c"), "XDG_CONFIG_HOME": str(tmp_path / "x")}
    (tmp_path / "c").mkdir()
    (tmp_path / "x" / "Code" / "User").mkdir(parents=True)
    found = [one for one in agent_programs(tmp_path, elsewhere, "linux") if one.is_here]
    assert [one.key for one in found] == ["codex", "vscode"]
    assert agent("codex", tmp_path, elsewhere).file == tmp_path / "c" / "config.toml"


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a person who has two of the programs."""
    home = tmp_path / "person"
    for name in (".cursor", ".gemini"):
        (home / name).mkdir(parents=True)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    return home


def test_from_the_command_line(person: Path, home: Path, run: Run) -> None:
    pytest.importorskip("mcp")
    (person / ".gemini" / "settings.json").write_text('{\n    "theme": "dark"\n}')
    status, out, _ = run("mcp", "--install")
    assert status == 0
    assert "Cursor: added Winnow to" in out
    assert "settings.json.before-winnow" in out
    text = (person / ".gemini" / "settings.json").read_text(encoding="utf-8")
    assert text.startswith('{\n    "theme": "dark",\n    "mcpServers": {\n        "winnow": {')
    entry = json.loads(text)["mcpServers"]["winnow"]
    assert entry["env"] == {"WINNOW_HOME": str(home)}
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-1] == "mcp"
    assert "is already registered" in run("mcp", "--install", "--agent", "cursor")[1]
    status, out, _ = run("mcp", "--uninstall")
    assert (status, out.count("removed Winnow from")) == (0, 2)
    assert json.loads((person / ".cursor" / "mcp.json").read_text()) == {}
    assert "is not registered" in run("mcp", "--uninstall", "--agent", "gemini")[1]


def test_a_failing_program_does_not_block_the_rest(person: Path, run: Run) -> None:
    pytest.importorskip("mcp")
    (person / ".cursor" / "mcp.json").write_text("{ // mine\n}")
    status, out, err = run("mcp", "--install")
    assert status != 0
    assert "Gemini CLI: added Winnow" in out
    assert "was left unchanged" in err


def test_a_missing_program_is_reported(person: Path, run: Run) -> None:
    for name in (".cursor", ".gemini"):
        (person / name).rmdir()
    status, _, err = run("mcp", "--uninstall")
    assert status != 0
    assert "No supported agent program was found (Claude Code" in err
    assert "--agent requires" in run("mcp", "--agent", "cursor")[2]
