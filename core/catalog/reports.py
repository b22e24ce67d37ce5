"""Reports on a library: its state, and the results of a sync, a preview or a check."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from core.catalog.documents import Failure
from core.catalog.files.file_lists import FileCounts
from core.catalog.files.folders import Folder
from core.files.excluded_names import Rule
from core.settings import IndexSize


@dataclass(frozen=True, slots=True)
class SyncReport:
    """The result of a sync: the library's totals, and what this sync did.

    `tokens` counts the tokens of all encoded passages, `tokens_kept` the vectors stored for them.
    Documents `without_text` were read, but contain no words (scans, drawings, empty files);
    `unsupported` are files in formats that Winnow does not read; `excluded` counts files and
    folders by the rule that excludes them. The last two count files seen by this sync, which may
    have looked at some folders only. `problem` is a sentence on why files were not read, as with
    a full disk, and what to do; "" if there was no problem. `notice` is a sentence on an event
    that delays no file. `files` counts the library's files in each list.
    """

    documents: int
    passages: int
    tokens: int
    tokens_kept: int
    failed: tuple[Failure, ...]
    without_text: tuple[Path, ...]
    unsupported: tuple[Path, ...]
    read: int
    removed: int
    seconds: float
    index_bytes: int
    excluded: Mapping[Rule, int] = field(default_factory=dict)
    problem: str = ""
    notice: str = ""
    files: FileCounts = field(default_factory=FileCounts)


@dataclass(frozen=True, slots=True)
class Kind:
    """The number and total size of the files of one format in a preview."""

    name: str
    files: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class SampledFile:
    """A file of a sample: `weight` times its text is the text of its share of all files."""

    path: Path
    expected_bytes: float
    weight: float


@dataclass(frozen=True, slots=True)
class SampleText:
    """The text of a sample as a multiple of the expected text, and how its documents begin."""

    scale: float
    beginnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """Files that a sync would read and exclude in a folder, found without opening them.

    `kinds` are sorted by size, largest first. `excluded` counts files, and whole folders, by rule.
    `waiting` files of `waiting_bytes` are not in the library in their current state: reading them
    takes about `reading_s`, then encoding them `encoding_s` more. Their vectors take up about
    `index_bytes`, and in other index sizes those of `bytes_by_size`. Those `in_cloud` are found by
    name only until they are on this computer. `Library.read_sample` reads the files of `sample` to
    correct the estimates. If it `has_recognition`, text in pictures and scans will be recognised,
    which no estimate includes.
    """

    folder: Path
    files: int
    size_bytes: int
    kinds: tuple[Kind, ...]
    excluded: Mapping[Rule, int]
    closed: tuple[Failure, ...]
    waiting: int
    waiting_bytes: int
    reading_s: float
    encoding_s: float
    index_bytes: int = 0
    bytes_by_size: Mapping[IndexSize, int] = field(default_factory=dict)
    in_cloud: int = 0
    sample: tuple[SampledFile, ...] = ()
    has_recognition: bool = False

    def scaled(self, text_scale: float) -> Self:
        """Return the preview for files with a multiple of the expected text."""
        sizes = {size: round(count * text_scale) for size, count in self.bytes_by_size.items()}
        return replace(
            self,
            encoding_s=self.encoding_s * text_scale,
            index_bytes=round(self.index_bytes * text_scale),
            bytes_by_size=sizes,
        )


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The problems that a check found, one sentence each, and whether they were repaired.

    `files` of `size_bytes` in all were compared with their checksums. `is_recreated` means that
    the catalog was beyond repair, and that the next sync reads all files again.
    """

    problems: tuple[str, ...]
    is_repaired: bool
    files: int
    size_bytes: int
    is_recreated: bool = False


@dataclass(frozen=True, slots=True)
class Shares:
    """Disk usage of a library, and each folder's share, by folder id.

    Shared data is divided in proportion to the folders' vectors and passages.
    """

    index_bytes: int
    catalog_bytes: int
    of_folders: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the library; `waiting` passages are searchable by words only.

    `files` counts the files in each list; `excluded` counts files and folders by the rule that
    excludes them. `has_news` means that more files are without text, or unreadable, than the
    person has seen. `model` is the model in use; `coming_model` replaces it once its index is
    complete ("" if there is none). `is_rebuilding` means that the index is being rebuilt from the
    files.
    """

    home: Path
    folders: tuple[Folder, ...]
    files: FileCounts
    passages: int
    waiting: int
    tokens: int
    tokens_kept: int
    index_bytes: int
    catalog_bytes: int
    model: str
    coming_model: str = ""
    is_rebuilding: bool = False
    excluded: Mapping[Rule, int] = field(default_factory=dict)
    has_news: bool = False

    @property
    def documents(self) -> int:
        """The number of documents with text."""
        return self.files.documents

    @property
    def failed(self) -> int:
        """The number of files that could not be read."""
        return self.files.unreadable

    @property
    def in_cloud(self) -> int:
        """The number of documents whose content is not on this computer."""
        return self.files.in_cloud
