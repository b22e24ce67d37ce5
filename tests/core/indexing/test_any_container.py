"""Any sequence of changes to files with documents in them ends with a library that is as they are.

Only new members are read, as far as their content shows.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Cancelled
from core.library.library import Library
from core.progress import Job, Progress, Stage
from tests.core.containers import Tree, container_bytes, expected
from tests.examples import examples

from .conftest import assert_sound, contents, touch

_texts = st.sampled_from(["Crows.", "Owls.", "Crows and owls.", "Rooks.\n\nSwifts and owls."])
_plain = st.dictionaries(st.sampled_from(["a.txt", "b.txt", "sub/a.md"]), _texts, max_size=3)
_mails = st.builds(
    lambda text, attached: {"body": text, **attached},
    _texts,
    st.dictionaries(st.sampled_from(["a.txt", "b.md"]), _texts, max_size=2),
)
_mailboxes = st.lists(_mails, max_size=4).map(lambda mails: dict(enumerate_mails(mails)))
_inner = st.one_of(
    st.tuples(st.sampled_from(["in.zip", "in.tar"]), _plain),
    st.tuples(st.just("in.eml"), _mails),
    st.tuples(st.just("in.mbox"), _mailboxes),
)
_archives = st.builds(
    lambda plain, inner: {**plain, **dict(inner)}, _plain, st.lists(_inner, max_size=2)
)
_files = st.one_of(
    st.tuples(st.sampled_from(["a.zip", "sub/b.zip", "c.tar.gz"]), _archives),
    st.tuples(st.just("box.mbox"), _mailboxes),
    st.tuples(st.sampled_from(["note.eml", "sub/note.eml"]), _mails),
    st.tuples(st.just("plain.txt"), _texts),
)
_names = st.sampled_from(["a.zip", "sub/b.zip", "c.zip", "box.mbox", "note.eml", "c.tar.gz"])
_steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), _files),
        st.tuples(st.just("write"), _files),
        st.tuples(st.sampled_from(["move", "copy"]), st.tuples(_names, _names)),
        st.tuples(st.sampled_from(["delete", "touch"]), _names),
        st.tuples(st.just("sync"), st.integers(0, 6)),
    ),
    min_size=2,
    max_size=8,
)


def enumerate_mails(mails: list[Tree]) -> list[tuple[str, Tree]]:
    return [(f"{number}.eml", mail) for number, mail in enumerate(mails)]


class Folder:
    """Files on the disk, with their members."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: dict[str, str | Tree] = {}

    def do(self, what: str, argument) -> None:
        if what == "write":
            name, content = argument
            path = self.path / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(container_bytes(name, content))
            touch(path)
            self.files[name] = content
        elif what in {"move", "copy"}:
            old, new = argument
            same_kind = Path(old).suffixes == Path(new).suffixes
            if old in self.files and old != new and same_kind:
                (self.path / new).parent.mkdir(exist_ok=True)
                shutil.copy2(self.path / old, self.path / new)
                self.files[new] = self.files[old]
                if what == "move":
                    self.do("delete", old)
        elif argument in self.files:
            if what == "touch":
                touch(self.path / argument)
            else:
                (self.path / argument).unlink()
                del self.files[argument]

    def expected(self) -> dict[str, str]:
        return {
            path: text
            for name, content in self.files.items()
            for path, text in expected(self.path / name, content)
        }


def sync_or_cancel(library: Library, after: int) -> None:
    """Bring the library in step, or cancel when so many documents have been reported; 0: never."""
    seen = 0

    def count(progress: Progress) -> None:
        nonlocal seen
        seen += progress.stage is Stage.READING
        if after and seen >= after:
            job.cancel()

    job = Job(count)
    job._last_report_s = float("inf")
    job.report = count  # type: ignore[method-assign]
    try:
        library.sync(job)
    except Cancelled:
        assert after


@settings(max_examples=int(os.environ.get("WINNOW_TEST_EXAMPLES", examples(15))))
@given(steps=_steps)
def test_whatever_happens_to_containers_the_library_becomes_as_they_are(
    steps, encoder, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("any")
    folder = Folder(home / "documents")
    folder.path.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
        )
        with Library.open(home / "library") as library:
            library.add_folder(folder.path)
            for what, argument in steps:
                if what == "sync":
                    sync_or_cancel(library, argument)
                else:
                    folder.do(what, argument)
            report = library.sync()
            assert report.failed == ()
            assert contents(library) == folder.expected()
            assert_sound(library)
            assert library.sync().read == 0
