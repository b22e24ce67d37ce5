"""Messages that are no JSON by the rules: each is answered with an error, so that nobody waits.

The SDK drops what it cannot read, and whoever asked waits for ever. Most of it is a string with
half of a character in it (a lone surrogate), as JSON of Python's and JavaScript's own writes down
a path or a text that was cut.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Final, Self

import mcp_types
from mcp.server import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

_HALF: Final = (
    "The message holds half of a character (a lone surrogate) in a string; leave it out, or write "
    "the character whole."
)
_NO_MESSAGE: Final = "The message is no request of JSON-RPC 2.0."


class AnsweringServer(MCPServer[None]):
    """A server that answers over standard streams also where it cannot read a message."""

    async def run_stdio_async(self) -> None:
        async with stdio_server() as (read, write):
            await self._lowlevel_server.run(
                _Readable(read, write),
                write,
                self._lowlevel_server.create_initialization_options(),
            )


def refusal(message: str) -> mcp_types.JSONRPCError:
    r"""Return the answer to a line that is no message that can be read.

    It bears the number of the request where one can be told, for others nobody would know whose
    it is.

    >>> answer = refusal('{"jsonrpc": "2.0", "id": 7, "params": {"query": "\\ud800"}}')
    >>> answer.id, answer.error.message[:43]
    (7, 'The message holds half of a character (a lo')
    """
    number, sentence = None, _NO_MESSAGE
    # Python's own reader takes halves of characters for what they are.
    with contextlib.suppress(ValueError, RecursionError):
        told = json.loads(message)
        asked = told.get("id") if isinstance(told, dict) else None
        is_number = isinstance(asked, (int, str)) and not isinstance(asked, bool)
        number = asked if is_number and str(asked).isprintable() else None
        if not _is_text(json.dumps(told, ensure_ascii=False)):
            sentence = _HALF
    error = mcp_types.ErrorData(code=mcp_types.INVALID_REQUEST, message=sentence)
    return mcp_types.JSONRPCError(jsonrpc="2.0", id=number, error=error)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class _Readable:
    """The messages that can be read, of all that come; the others are answered here.

    Args:
        read: all messages, as the SDK's transport gives them, and errors for what is none.
        write: where answers go.
    """

    def __init__(self, read: Any, write: Any) -> None:
        self._read = read
        self._write = write

    @property
    def last_context(self) -> Any:
        """What the SDK carries along with a message."""
        return getattr(self._read, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        return await self._next(self._read.receive)

    async def aclose(self) -> None:
        await self._read.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return await self._next(self._read.__anext__)

    async def __aenter__(self) -> Self:
        await self._read.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        ended: bool | None = await self._read.__aexit__(kind, error, trace)
        return ended

    async def _next(
        self, receive: Callable[[], Awaitable[SessionMessage | Exception]]
    ) -> SessionMessage | Exception:
        while True:
            item = await receive()
            if not isinstance(item, ValidationError):
                return item
            line = item.errors(include_url=False)[0]["input"]
            answer = refusal(line if isinstance(line, str) else "")
            await self._write.send(SessionMessage(answer))
