"""How many examples property tests try, here and in CI."""

from __future__ import annotations

import os

import hypothesis

_IS_CI = bool(os.environ.get("CI"))


def load_profile() -> None:
    """Have property tests try what suits the place that they run at.

    Times vary too much on a shared machine for a deadline; in CI a failure must not depend on luck.
    Elsewhere each run draws other examples, so that fewer at a time will do.
    """
    settings = hypothesis.settings
    settings.register_profile("winnow", deadline=None, max_examples=20)
    settings.register_profile("winnow-ci", deadline=None, derandomize=True, max_examples=60)
    settings.load_profile("winnow-ci" if _IS_CI else "winnow")


def examples(count: int) -> int:
    """Return how many examples a test tries that takes `count` in CI: elsewhere a third."""
    return count if _IS_CI else max(count // 3, 4)
