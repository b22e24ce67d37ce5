from __future__ import annotations

from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.containers.members import file_of, inner_path_of, is_part, numbered, part_of


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("letter.docx", ("letter.docx",)),
        ("2024/May/letter.docx", ("2024", "May", "letter.docx")),
        ("./2024//letter.docx", ("2024", "letter.docx")),
        ("2024\\letter.docx", ("2024", "letter.docx")),
        ("a\x00b\n.txt", ("a_b_.txt",)),
        ("caf\udce9.txt", ("caf_.txt",)),
        ("", ("unnamed",)),
        ("x" * 300 + ".tar.gz", ("x" * 192 + "….tar.gz",)),
    ],
)
def test_names_become_places(name: str, place: tuple[str, ...]) -> None:
    assert inner_path_of(name) == (place, "")


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("/etc/passwd", ("etc", "passwd")),
        ("../../etc/passwd", ("etc", "passwd")),
        ("a/../../b.txt", ("a", "b.txt")),
        ("..\\..\\b.txt", ("b.txt",)),
        ("C:\\Windows\\b.txt", ("C_", "Windows", "b.txt")),
        ("\\\\server\\share\\b.txt", ("server", "share", "b.txt")),
        ("c:b.txt", ("c_b.txt",)),
    ],
)
def test_names_that_lead_out_are_refused(name: str, place: tuple[str, ...]) -> None:
    assert inner_path_of(name) == (place, "Its name is a path outside its archive")


def test_overlong_names_are_refused() -> None:
    place, reason = inner_path_of("a/" * 5000 + "b.txt")
    assert place[-1] == "b.txt"
    assert reason == "Its name is too long"


@given(st.text(), st.integers(2, 999))
def test_any_name_becomes_a_place_below_its_container(name: str, number: int) -> None:
    place, _ = inner_path_of(name)
    assert place
    for part in (*place, part_of(name), numbered(place[-1], number)):
        assert is_part(part)
        assert len(part) < 220
        part.encode()
    for folder in (Path("/home/a.zip"), PureWindowsPath("C:\\a.zip")):
        joined = folder.joinpath(*place)
        assert joined.is_relative_to(folder)
        assert joined.parts[len(folder.parts) :] == place


def test_the_file_that_holds_a_document(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    archive.touch()
    assert file_of(archive / "2024" / "letter.docx") == archive
    assert file_of(archive) == archive
    # A missing file is in no container, and neither is a file in a folder.
    assert file_of(tmp_path / "gone.zip" / "x.txt") == tmp_path / "gone.zip" / "x.txt"
    assert file_of(tmp_path / "gone.txt") == tmp_path / "gone.txt"
