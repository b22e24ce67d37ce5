"""The served library of the server's tests, asked by the client."""

from __future__ import annotations

from tests.core.serving.http.conftest import (  # fixtures
    certificate,
    serve,
    served,
    servers,
    shelf,
    tokens,
)

__all__ = ["certificate", "serve", "served", "servers", "shelf", "tokens"]
