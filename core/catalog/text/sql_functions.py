"""The functions that the catalog's SQL uses."""

import sqlite3

from core.catalog.text.joined_forms import joined_rows, name_text
from core.catalog.text.normalisation import file_name, fold, folder_of, word_text
from core.catalog.text.text_version import FOLDING


def add_functions(db: sqlite3.Connection) -> None:
    """Register the functions in a connection."""
    db.create_function("file_name", 1, file_name, deterministic=True)
    db.create_function("folder_of", 1, folder_of, deterministic=True)
    db.create_function("fold", 1, fold, deterministic=True)
    db.create_function("word_text", 1, word_text, deterministic=True)
    db.create_function("joined_rows", 2, joined_rows, deterministic=True)
    db.create_function("name_text", 1, name_text, deterministic=True)
    db.create_function("folding_version", 0, lambda: FOLDING, deterministic=True)
