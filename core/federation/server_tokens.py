"""Servers' tokens in the system's keyring; without a keyring a token lasts for the session.

Tokens are never written to Winnow's files or messages.
"""

import logging
from typing import Any, Final

_log = logging.getLogger(__name__)
_SERVICE: Final = "Winnow server"


class TokenStore:
    """The tokens by their servers' addresses."""

    def __init__(self) -> None:
        self._of_session: dict[str, str] = {}

    def put(self, url: str, token: str) -> bool:
        """Store a token; return whether it will still be known after a restart."""
        self._of_session[url] = token
        keyring = _keyring()
        if keyring is None:
            return False
        try:
            keyring.set_password(_SERVICE, url, token)
        except keyring.errors.KeyringError as error:
            _log.info("Cannot store the token in the keyring: %s", type(error).__name__)
            return False
        return True

    def is_stored(self, url: str) -> bool:
        """Return whether the token for a server will still be known after a restart."""
        return bool(_stored_token(url))

    def get(self, url: str) -> str:
        """Return the token for a server; "" if none is known."""
        return self._of_session[url] if url in self._of_session else _stored_token(url)

    def remove(self, url: str) -> None:
        """Delete a token, in memory and in the keyring."""
        self._of_session.pop(url, None)
        keyring = _keyring()
        if keyring is None:
            return
        try:
            keyring.delete_password(_SERVICE, url)
        except keyring.errors.KeyringError as error:
            _log.info("Cannot delete the token from the keyring: %s", type(error).__name__)


def _stored_token(url: str) -> str:
    """Return the keyring's token for a server; "" if it is missing or the keyring is locked."""
    keyring = _keyring()
    if keyring is None:
        return ""
    try:
        token: str | None = keyring.get_password(_SERVICE, url)
    except keyring.errors.KeyringError as error:
        _log.info("Cannot read the token from the keyring: %s", type(error).__name__)
        return ""
    return token or ""


# The service name of this program in the keyring.
TOKENS: Final = TokenStore()


def _keyring() -> Any:
    """Return the keyring package; None if it is not installed."""
    try:
        import keyring
        import keyring.errors
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "keyring":
            raise
        return None
    return keyring
