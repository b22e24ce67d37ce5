"""Tokens of a server: name, visible folders and expiry, stored as hashes in a private file.

A token is 256 random bits, so its plain SHA-256 reveals nothing: slow hashes are for passwords that
people choose, and would let attackers keep the server busy.
"""

import hashlib
import hmac
import json
import logging
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from core.errors import LibraryError, UsageError
from core.files import own_files
from core.wire.codec import FormError, parsed, read

_log = logging.getLogger(__name__)

FILE: Final = "server_tokens.json"
# The file with the one token for the agents of the library's owner, by `winnow mcp --http`.
OWN_AGENTS_FILE: Final = "agents_token.json"
_VERSION: Final = 1
_PREFIX: Final = "winnow_"
_BYTES: Final = 32
# Largest size of the file; a token takes some hundred bytes.
_MOST_BYTES: Final = 16 << 20
_NAME: Final = re.compile(r"[\w.@-]{1,64}")
_DAMAGED: Final = (
    "The token file {0} is damaged. Remove it, and create new tokens with winnow serve token add."
)


@dataclass(frozen=True, slots=True)
class Token:
    """The stored data of a token, without the token itself.

    Attributes:
        name: of its user.
        digest: the SHA-256 of the token, in hexadecimal digits.
        folders: the visible folders; () for all of the library.
        created_s: time of creation, in seconds since 1970.
        expires_s: expiry, in seconds since 1970; None for never.
    """

    name: str
    digest: str
    folders: tuple[Path, ...]
    created_s: float
    expires_s: float | None

    def is_valid(self, now_s: float) -> bool:
        """Return whether it has not expired."""
        return self.expires_s is None or now_s < self.expires_s


@dataclass(frozen=True, slots=True)
class _Content:
    version: int
    tokens: tuple[Token, ...]


class TokenFile:
    """The tokens of one library's server; changes are visible to all processes immediately.

    The file does not exist before the first token is created. After that it stays, also when
    the last one is revoked.

    Args:
        home: the library's folder.
        name: of the file in it.
    """

    def __init__(self, home: Path, name: str = FILE) -> None:
        self.path = home / name
        self._signature: object = ()
        self._tokens: tuple[Token, ...] = ()
        self._was_there = False

    @property
    def is_there(self) -> bool:
        """Whether tokens were ever created, so that requests without one are refused.

        Deleting the file does not grant access.
        """
        self._was_there = self._was_there or self.path.exists()
        return self._was_there

    def tokens(self) -> tuple[Token, ...]:
        """Return all tokens, including expired ones.

        Raises:
            LibraryError: the file cannot be read.
        """
        try:
            status = self.path.stat()
        except FileNotFoundError:
            self._signature, self._tokens = (), ()
            return ()
        except OSError as error:
            raise LibraryError("{0} cannot be read: {1}.", self.path, error.strerror) from error
        # Replaced atomically, so that changed content means another file.
        signature = (status.st_ino, status.st_mtime_ns, status.st_size)
        if signature != self._signature:
            self._tokens = self._read()
            self._signature = signature
        return self._tokens

    def find(self, secret: str) -> Token | None:
        """Return the token with this secret if it is valid.

        All tokens are compared in constant time, so that timing reveals nothing.

        Raises:
            LibraryError: the file cannot be read.
        """
        digest = _digest(secret)
        matching = None
        for token in self.tokens():
            if hmac.compare_digest(digest, token.digest):
                matching = token
        return matching if matching is not None and matching.is_valid(time.time()) else None

    def add(self, name: str, folders: Iterable[Path], expires_s: float | None) -> str:
        """Create a token, and return its secret, which is not stored.

        Raises:
            UsageError: the name is in use or invalid.
            LibraryError: the file cannot be read or written.
        """
        if not _NAME.fullmatch(name):
            raise UsageError(
                "{0} is not a valid token name. Use up to 64 letters, digits, and . _ @ -.",
                f"{name!a}",
            )
        secret = _PREFIX + secrets.token_urlsafe(_BYTES)
        token = Token(name, _digest(secret), _outermost(folders), time.time(), expires_s)
        with self._changing():
            tokens = self.tokens()
            if any(token.name == name for token in tokens):
                raise UsageError(
                    "A token named {0} already exists. Revoke it first, or choose another name.",
                    name,
                )
            self._write((*tokens, token))
        return secret

    def revoke(self, name: str) -> None:
        """Revoke a token; a running server refuses it immediately.

        Raises:
            UsageError: no token has this name.
            LibraryError: the file cannot be read or written.
        """
        with self._changing():
            tokens = self.tokens()
            left = tuple(token for token in tokens if token.name != name)
            if len(left) == len(tokens):
                raise UsageError(
                    "There is no token named {0}. Run winnow serve token list to list them.",
                    name,
                )
            self._write(left)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Prevent other processes from changing the file during the block.

        Raises:
            LibraryError: the library's folder is not writable.
        """
        import filelock

        lock = filelock.FileLock(self.path.with_suffix(".lock"), mode=own_files.OWN_FILE)
        with LibraryError.on_os_error("{0} cannot be written to: {1}.", self.path):
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def _read(self) -> tuple[Token, ...]:
        try:
            data = self.path.read_bytes()
            if os.name != "nt":
                with suppress(OSError):  # another user's file, or a file system without permissions
                    self.path.chmod(own_files.OWN_FILE)
            content = read(_Content, parsed(data, _MOST_BYTES, _MOST_BYTES), {})
        except OSError as error:
            raise LibraryError("{0} cannot be read: {1}.", self.path, error.strerror) from error
        except FormError as error:
            raise LibraryError(_DAMAGED, self.path) from error
        if content.version != _VERSION:
            raise LibraryError(
                "{0} was written by a newer version of Winnow. Update Winnow to use it.", self.path
            )
        return content.tokens

    def _write(self, tokens: tuple[Token, ...]) -> None:
        listed = [
            asdict(token) | {"folders": [str(folder) for folder in token.folders]}
            for token in tokens
        ]
        text = json.dumps({"version": _VERSION, "tokens": listed}, indent=1)
        with LibraryError.on_os_error("{0} cannot be written to: {1}.", self.path):
            own_files.write(self.path, text.encode("ascii"))


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _outermost(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Return the folders, without those inside others."""
    every = sorted(set(folders))
    return tuple(
        folder
        for folder in every
        if not any(folder != other and folder.is_relative_to(other) for other in every)
    )
