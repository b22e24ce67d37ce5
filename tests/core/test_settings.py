"""Settings survive a round trip, a crash while writing, and a damaged file."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.settings import (
    ENTRIES,
    Settings,
    SettingsError,
    Theme,
    change_settings,
    chosen,
    load_settings,
    save_settings,
)
from core.throttle import BackgroundLoad


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "settings.json"


def test_missing_file_returns_the_defaults(path: Path) -> None:
    loaded = load_settings(path)

    assert loaded.settings == Settings()
    assert loaded.problem == ""
    assert not path.parent.exists()


def test_saved_settings_are_loaded(path: Path) -> None:
    settings = Settings(
        theme=Theme.DARK,
        window_geometry="AAEC",
        splitter=(400, 800),
        ocr=True,
        dialog_sizes={"settings": (640, 480)},
    )

    save_settings(settings, path)

    assert load_settings(path).settings == settings
    assert {file.name for file in path.parent.iterdir()} == {"settings.json", "settings.copy.json"}


def test_some_settings_are_changed_and_the_rest_stay(path: Path) -> None:
    save_settings(Settings(theme=Theme.DARK, ocr=True), path)
    change_settings(path, background_load=BackgroundLoad.SAVING)
    assert load_settings(path).settings == Settings(
        theme=Theme.DARK, ocr=True, background_load=BackgroundLoad.SAVING
    )
    assert chosen(path).background_load is BackgroundLoad.SAVING
    with pytest.raises(TypeError):
        change_settings(path, manner="gentle")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b'{"theme": "mauve"}',
        b'{"theme": []}',
        b'{"window_geometry": 3}',
        b'{"ocr": "yes"}',
        b'{"background_load": "rude"}',
        b'{"index_size": "tiny"}',
        b'{"index_size": 3}',
        b'{"device": 7}',
        b'{"filters_shown": 1}',
        b'{"filters_width": "wide"}',
        b'{"order": "size"}',
        b'{"saved_searches": [1]}',
        b'{"recent_searches": "wheat"}',
        b'{"splitter": "wide"}',
        b'{"splitter": ["wide"]}',
        b'{"splitter": [-1]}',
        b'{"dialog_sizes": [640, 480]}',
        b'{"dialog_sizes": {"settings": [640]}}',
        b'{"dialog_sizes": {"settings": ["wide", "high"]}}',
        b'{"shortcut": 1}',
    ],
)
def test_damaged_file_is_set_aside_and_reported(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)

    loaded = load_settings(path)

    assert loaded.settings == Settings()
    assert "settings.json.bad" in loaded.problem
    assert path.with_name("settings.json.bad").read_bytes() == content
    assert not path.exists()


@given(st.binary(max_size=60))
def test_no_file_makes_loading_fail(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.json"
    path.write_bytes(content)

    assert isinstance(load_settings(path).settings, Settings)


def test_fields_of_another_version_are_ignored(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('{"theme": "light", "font": "Comic Sans"}', encoding="utf-8")

    loaded = load_settings(path)

    assert loaded.settings == Settings(theme=Theme.LIGHT)
    assert loaded.problem == ""


def test_a_crash_while_writing_leaves_the_old_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_settings(Settings(theme=Theme.LIGHT), path)

    def run_out_of_space(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", run_out_of_space)
    with pytest.raises(SettingsError, match="No space left on device"):
        save_settings(Settings(theme=Theme.DARK), path)

    assert load_settings(path).settings.theme is Theme.LIGHT
    assert {file.name for file in path.parent.iterdir()} == {"settings.json", "settings.copy.json"}


def test_text_recognition_is_required_only_where_the_settings_enable_it(path: Path) -> None:
    assert chosen(path).ocr is False
    save_settings(Settings(ocr=True), path)
    assert chosen(path).ocr is True
    path.write_text('{"ocr": 1}', encoding="utf-8")
    assert chosen(path).ocr is False


def test_unreadable_place_is_reported_and_left_alone(path: Path) -> None:
    path.mkdir(parents=True)

    loaded = load_settings(path)

    assert loaded.settings == Settings()
    assert str(path) in loaded.problem
    with pytest.raises(SettingsError, match=r"cannot be written"):
        save_settings(Settings(), path)


def test_settings_that_cannot_be_read_for_the_moment_are_not_written_over(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_settings(Settings(saved_searches={"wheat": "Grain"}), path)

    def refuse(_path: Path, *_: object, **__: object) -> str:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as denied:
        denied.setattr(Path, "read_text", refuse)
        with pytest.raises(SettingsError, match="cannot be read: Permission denied"):
            change_settings(path, filters_width=200)
    assert load_settings(path).settings.saved_searches == {"wheat": "Grain"}


@pytest.mark.parametrize("name", ENTRIES)
def test_a_written_setting_is_accepted_by_its_entry(name: str, path: Path) -> None:
    default = getattr(Settings(), name)
    save_settings(Settings(), path)
    assert ENTRIES[name].check(json.loads(path.read_text("utf-8"))[name]) == default
    with pytest.raises((TypeError, ValueError)):
        ENTRIES[name].check(None)


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.options])
def test_each_option_of_a_setting_is_one_that_it_takes(name: str) -> None:
    assert getattr(Settings(), name) in [option.value for option in ENTRIES[name].options]
    for option in ENTRIES[name].options:
        assert ENTRIES[name].check(option.value) == option.value


def test_saved_searches_from_before_they_had_names_stay(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"saved_searches": ["wheat", "oats"]}', encoding="utf-8")
    loaded = load_settings(path)
    assert loaded.settings.saved_searches == {"wheat": "", "oats": ""}
    assert loaded.problem == ""
