"""The commands of README and guide, run by an installed wheel in an empty environment."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.package.test_dev import load

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md")))
# Beginnings of commands that a test cannot run; their help is printed instead.
NOT_RUN = (
    "winnow index --watch",  # until it is stopped
    "winnow mcp --http",  # until it is stopped
    "winnow serve",  # until it is stopped, or with certificates
    "winnow service o",  # changes what starts at login
    "winnow index --model",  # builds the index again, with models that are not included
    "winnow library add https:",  # a server
)
REMOTE = re.compile(r"--ray|s3://")
# Only the source has them, as the guide says.
OF_LABORATORY = frozenset({"evaluate", "export", "train"})


def documented() -> list[str]:
    """Return the commands of the pages, in order, without comments and repetitions."""
    lines = (line for page in PAGES for line in page.read_text(encoding="utf-8").splitlines())
    found = (re.match(r"(?: {4})?(winnow .*?)(?:\s+#.*)?$", line) for line in lines)
    return list(dict.fromkeys(match[1] for match in found if match))


@pytest.mark.slow
def test_every_documented_command_runs_from_a_wheel(tmp_path: Path) -> None:
    wheels: Any = load(ROOT / "packaging" / "wheels.py")
    built: list[str | Path] = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        tmp_path,
        ROOT,
    ]
    subprocess.run(built, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    winnow = wheels.install(wheel, tmp_path / "venv")
    home = tmp_path / "home"
    (home / ".claude").mkdir(parents=True)  # the sign of a program that runs agents
    for name in ("Documents", "Papers"):
        (home / name).mkdir(parents=True)
        for season in ("winter", "summer"):
            text = f"# Bees in {season}\n\nHow bees of {name} survive the {season}.\n"
            (home / name / f"{season}.md").write_text(text)
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = variables | {"HOME": str(home), "WINNOW_HOME": str(home / "library")}

    def run(command: str) -> subprocess.CompletedProcess[str]:
        named = re.sub(r"(?<![\w.])/(?:mnt|media)/", f"{tmp_path}/shares/", command)
        arguments = [re.sub("^~", str(home), word) for word in shlex.split(named)[1:]]
        return subprocess.run(
            [winnow, *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    # The published library that the page about the window's libraries names.
    assert run("winnow index ~/Documents").returncode == 0
    assert run("winnow publish /media/work/winnow").returncode == 0
    commands = documented()
    assert len(commands) > 40
    failures = {}
    for command in commands:
        name = shlex.split(command)[1]
        if name in OF_LABORATORY:
            done, expected = run(f"winnow {name}"), 2
        elif command.startswith(NOT_RUN) or REMOTE.search(command):
            done, expected = run(f"winnow {name} --help"), 0
        else:
            done, expected = run(command), 0
        if done.returncode != expected:
            failures[command] = done.stderr
    assert failures == {}
