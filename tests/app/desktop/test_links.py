"""Links to Winnow: they search; other links are refused with a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.__main__ import main
from app.desktop.integration import DesktopIntegration
from app.desktop.links import is_link, query_of
from app.main_window import MainWindow
from core.errors import UsageError
from core.search.query.language import LONGEST, NO_TEXT
from core.settings import Settings
from tests.app.person import shown_query

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

ROOT = Path(__file__).resolve().parents[3]

texts = st.text().filter(lambda text: text.strip() and not NO_TEXT.search(text))


@given(texts)
def test_words_arrive_as_they_were_written(words: str) -> None:
    for written in (quote(words, safe=""), quote_plus(words)):
        assert query_of(f"winnow:search?q={written}") == words


def test_a_folder_becomes_a_filter_before_the_words() -> None:
    assert query_of("winnow:search?q=tax&in=Letters") == "in:Letters tax"
    assert query_of("Winnow:search?in=/home/ann/My%20papers&q=tax") == (
        'in:"/home/ann/My papers" tax'
    )


@pytest.mark.parametrize(
    "link",
    [
        "winnow:",
        "winnow:search",
        "winnow:search?",
        "winnow:search?q=",
        "winnow:search?q=+%20",
        "winnow:search?in=Letters",
        "winnow:search?q",
        "winnow:search?q=a&q=b",
        "winnow:search?q=a&",
        "winnow:search?q=a&folder=/etc",
        "winnow:search?q=a&--folder=/etc",
        "winnow:search?q=a#b",
        "winnow:search?Q=a",
        "winnow:SEARCH?q=a",
        "winnow:search/?q=a",
        "winnow://search?q=a",
        "winnow:index?q=/etc",
        "winnow:--folder=/etc",
        "winnow:search?q=%",
        "winnow:search?q=%4",
        "winnow:search?q=%zz",
        "winnow:search?q=%ff",
        "winnow:search?q=a%00b",
        "winnow:search?q=a%0ab",
        "winnow:search?q=caf\udce9",
        f"winnow:search?q={'a' * (LONGEST + 1)}",
    ],
)
def test_other_links_are_refused(link: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert is_link(link)
    with pytest.raises(UsageError):
        query_of(link)
    assert main([link]) == 2
    error_text = capsys.readouterr().err
    assert error_text.startswith("winnow: The link winnow:")
    assert "have the form winnow:search?q=WORDS" in error_text
    assert error_text.count("\n") == 1
    assert len(error_text) < 300
    assert not home.exists()


def test_a_link_allows_no_other_arguments(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["winnow:search?q=a", "--folder=/etc"]) == 2
    assert "Pass the link only." in capsys.readouterr().err
    assert not home.exists()


def test_a_link_whose_words_look_like_an_option_is_searched_for() -> None:
    assert query_of("winnow:search?q=--folder%3D/etc") == "--folder=/etc"


def test_parsing_a_link_loads_no_window() -> None:
    program = "import sys; import app.desktop.links; print(*sys.modules)"
    finished = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert not set(finished.stdout.split()) & {"PySide6", "numpy", "core.library.library", "click"}


# macOS passes links to the running program


def test_a_link_from_the_system_is_stored_until_it_is_followed() -> None:
    program = """
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from app.program import WinnowApplication

application = WinnowApplication(["winnow"])
heard = []
application.linked.connect(lambda: heard.append(True))
for url in ("winnow:search?q=d%C3%BCrre+%22a%22", "file:///etc/passwd", "https://example.org"):
    application.sendEvent(application, QFileOpenEvent(QUrl(url)))
print(application.links, heard)
"""
    finished = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert finished.stdout.split("\n")[0] == "['winnow:search?q=d%C3%BCrre+%22a%22'] [True]"


def test_links_are_followed_in_the_window_and_refused_there(
    qtbot: QtBot, window: MainWindow
) -> None:
    presence = DesktopIntegration(window, Settings())
    window.showMinimized()
    links = ["winnow:delete?q=all", "winnow:search?q=dry+wheat"]
    presence.follow(links)
    assert links == []
    qtbot.waitUntil(lambda: shown_query(window) == "dry wheat")
    assert not window.isMinimized()
    assert window.trouble.isVisible()
    error_text = window.trouble.accessibleName()
    assert error_text.startswith("The link winnow:delete?q=all is not valid.")


def test_a_bad_link_is_refused_without_a_console(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["winnow:delete"]) == 2
    assert not home.exists()
