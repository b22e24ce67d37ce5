"""The file of tokens, and the commands that change it."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path

import pytest

from core.errors import LibraryError, UsageError
from core.serving.http.tokens import FILE, TokenFile
from tests.conftest import Run, write_files


def test_a_token_is_stored_as_a_hash_in_an_own_file(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path)
    assert not tokens.is_there
    secret = tokens.add("anna", [Path("/docs/a"), Path("/docs/a/b"), Path("/docs/c")], None)
    text = (tmp_path / FILE).read_text()
    assert secret not in text
    assert secret.removeprefix("winnow_") not in text
    assert hashlib.sha256(secret.encode()).hexdigest() in text
    if os.name != "nt":
        assert (tmp_path / FILE).stat().st_mode & 0o077 == 0
    found = TokenFile(tmp_path).find(secret)
    assert found is not None
    assert (found.name, found.folders) == ("anna", (Path("/docs/a"), Path("/docs/c")))
    assert tokens.find(secret + "x") is None
    assert tokens.find("") is None
    assert len({tokens.add(f"t{number}", [], None) for number in range(9)}) == 9


def test_a_file_readable_by_other_users_is_closed_to_them(tmp_path: Path) -> None:
    secret = TokenFile(tmp_path).add("anna", [], None)
    (tmp_path / FILE).chmod(0o644)
    assert TokenFile(tmp_path).find(secret)
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_names_are_distinguished(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path)
    tokens.add("anna", [], None)
    with pytest.raises(UsageError, match="A token named anna already exists"):
        tokens.add("anna", [], None)
    for name in ("", "a b", "x" * 65, "a\n", "../x", "\x1b"):
        with pytest.raises(UsageError, match="is not a valid token name"):
            tokens.add(name, [], None)
    with pytest.raises(UsageError, match="no token named bert"):
        tokens.revoke("bert")
    tokens.revoke("anna")
    assert tokens.tokens() == ()
    assert tokens.is_there


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": 1}', '{"version": 1, "tokens": [{"name": 1}]}', "\0"]
)
def test_a_damaged_file_is_a_sentence_and_no_open_door(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(LibraryError, match=r"is damaged\. Remove it"):
        TokenFile(tmp_path).find("x")
    assert TokenFile(tmp_path).is_there


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    # A path that not even an administrator may write to: a folder in place of the lock.
    (tmp_path / FILE).with_suffix(".lock").mkdir()
    tokens = TokenFile(tmp_path)
    for change in (lambda: tokens.add("anna", [], None), lambda: tokens.revoke("anna")):
        with pytest.raises(LibraryError, match=r"server_tokens\.json cannot be written to: ."):
            change()
    assert not tokens.is_there


def test_a_newer_file_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"version": 2, "tokens": []}')
    with pytest.raises(LibraryError, match="newer version"):
        TokenFile(tmp_path).tokens()


def test_the_commands_show_a_token_once(run: Run, home: Path, folder: Path) -> None:
    write_files(folder, {"a.txt": "A text."})
    write_files(folder / "inner", {"b.txt": "Another."})
    assert run("index", folder)[0] == 0
    status, out, errors = run(
        "serve", "token", "add", "anna", "--folders", folder / "inner", "--expires", "30d"
    )
    assert status == 0, errors
    secret = out.strip()
    assert TokenFile(home).find(secret)
    assert "shown only once" in errors
    status, out, _ = run("serve", "token", "list")
    assert status == 0
    assert out.startswith(f"anna: {folder / 'inner'}; until 20")
    assert secret not in out
    assert run("serve", "token", "revoke", "anna")[0] == 0
    assert TokenFile(home).find(secret) is None
    assert run("serve", "token", "list")[1] == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["token", "add", "a", "--folders", "/etc"], "not in a folder of the library"),
        (["token", "add", "a", "--expires", "soon"], "is not a valid expiry"),
        (["token", "add", "a", "--expires", "2001-01-01"], "is in the past"),
        (["token", "revoke", "nobody"], "no token named nobody"),
        (["--host", "0.0.0.0"], "requires encryption and tokens"),
        (["--host", "192.0.2.1"], "requires encryption and tokens"),
        (["--tls-cert", "a.pem"], "must be used together"),
        (["--tls-cert", "a.pem", "--tls-key", "b.pem"], "not a certificate"),
    ],
)
def test_an_unservable_library_raises_a_sentence(
    run: Run, folder: Path, arguments: list[str], words: str
) -> None:
    write_files(folder, {"a.txt": "A text."})
    assert run("index", folder)[0] == 0
    status, _, errors = run("serve", *arguments)
    assert status == 2
    assert words in errors
    assert len(errors.splitlines()) == 1


def test_a_certificate_does_not_stand_for_a_token(run: Run, folder: Path, tmp_path: Path) -> None:
    """Beyond this machine it takes both; a token that has expired is none."""
    write_files(folder, {"a.txt": "A text."})
    assert run("index", folder)[0] == 0
    (tmp_path / "c.pem").write_text("")
    both = ["--host", "0.0.0.0", "--tls-cert", tmp_path / "c.pem", "--tls-key", tmp_path / "c.pem"]
    assert "requires encryption and tokens" in run("serve", *both)[2]
    assert run("serve", "token", "add", "anna", "--expires", "1d")[0] == 0
    assert "not a certificate" in run("serve", *both)[2]
    tokens = Path(os.environ["WINNOW_HOME"]) / FILE
    content = json.loads(tokens.read_text())
    content["tokens"][0]["expires_s"] = time.time() - 1
    tokens.write_text(json.dumps(content))
    assert "requires encryption and tokens" in run("serve", *both)[2]
