"""Indexes a few documents again and again, each time with another thing that fails.

Run by `test_faults.py` in a separate process, into which `faults.c` is loaded. Each turn is a
fork of one warm process, with readers and a model that need no others.
"""

from __future__ import annotations

import errno
import importlib
import json
import mmap
import os
import shutil
import struct
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from core.catalog.integrity import user_data_backup as second_file
from core.documents.document import Document
from core.documents.formats import format_of, load_function
from core.documents.reader import Reader
from core.errors import WinnowError
from core.indexing import rebuild
from core.indexing.read import document_rows
from core.library.library import Library
from core.requests import ReadPages
from core.responses import Mode
from core.settings import load_settings, save_settings

FAULTS = {
    "kill": (0, False),
    "ENOSPC": (errno.ENOSPC, False),
    "EIO": (errno.EIO, False),
    "ENOSPC from then on": (errno.ENOSPC, True),
    "EIO from then on": (errno.EIO, True),
    # As Linux makes a disk that failed.
    "EROFS from then on": (errno.EROFS, True),
}
QUERIES = ("crow food", "owl mice", "swift air", "wren")

State = dict[str, Any]


class HashedTokens:
    """A model without a file: each token has a distinct vector."""

    name = "none"

    def __init__(self, dimensions: int) -> None:
        random = np.random.default_rng(0)
        self._table = random.standard_normal((1 << 16, dimensions + 2), dtype=np.float32)
        self._table[:, dimensions:] = 1

    def project(self, ids: Any, mask: Any) -> Any:
        return self._table[ids % len(self._table)]


def read_here(_self: Reader, path: Path, **_options: object) -> Document:
    kind = format_of(path)
    assert kind is not None
    return load_function(kind.reader)(path)


class Driver:
    """One library before a change, the change, and the expected library after it."""

    def __init__(self, root: Path) -> None:
        self.home, self.before_home = root / "home", root / "before"
        self.docs = root / "docs"
        self.docs.mkdir()
        self._put("crow.txt", "The crow hides food.", 1)
        self._put("owl.txt", "The owl hunts mice.", 2)
        self._put("swift.txt", "The swift sleeps in the air.", 3)
        # The imports of a turn are done once, before the fork.
        for module in self.in_child(self._fill):
            importlib.import_module(module)
        shutil.copytree(self.home, self.before_home)
        self._put("owl.txt", "The owl turns its head.", 4)
        self._put("wren.txt", "The wren is small.", 5)
        (self.docs / "swift.txt").unlink()
        self.before = self.in_child(self._state)
        self.in_child(self._change)
        self.after = self.in_child(self._state)
        assert "raised" not in {**self.before, **self.after}, (self.before, self.after)

    def _put(self, name: str, text: str, second: int) -> None:
        path = self.docs / name
        path.write_text(text)
        os.utime(path, (second, second))

    def _fill(self) -> list[str]:
        with Library.open(self.home) as library:
            library.add_folder(self.docs)
            library.sync()
            library.search("owl")
            library.check()
        ours = ("core.", "numpy", "safetensors", "sqlite_utils", "tokenizers", "pathspec")
        return [name for name in sys.modules if name.startswith(ours)]

    def _change(self) -> None:
        with Library.open(self.home) as library:
            library.sync()
            found = library.search("owl head", mode=Mode.WORDS).hits
            if found:
                library.teaching.judge("owl head", found[0].passages[0].passage.id)
            path = self.home / "settings.json"
            save_settings(load_settings(path).settings, path)

    def _state(self) -> State:
        with Library.open(self.home) as library:
            answers = {
                f"{mode} {query}": sorted(
                    (hit.path.name, hit.passages[0].passage.text)
                    for hit in library.search(query, mode=mode).hits
                )
                for query in QUERIES
                for mode in (Mode.WORDS, Mode.MEANING)
            }
            db = library._catalog.connection()
            rows = db.execute("SELECT id, path FROM documents WHERE pages > 0").fetchall()
            texts = {
                Path(row["path"]).name: [page.text for page in library.answer(ReadPages(row["id"]))]
                for row in rows
            }
        state: State = json.loads(json.dumps({"answers": answers, "texts": texts}))
        return state

    def _settle(self) -> list[str]:
        """Sync the library once more, undisturbed; return differences from the expected state."""
        self._change()
        wrong = []
        with Library.open(self.home) as library:
            report = library.check()
            wrong += report.problems
            db = library._catalog.connection()
            named = {row[0] for row in db.execute("SELECT file FROM segments")}
            if library.failures():
                wrong.append(f"failed: {library.failures()}")
        names = {"catalog.sqlite", "writer.lock", second_file.NAME, "settings.json", "index"}
        names |= {"settings.copy.json", "catalog.upgrade-lock"}
        left = {one.name for one in self.home.iterdir()} - names
        left |= {one.name for one in (self.home / "index").iterdir()} - named
        if left:
            wrong.append(f"left over: {sorted(left)}")
        if (state := self._state()) != self.after:
            wrong.append(f"ends otherwise: {state}")
        return wrong

    def turn(self, number: int, fault: str) -> tuple[bool, list[str]]:
        """Make one call fail; return whether there was one, and the differences after it."""
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(self.before_home, self.home)
        set_fault(number, *FAULTS[fault])
        ended = self.in_child(self._tried, dies=fault == "kill")
        has_struck = struck()
        set_fault(0)
        wrong = [ended] if isinstance(ended, str) else []
        state = self.in_child(self._state)
        wrong += between(state, self.before, self.after)
        wrong += self.in_child(self._settle)
        return has_struck, wrong

    def _tried(self) -> str | None:
        try:
            self._change()
        except WinnowError:
            return None
        except Exception:  # noqa: BLE001 - any other error is a finding
            return traceback.format_exc(limit=-6)
        return None

    def in_child(self, work: Callable[[], Any], *, dies: bool = False) -> Any:
        """Return the result of `work` in a fork of this process."""
        read, write = os.pipe()
        child = os.fork()
        if not child:
            os.close(read)
            try:
                answer = json.dumps(work())
            except BaseException:  # noqa: BLE001 - sent to the parent
                answer = json.dumps("raised " + traceback.format_exc(limit=-6))
            with os.fdopen(write, "w") as pipe:
                pipe.write(answer)
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            output = pipe.read()
        os.waitpid(child, 0)
        if not output and dies:
            return None
        answer = json.loads(output)
        if isinstance(answer, str) and answer.startswith("raised") and not dies:
            return [answer] if work == self._settle else {"raised": answer}
        return answer


def between(state: State, before: State, after: State) -> list[str]:
    """The differences from both the old and the expected state."""
    if "raised" in state:
        return [state["raised"]]
    wrong = []
    for name, text in state["texts"].items():
        if text not in (before["texts"].get(name), after["texts"].get(name)):
            wrong.append(f"{name} holds {text}")
    wrong += [
        f"{name} is gone"
        for name in before["texts"].keys() & after["texts"].keys()
        if name not in state["texts"]
    ]
    known = [
        {tuple(hit) for one in (before, after) for hit in one["answers"][query_text]}
        for query_text in state["answers"]
    ]
    for query_text, possible in zip(state["answers"], known, strict=True):
        if strange := {tuple(hit) for hit in state["answers"][query_text]} - possible:
            wrong.append(f"{query_text} finds {strange}")
    return wrong


_counter: mmap.mmap


def set_fault(number: int, code: int = 0, lasts: bool = False) -> None:
    _counter[:32] = struct.pack("qqqq", 0, number, code, lasts)


def struck() -> bool:
    count, number, *_ = struct.unpack("qqqq", _counter[:32])
    return count >= number


def main(root: Path, turns: Iterator[tuple[int, str]]) -> None:
    global _counter
    with open(os.environ["WINNOW_FAULT_COUNTER"], "r+b") as file:  # noqa: PTH123 - to be mapped
        _counter = mmap.mmap(file.fileno(), 32)
    set_fault(0)
    import core.index.generation as generation
    from core.encoders.folders.layouts import load_checkpoint

    model = HashedTokens(load_checkpoint().dimensions)
    generation.open_runtime = lambda *_args, **_options: model  # type: ignore[assignment]
    Reader.read = read_here  # type: ignore[method-assign,assignment]
    document_rows._STORE_S = 0.0  # type: ignore[misc]
    rebuild.PASSAGES_PER_SEGMENT = 2  # type: ignore[misc]
    driver = Driver(root)
    for number, fault in turns:
        has_struck, wrong = driver.turn(number, fault)
        sys.stdout.write(json.dumps([number, fault, has_struck, wrong]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        ((int(one.split(":")[0]), one.split(":")[1].strip()) for one in sys.stdin),
    )
