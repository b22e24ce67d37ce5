"""What one document may take of the machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading or drawing one document may take.

    `memory_bytes` is beyond what an idle reading process takes; `characters` counts the text of
    all pages together.
    """

    timeout_s: float = 60.0
    memory_bytes: int = 2 << 30
    characters: int = 50_000_000
