"""Tests of the guide: builds without warnings, is complete, and loads nothing remote."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import click
import pytest

from app.__main__ import _WINDOW_OPTIONS
from core import cli
from core.documents.formats import FORMATS
from core.search.query.operators import OPERATORS
from tools.tour.pictures import FOLDER, SCREENS, required_variants
from tools.tour.variants import VARIANTS

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "guide"
PAGES = sorted(GUIDE.glob("*.md"))
# Screenshots of GNOME Shell and KRunner using Winnow's search providers.
DESKTOP_PICTURES = {"gnome", "krunner"}
# Elements that make a browser load a resource, and the attribute with its URL.
_LOADED = {
    "script": "src", "img": "src", "iframe": "src", "source": "src", "audio": "src",
    "video": "src", "object": "data", "embed": "src", "link": "href",
}  # fmt: skip


class Loads(HTMLParser):
    """Collects the URLs that a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if place := values.get(_LOADED.get(tag, "")):
            self.places.append(place)
        self.places += re.findall(r"url\(([^)]*)\)", values.get("style") or "")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the guide like `dev.py docs`; warnings are errors."""
    out = tmp_path_factory.mktemp("guide")
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "build.py", out / "html"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return out / "html"


def text_of(page: Path) -> str:
    html = re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8"))
    for name, character in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("#x27", "'"), ("amp", "&")):
        html = html.replace(f"&{name};", character)
    return html


def test_all_pages_are_built_and_load_nothing_remote(built: Path) -> None:
    assert {page.stem for page in built.glob("*.html")} >= {page.stem for page in PAGES}
    for page in built.rglob("*.html"):
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert loads.places
        for place in loads.places:
            assert not re.match(r"(?:[a-z]+:)?//", place), f"{page.name} loads {place}"
    for style in built.rglob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", style.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert "@import" not in text, style
        assert not re.search(r"url\(\s*[\"']?(?:[a-z]+:)?//", text), style


def test_scripts_load_nothing_remote(built: Path) -> None:
    for script in built.rglob("*.js"):
        text = script.read_text(encoding="utf-8")
        for match in re.finditer(r"(?:fetch|import|importScripts|open)\(\s*[\"'`](\w+:)?//", text):
            pytest.fail(f"{script}: {match[0]}")
        assert "XMLHttpRequest" not in text, script


def test_pictures_are_included_and_have_alt_texts(built: Path) -> None:
    shown = {path.stem for path in (built / "_images").glob("*.png")}
    assert shown == set(SCREENS) | DESKTOP_PICTURES
    for page in (*PAGES, ROOT / "README.md"):
        for alt, place in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            assert len(alt) > 15, f"{page.name}: {place} has no description"
            assert (page.parent / place).is_file(), f"{page.name}: {place}"


def test_pictures_are_screens_of_the_tour_and_small() -> None:
    """`dev.py tour --pictures` recreates them all, so that none is outdated."""
    pictures = list(FOLDER.glob("*.png"))
    assert {path.stem for path in pictures} == set(SCREENS)
    # Screenshots of other programs are taken by hand.
    assert {path.stem for path in FOLDER.glob("desktop/*.png")} == DESKTOP_PICTURES
    assert required_variants() <= {variant.name for variant in VARIANTS}
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.png")) < 1_500_000


def test_commands_formats_and_tools_are_documented(built: Path) -> None:
    commands = text_of(built / "command-line.html")
    for name, command in cli.commands.commands.items():
        assert f"winnow {name} " in commands
        for option in command.params:
            if not isinstance(option, click.Option):
                continue
            assert option.help, f"winnow {name} {option.opts[0]} has no help"
            for written in option.opts:
                assert written in commands, (name, written)
    for written in _WINDOW_OPTIONS:
        assert written in commands
    queries = text_of(built / "asking.html")
    for operator in OPERATORS:
        assert operator.form in queries
        assert operator.meaning in queries
        assert operator.example in queries
    formats = text_of(built / "formats.html")
    for format_ in FORMATS:
        assert format_.name in formats
    for tool in ("search", "explain", "read_passage", "read", "list_folders"):
        assert tool in text_of(built / "agents.html")
    api = text_of(built / "python.html")
    for method in ("search", "sync", "add_folder", "answer", "status", "check"):
        assert re.search(rf"\b{method}\(", api), method
    for page in built.glob("*.html"):
        assert "from the code" not in text_of(page)


def combinations() -> Iterator[str]:
    """Yield the keys of QKeyCombination calls in the window's code, as written in the guide."""
    written = {
        "Plus": "+", "Minus": "-", "Equal": "+", "Left": "←", "Right": "→", "Up": "↑", "Down": "↓",
        "Escape": "Esc", "Return": "Enter", "PageUp": "PgUp", "PageDown": "PgDown",
    }  # fmt: skip
    for path in (ROOT / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "QKeyCombination":
                *modifiers, key = [ast.unparse(one).rpartition(".")[2] for one in node.args]
                if not key.startswith("Key_"):
                    continue
                name = key.removeprefix("Key_")
                named = " ".join(modifiers).lower()
                parts = {"Ctrl": "control", "Shift": "shift", "Alt": "alt"}
                pressed = [short for short, long in parts.items() if long in named]
                yield "+".join([*pressed, written.get(name, name)])


def test_the_list_of_keys_is_complete() -> None:
    """Every key that the window handles is in the guide."""
    page = (GUIDE / "keyboard.md").read_text(encoding="utf-8")
    listed = {
        key.strip()
        for keys in re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE)
        for key in re.sub(r"Ctrl\+,", "Ctrl+Comma", keys).split(",")
    } - {"Key", "---"}
    listed = {key.replace("Comma", ",") for key in listed}
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py")]
    code = "\n".join(sources)
    keys = re.compile(r"(?:(?:Ctrl|Shift|Alt)\+)+(?:\w+|[,+=-])|F\d{1,2}")
    # = on one keyboard is + on another.
    texts = {
        re.sub("=$", "+", re.sub("_$", "-", one))
        for one in string_literals("app")
        if keys.fullmatch(one)
    }
    found = texts | set(combinations())
    assert len(found) > 8
    assert found - listed == set(), "not in docs/guide/keyboard.md"
    # Keys without a text in the code, with the code that handles them.
    other_sources = {
        "Enter": "Key_Return", "Ctrl+Enter": "ControlModifier", "Esc": "Key_Escape",
        "Space": "Key_Space", "↓": "Key_Down", "↑": "Key_Up", "→": "Key_Right", "←": "Key_Left",
        "Ctrl+A": "StandardKey.SelectAll", "Ctrl+C": "StandardKey.Copy",
        "Ctrl+Q": "StandardKey.Quit", "Ctrl+M": "_ALIKE", "any letter": "isprintable()",
    }  # fmt: skip
    assert listed - found <= set(other_sources)
    assert [key for key in listed - found if other_sources[key] not in code] == []


def sentences() -> Iterator[str]:
    """Yield the messages that the troubleshooting page quotes."""
    page = (GUIDE / "troubleshooting.md").read_text(encoding="utf-8")
    for first in re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE):
        for piece in re.split(r"[…“”]", first):
            text = piece.strip(" :.;,()").replace("\\", "")
            # Rows that start in lower case describe what the user sees.
            if len(text) > 12 and not first.startswith(("a ", "it is slow", "The sentence")):
                yield text


def string_literals(*parts: str) -> list[str]:
    """Return all string literals in these folders."""
    return [
        node.value
        for part in parts
        for path in (ROOT / part).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def test_troubleshooting_quotes_messages_of_the_program() -> None:
    quoted = [one for one in sentences() if one not in {"What you see", "The reason"}]
    assert len(quoted) > 50
    texts = "\n".join(string_literals("app", "core"))
    assert [one for one in quoted if one not in texts] == []
