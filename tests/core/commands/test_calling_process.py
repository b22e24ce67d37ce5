"""The environment of a command that comes from the calling process."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from core import cli
from core.commands import calling_process
from core.commands.calling_process import CommandObject
from core.library.library import Library
from core.serving.daemon.invocation import Invocation, Screen


@pytest.fixture
def invocation(tmp_path: Path, library: Library) -> Invocation:
    screen = Screen(io.StringIO(), io.StringIO(), False, False, 80, {}, lambda _call: None)
    return Invocation(("search", "owls"), screen, str(tmp_path), library)


@pytest.fixture
def called(invocation: Invocation) -> Iterator[Invocation]:
    """A command of another process, which is being run."""
    context = click.Context(cli.commands, obj=CommandObject(cli.run_for, invocation))
    with context, click.Context(cli.commands, parent=context):
        yield invocation


def test_it_has_the_callers_screen_and_library(called: Invocation) -> None:
    assert calling_process.screen() is called.screen
    with calling_process.own_library() as library:
        assert library is called.library


def test_paths_are_relative_to_the_callers_folder(called: Invocation, tmp_path: Path) -> None:
    assert calling_process.absolute("notes") == tmp_path / "notes"
    assert calling_process.absolute(tmp_path) == tmp_path
    assert calling_process.absolute_address("team") == str(tmp_path / "team")
    assert calling_process.absolute_address("s3://team/library") == "s3://team/library"


def test_a_model_is_a_name_or_a_folder_of_the_callers(called: Invocation, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert calling_process.model_source("mine") == str(tmp_path / "mine")
    assert calling_process.model_source("another") == "another"
    assert calling_process.model_source("") == ""
    assert calling_process.model_source(None) is None


def test_without_a_caller_all_is_this_processes() -> None:
    with click.Context(cli.commands, obj=CommandObject(cli.run_for, None)):
        assert calling_process.screen() is None
        assert calling_process.absolute("notes") == Path.cwd() / "notes"
        assert calling_process.absolute_address("team") == "team"
        assert calling_process.model_source("mine") == "mine"
    assert calling_process.screen() is None
