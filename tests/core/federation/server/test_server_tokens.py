"""Tokens in a keyring, and where there is none, or one that refuses."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from core.federation.server_tokens import TokenStore

URL = "https://team.example"


class Keyring(ModuleType):
    """A keyring that stores its input, or is locked."""

    def __init__(self) -> None:
        super().__init__("keyring")
        self.errors = ModuleType("keyring.errors")
        self.errors.KeyringError = type("KeyringError", (Exception,), {})  # type: ignore[attr-defined] # as the package has it
        self.held: dict[tuple[str, str], str] = {}
        self.is_locked = False

    def _open(self) -> None:
        if self.is_locked:
            raise self.errors.KeyringError

    def set_password(self, service: str, name: str, secret: str) -> None:
        self._open()
        self.held[service, name] = secret

    def get_password(self, service: str, name: str) -> str | None:
        self._open()
        return self.held.get((service, name))

    def delete_password(self, service: str, name: str) -> None:
        self._open()
        del self.held[service, name]


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> Keyring:
    ring = Keyring()
    monkeypatch.setitem(sys.modules, "keyring", ring)
    monkeypatch.setitem(sys.modules, "keyring.errors", ring.errors)
    return ring


def test_a_token_persists_over_sessions(keyring: Keyring) -> None:
    assert TokenStore().put(URL, "secret")
    assert TokenStore().get(URL) == "secret"
    assert TokenStore().get("https://other.example") == ""
    TokenStore().remove(URL)
    assert keyring.held == {}
    assert TokenStore().get(URL) == ""


def test_a_keyring_that_refuses_leaves_it_to_the_session(keyring: Keyring) -> None:
    keyring.is_locked = True
    store = TokenStore()
    assert not store.put(URL, "secret")
    assert store.get(URL) == "secret"
    assert TokenStore().get(URL) == ""
    store.remove(URL)
    assert store.get(URL) == ""


def test_without_a_keyring_it_lasts_as_long_as_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    store = TokenStore()
    assert not store.put(URL, "secret")
    assert store.get(URL) == "secret"
    store.remove(URL)
    assert store.get(URL) == ""
    assert TokenStore().get(URL) == ""
