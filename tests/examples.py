"""Number of examples in property tests, locally and in CI."""

from __future__ import annotations

import os

import hypothesis

_IS_CI = bool(os.environ.get("CI"))
# Set where CI repeats tests in other conditions.
_IS_REPEATED = bool(os.environ.get("WINNOW_TEST_REPEATED"))


def load_profile() -> None:
    """Load the Hypothesis profile for local runs or for CI.

    Neither has a deadline, because times vary too much on a shared machine. CI always tries the
    same examples, and fewer where it repeats tests. Local runs try fewer, but different ones each
    time.
    """
    settings = hypothesis.settings
    most = 20 if _IS_REPEATED else 60
    settings.register_profile("winnow", deadline=None, max_examples=20)
    settings.register_profile("winnow-ci", deadline=None, derandomize=True, max_examples=most)
    settings.load_profile("winnow-ci" if _IS_CI else "winnow")


def examples(count: int) -> int:
    """Return the number of examples for a test: `count` in CI, a third of it otherwise."""
    return count if _IS_CI and not _IS_REPEATED else max(count // 3, 4)
