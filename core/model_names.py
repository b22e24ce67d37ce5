"""The names of the built-in models."""

from typing import Final

# Used where no model was chosen; for English.
BUILT_IN: Final = "winnow-mini"
# For about a hundred languages.
MULTILINGUAL: Final = "winnow-mini-multi"
# Space in the cache of the multilingual model once it is prepared.
MULTILINGUAL_CACHE_BYTES: Final = 235_000_000
