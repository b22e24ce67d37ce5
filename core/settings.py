"""The person's choices and the window's state, stored in one small file."""

import json
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from core.errors import Message, WinnowError
from core.files import own_files
from core.throttle import BackgroundLoad

_changing = threading.Lock()


class SettingsError(WinnowError):
    """The settings cannot be read or written."""


class Theme(StrEnum):
    """The colour theme of the window."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Order(StrEnum):
    """The order of results."""

    RELEVANCE = "relevance"
    DATE = "date"
    NAME = "name"


class IndexSize(StrEnum):
    """How the vectors of passages are stored.

    Attributes:
        SMALL: with winnow-mini a fifth of the vectors in 1 bit. A search encodes its best passages
            again.
        FAST: the same with a refinement store, so that a search encodes only the query; SMALL
            where that would take up much of the free space.
        EXACT: all vectors, uncompressed, to measure the loss of the other two.
    """

    SMALL = "small"
    FAST = "fast"
    EXACT = "exact"


class PreferencesPage(StrEnum):
    """The pages of the preferences with rows that are generated from settings."""

    APPEARANCE = "appearance"
    INDEXING = "indexing"
    ADVANCED = "advanced"


@dataclass(frozen=True, slots=True)
class Option:
    """A value of a setting, and its name in the window."""

    value: Any
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A setting except its type and default; the texts are displayed and translated.

    Attributes:
        check: return the value in a file, or raise ValueError or TypeError.
        page: the page of the preferences; None if it is set elsewhere.
        row: label of the row; consecutive switches may share one.
        label: label of a switch.
        options: the values, if it is not a switch.
        other: label for a value in the file that is not among the options.
        about: description for screen readers.
        note: text below it.
    """

    check: Callable[[Any], Any]
    page: PreferencesPage | None = None
    row: str = ""
    label: str = ""
    options: tuple[Option, ...] = ()
    other: str = ""
    about: str = ""
    note: str = ""


def setting(default: Any, check: Callable[[Any], Any] | None = None, **texts: Any) -> Any:
    """Declare a field of `Settings`; without a `check`, its values have the default's type."""
    metadata = {"entry": Entry(check or _of_type(type(default)), **texts)}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


def _of_type(kind: type) -> Callable[[Any], Any]:
    if issubclass(kind, StrEnum):
        return kind

    def check(stored: Any) -> Any:
        if not isinstance(stored, kind):
            raise TypeError(f"this is of type {kind.__name__}")
        return stored

    return check


def _width(stored: Any) -> int:
    if not isinstance(stored, int) or not 0 <= stored < 1 << 20:
        raise ValueError("expected a width in pixels or a percentage")
    return stored


def _widths(stored: Any) -> tuple[int, ...]:
    if not isinstance(stored, list):
        raise TypeError("expected a list of widths")
    return tuple(_width(width) for width in stored)


def _sizes(stored: Any) -> dict[str, tuple[int, int]]:
    if not isinstance(stored, dict):
        raise TypeError("expected an object of sizes")
    sizes: dict[str, tuple[int, int]] = {}
    for name, pair in stored.items():
        width, height = _widths(pair)
        sizes[name] = (width, height)
    return sizes


def _texts(stored: Any) -> tuple[str, ...]:
    if not isinstance(stored, list) or not all(isinstance(text, str) for text in stored):
        raise TypeError("expected a list of strings")
    return tuple(stored)


def _named(stored: Any) -> dict[str, str]:
    if isinstance(stored, list):  # as stored before searches had names
        return dict.fromkeys(_texts(stored), "")
    if not isinstance(stored, dict) or not all(isinstance(name, str) for name in stored.values()):
        raise TypeError("expected an object of strings")
    return stored


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that Winnow stores between runs, apart from the library.

    A field defines a setting completely: validation and preferences follow from it. The engine
    reads the setting here; parts of the window receive it from `SettingChanges.subscribe`.
    """

    # Light, dark, or the system's current scheme.
    theme: Theme = setting(  # noqa: RUF009 - a field
        Theme.SYSTEM,
        page=PreferencesPage.APPEARANCE,
        row="The&me:",
        about="Theme",
        options=(
            Option(Theme.SYSTEM, "System"),
            Option(Theme.LIGHT, "Light"),
            Option(Theme.DARK, "Dark"),
        ),
    )
    # Qt's record of the window's position and size, in base64; "" until the first run ends.
    window_geometry: str = setting("")
    # Widths of the results and of the reader in pixels; empty until the person moves the border.
    splitter: tuple[int, ...] = setting((), _widths)
    # Widths and heights of resized dialogs in pixels, by name.
    dialog_sizes: Mapping[str, tuple[int, int]] = setting({}, _sizes)
    # Whether the side bar with the filters is shown, and its width in pixels.
    filters_shown: bool = setting(True)
    filters_width: int = setting(230, _width)
    # The order of the results.
    order: Order = setting(Order.RELEVANCE)  # noqa: RUF009 - a field
    # Successful queries, the latest first, and saved ones with the names given to them or "".
    recent_searches: tuple[str, ...] = setting((), _texts)
    saved_searches: Mapping[str, str] = setting({}, _named)
    # A built-in model's name or a model's folder; "" for the library's model.
    model: str = setting("")
    # Storage used by the vectors of passages.
    index_size: IndexSize = setting(IndexSize.FAST)  # noqa: RUF009 - a field
    # The model's device, as `core.encoders.runtimes` names it; "" for the fastest available.
    device: str = setting("")
    # How much of the machine background work may use.
    background_load: BackgroundLoad = setting(  # noqa: RUF009 - a field
        BackgroundLoad.GENTLE,
        page=PreferencesPage.INDEXING,
        row="&Background work:",
        about="Speed of background work",
        options=(
            Option(BackgroundLoad.GENTLE, "Slower on battery and while other programs are busy"),
            Option(BackgroundLoad.SAVING, "Pause on battery"),
            Option(BackgroundLoad.FULL, "Full speed"),
        ),
        note="Searching always runs at full speed.",
    )
    # Whether the background service runs from each login on.
    service: bool = setting(
        False,
        page=PreferencesPage.INDEXING,
        row="Background service:",
        label="Run a background &service that keeps the index up to date",
        note="Starts when you log in and makes winnow search in a terminal faster. Uses about 60 "
        "MB of memory, and up to 300 MB for ten minutes after a search.",
    )
    # Whether text in images and scanned pages is recognised.
    ocr: bool = setting(
        False,
        page=PreferencesPage.INDEXING,
        row="Scans:",
        label="&Recognise text in images and scanned pages",
        note="Recognises Latin scripts with all accents, Chinese and Japanese; there is no "
        "language to choose. Cyrillic, Greek, Arabic, Hebrew, Korean and Vietnamese are not "
        "supported.",
    )
    # Size limit of the cache of published libraries, in megabytes.
    libraries_cache_mb: int = setting(
        10_000,
        _width,
        page=PreferencesPage.ADVANCED,
        row="Published lib&raries:",
        about="Disk space for published libraries",
        options=(
            Option(2_000, "Up to 2 GB"),
            Option(10_000, "Up to 10 GB"),
            Option(50_000, "Up to 50 GB"),
            Option(200_000, "Up to 200 GB"),
        ),
        other="Up to {0} MB",
        note="Downloaded libraries are kept on this computer so that they can be searched "
        "offline. Takes effect after a restart.",
    )
    # The size of the window's text and icons, in per cent of the system's.
    text_percent: int = setting(
        100,
        _width,
        page=PreferencesPage.APPEARANCE,
        row="Text &size:",
        about="Text size",
    )
    # The language of the window, such as "de" or "zh_CN"; "" for the system's.
    language: str = setting(
        "",
        page=PreferencesPage.APPEARANCE,
        row="&Language:",
        about="Language",
        options=(Option("", "System"),),  # and the available languages
        note="Takes effect after a restart.",
    )
    # Whether an icon in the tray keeps Winnow running when its window is closed.
    tray: bool = setting(
        False,
        page=PreferencesPage.APPEARANCE,
        row="Tray icon:",
        label="Keep Winnow in the tray when the window is closed",
    )
    # Whether a global shortcut that raises the window is requested from the desktop.
    shortcut: bool = setting(
        False,
        page=PreferencesPage.APPEARANCE,
        row="Keyboard shortcut:",
        label="Show Winnow with a system-wide keyboard shortcut",
    )


# All settings, by field name.
ENTRIES: Final[Mapping[str, Entry]] = {
    each.name: each.metadata["entry"] for each in fields(Settings)
}


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """The current settings, and a sentence about a problem with the file, or ""."""

    settings: Settings
    problem: str = ""


def load_settings(path: Path) -> LoadedSettings:
    """Return the settings in `path`, or the defaults if the file does not exist.

    A damaged file is renamed to end in `.bad`, and its backup is used if that is intact. Unknown
    fields are ignored; missing ones have their defaults.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return LoadedSettings(Settings())
    except OSError as error:
        reason = error.strerror or "unknown reason"
        return LoadedSettings(
            Settings(), Message("The settings in {0} cannot be read: {1}.", path, reason)
        )
    except UnicodeDecodeError:
        return _from_copy(path)
    try:
        return LoadedSettings(_settings_from(json.loads(text)))
    except (ValueError, TypeError, RecursionError):
        return _from_copy(path)


def chosen(path: Path) -> Settings:
    """Return the settings in `path`; the defaults if unreadable, which the window reports."""
    try:
        return _settings_from(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, RecursionError):
        return Settings()


def save_settings(settings: Settings, path: Path) -> None:
    """Write `settings` to `path` atomically.

    Raises:
        SettingsError: the file cannot be written.
    """
    data = _data(asdict(settings))
    try:
        own_files.make_folder(path.parent)
        own_files.write(path, data)
        own_files.write(copy_of(path), data)
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise SettingsError("The settings cannot be written to {0}: {1}.", path, reason) from error


def change_settings(path: Path, **changes: Any) -> None:
    """Write some of the settings; the others keep their current values in the file.

    Raises:
        SettingsError: the file cannot be written.
        TypeError: no setting has that name.
    """
    with _changing:
        loaded = load_settings(path)
        if loaded.problem and os.path.lexists(path):
            # It is temporarily unreadable, and its settings would be lost.
            raise SettingsError(loaded.problem)
        save_settings(replace(loaded.settings, **changes), path)


def copy_of(path: Path) -> Path:
    """Return the path of the backup of the settings in `path`, written right after them."""
    return path.with_name(f"{path.stem}.copy{path.suffix}")


def settings_problem(path: Path) -> str:
    """Return a sentence on the problem with the settings in `path`; "" for none."""
    paths = [existing for existing in (path, copy_of(path)) if existing.exists()]
    bad = [existing for existing in paths if not _is_whole(existing)]
    if bad:
        return Message("The settings in {0} were changed outside Winnow.", bad[0])
    if len(paths) == 2 and path.read_bytes() != paths[1].read_bytes():
        return Message("The settings in {0} differ from their backup {1}.", path, paths[1])
    return ""


def repair_settings(path: Path) -> None:
    """Repair the settings in `path`, from their backup if possible.

    Raises:
        SettingsError: the file cannot be written.
    """
    with _changing:
        if settings_problem(path):
            copy = copy_of(path)
            use_copy = not _is_whole(path) and _is_whole(copy)
            settings = chosen(copy if use_copy else path)
            save_settings(settings, path)


def _data(fields_of: Mapping[str, Any]) -> bytes:
    import hashlib

    checksum = hashlib.blake2b(json.dumps(fields_of).encode(), digest_size=16).hexdigest()
    return (json.dumps({**fields_of, "checksum": checksum}, indent=2) + "\n").encode()


def _is_whole(path: Path) -> bool:
    """Return whether the checksum matches, or is absent in a hand-written file."""
    try:
        data = path.read_bytes()
        stored = json.loads(data)
        _settings_from(stored)
    except (OSError, ValueError, TypeError, RecursionError):
        return False
    if "checksum" not in stored:
        return not copy_of(path).exists()
    return _data({name: value for name, value in stored.items() if name != "checksum"}) == data


def _settings_from(stored: Any) -> Settings:
    if not isinstance(stored, dict):
        raise TypeError("expected an object")
    known = {name: value for name, value in stored.items() if name in ENTRIES}
    return Settings(**{name: ENTRIES[name].check(value) for name, value in known.items()})


def _from_copy(path: Path) -> LoadedSettings:
    """Move damaged settings aside, and load their backup, if it is intact."""
    copy = copy_of(path)
    has_copy = _is_whole(copy)
    settings = chosen(copy) if has_copy else Settings()
    bad = path.with_name(f"{path.name}.bad")
    try:
        path.replace(bad)
        if has_copy:
            own_files.write(path, copy.read_bytes())
    except OSError:
        return LoadedSettings(
            settings,
            Message("The settings in {0} are damaged; using the defaults.", path),
        )
    if has_copy:
        return LoadedSettings(
            settings,
            Message(
                "The settings were damaged and have been restored from the backup. The damaged "
                "file was kept as {0}.",
                bad,
            ),
        )
    return LoadedSettings(
        settings,
        Message(
            "The settings were damaged and have been reset to the defaults. The damaged file was "
            "kept as {0}.",
            bad,
        ),
    )
