"""Any sequence of changes to files ends with a library that is as the folder is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Cancelled
from core.files import filesystems
from core.files.filesystems import Mount
from core.library.library import Library
from core.progress import Job
from tests.examples import examples

from .conftest import assert_sound, contents, put, touch

_names = st.sampled_from(["a.txt", "b.txt", "sub/a.txt", "sub/c.txt", "d.md", "e.bin"])
_texts = st.sampled_from(["", "Crows.", "Owls.", "Crows and owls.\n\nSwifts.", "Rooks and owls."])
_ignored = st.sampled_from(["", "*.md\n", "a.txt\n", "*.txt\n!b.txt\n", "sub/\n", "/c.txt\n"])
_steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), _names, _texts),
        st.tuples(st.just("move"), _names, _names),
        st.tuples(st.just("copy"), _names, _names),
        st.tuples(st.just("delete"), _names, st.none()),
        st.tuples(st.just("touch"), _names, st.none()),
        st.tuples(st.just("swap"), st.none(), st.none()),
        st.tuples(st.sampled_from(["unmount", "mount"]), st.none(), st.none()),
        st.tuples(st.just("ignore"), st.sampled_from(["", "sub/"]), _ignored),
        st.tuples(st.sampled_from(["sync", "cancelled sync"]), st.none(), st.none()),
    ),
    min_size=2,
    max_size=12,
)


def _drive(folder: Path) -> Path:
    """Where a folder is while it is not mounted."""
    return folder.with_name("drive")


def _mounted(folder: Path) -> tuple[Mount, ...]:
    root = Mount(Path("/"), "ext4")
    return (root,) if _drive(folder).exists() else (root, Mount(folder, "ext4"))


def _is_ignored(path: Path, folder: Path) -> bool:
    """Git's result for the patterns above."""
    is_reported = False
    for above in (folder, *([folder / "sub"] if path.parent != folder else [])):
        file = above / ".gitignore"
        for line in file.read_text().splitlines() if file.exists() else ():
            name = line.lstrip("!/")
            is_in_sub = path.parent != folder and above == folder
            if name == "sub/":
                is_reported = is_reported or is_in_sub
            elif (not line.startswith("/") or not is_in_sub) and path.match(name):
                is_reported = not line.startswith("!")
    outer = folder / ".gitignore"
    # Files in an ignored folder are not included again by any rule.
    is_shut = path.parent != folder and outer.exists() and "sub/" in outer.read_text()
    return is_reported or is_shut


def _do(step: tuple[str, str, str], folder: Path) -> None:
    what, name, other = step
    path = folder / (name or "a.txt")
    if what == "write":
        put(path, other)
    elif what == "unmount" and not _drive(folder).exists():
        folder.rename(_drive(folder))
        # The mount point of a drive stays, and is empty.
        folder.mkdir()
    elif what == "mount" and _drive(folder).exists():
        shutil.rmtree(folder)
        _drive(folder).rename(folder)
    elif path.exists() and what == "delete":
        path.unlink()
    elif path.exists() and what == "touch":
        touch(path)
    elif path.exists() and what in {"move", "copy"} and name != other:
        (folder / other).parent.mkdir(exist_ok=True)
        if what == "move":
            path.replace(folder / other)
        else:
            shutil.copy2(path, folder / other)
    elif what == "ignore":
        put(folder / name / ".gitignore", other)
    elif what == "swap" and path.exists() and (folder / "b.txt").exists():
        path.rename(folder / "swapping.tmp")
        (folder / "b.txt").rename(path)
        (folder / "swapping.tmp").rename(folder / "b.txt")


@settings(max_examples=examples(25))
@given(steps=_steps)
def test_whatever_happens_to_files_the_library_becomes_as_the_folder_is(
    steps, encoder, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("any")
    folder = home / "documents"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filesystems, "mounted", lambda: _mounted(folder))
        patch.setattr(
            "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
        )
        with Library.open(home / "library") as library:
            library.add_folder(folder)
            for step in steps:
                if step[0] == "sync":
                    library.sync()
                elif step[0] == "cancelled sync":
                    job = Job(lambda progress, job=None: None)
                    job.cancel()
                    with pytest.raises(Cancelled):
                        library.sync(job)
                elif not _drive(folder).exists() or step[0] == "mount":
                    # A drive that is away is not written to.
                    _do(step, folder)
            library.sync()
            _do(("mount", "", ""), folder)
            report = library.sync()
            expected = {
                str(path): path.read_text().strip()
                for path in folder.rglob("*.*")
                if path.suffix in {".txt", ".md"}
                and path.is_file()
                and not _is_ignored(path, folder)
            }
            failed = {str(failure.path) for failure in report.failed}
            assert contents(library) | dict.fromkeys(failed, "") == expected
            assert_sound(library)
