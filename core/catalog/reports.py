"""What is told of a library: its state, and what a sync, a preview or a check came upon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.catalog.documents import Failure
from core.catalog.folders import Folder
from core.left_out import Rule


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync left behind: totals of the library, then what this sync did.

    `tokens` counts the tokens of all encoded passages, `tokens_kept` the vectors stored for them.
    `without_text` were read, but hold no word to be found by (scans, drawings, empty files);
    `skipped` are files of no format that Winnow reads, `left_out` counts files and folders by the
    rule that leaves them out, both seen in this sync, which looked at everything if it `is_whole`.
    `problem` is a sentence on why files wait that should have been read, a full disk for example,
    and on what to do; "" where none does. `notice` is one on what went otherwise than a person may
    think, though nothing waits.
    """

    documents: int
    passages: int
    tokens: int
    tokens_kept: int
    failed: tuple[Failure, ...]
    without_text: tuple[Path, ...]
    skipped: tuple[Path, ...]
    read: int
    removed: int
    seconds: float
    index_bytes: int
    left_out: Mapping[Rule, int] = field(default_factory=dict)
    is_whole: bool = True
    problem: str = ""
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """The files of one format in a preview: how many, and how large together."""

    name: str
    files: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a sync would take of a folder, and what it would leave out, told without opening files.

    `kinds` come largest first. `left_out` counts files, and folders with all that is in them, by
    rule. `waiting` files of `waiting_bytes` are not in the library as they are now: to be found by
    their words they take about `reading_s`, then by their meaning about `encoding_s` more. Those
    `in_cloud` are found by their names alone until they are on this computer.
    """

    folder: Path
    files: int
    size_bytes: int
    kinds: tuple[Kind, ...]
    left_out: Mapping[Rule, int]
    closed: tuple[Failure, ...]
    waiting: int
    waiting_bytes: int
    reading_s: float
    encoding_s: float
    in_cloud: int = 0


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found wrong, a sentence each, and whether it was put right.

    `files` of `size_bytes` in all were compared with what was written. `is_begun_anew` tells that
    the catalog was beyond repair, and that the next sync reads all files again.
    """

    problems: tuple[str, ...]
    is_repaired: bool
    files: int
    size_bytes: int
    is_begun_anew: bool = False


@dataclass(frozen=True, slots=True)
class Shares:
    """What a library takes on the disk, and how much of it is each folder's, by its number.

    What all folders have in common is shared out by their numbers of vectors and passages.
    """

    index_bytes: int
    catalog_bytes: int
    of_folders: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Status:
    """The library at this moment; `waiting` passages can be found by words only, as yet.

    `model` is the one that answers, `coming_model` the one that is to take its place as soon as
    its vectors are made ("" for none). `is_rebuilding` says that all is being made again from the
    files. Of the documents `in_cloud` the content is not on this computer.
    """

    home: Path
    folders: tuple[Folder, ...]
    documents: int
    passages: int
    waiting: int
    tokens: int
    tokens_kept: int
    failed: int
    index_bytes: int
    catalog_bytes: int
    model: str
    coming_model: str = ""
    is_rebuilding: bool = False
    in_cloud: int = 0
