"""The library's life while the window is open: opened, warmed up, watched, kept in step, closed."""

from __future__ import annotations

import contextlib
import threading
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.background import Lane, Latest
from core.errors import WinnowError
from core.indexing.following import SyncSchedule, watch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from app.background import Task, Work
    from core.catalog.documents import Failure
    from core.catalog.folders import FolderRules
    from core.catalog.reports import Status, SyncReport
    from core.indexing.watching import Watcher
    from core.left_out import Rule
    from core.library.library import Library
    from core.progress import Job, Progress, Stage

    # Something done to the library that no sync may disturb and that one has to follow.
    Change = Callable[[Library, Job], object]

_GROWTH_PAUSE_MS: Final = 2000
# For so long at most the first answer by words has the processor to itself.
_GRACE_MS: Final = 400


class Session(QObject):
    """Owns the library and the three lanes on which it is used: each of its methods may block.

    What writes runs on a lane of width 1. A running sync gives way to a folder that is added or
    removed, and goes on afterwards from where it was. What looks at the person's own files has a
    lane of its own: on a drive that does not answer it hangs, and nothing else may wait for it.
    """

    opened = Signal(object)
    open_failed = Signal(object)
    warmed = Signal()
    # The model cannot be loaded; `failed` tells why.
    not_warmed = Signal()
    # A new Status, and the failures as a tuple of Failure.
    state_changed = Signal(object, object)
    sync_started = Signal()
    sync_progressed = Signal(object)
    # There may be more to find than before.
    grown = Signal()
    # The library is in step with its folders; carries the SyncReport.
    synced = Signal(object)
    # The person cancelled the sync.
    sync_stopped = Signal()
    failed = Signal(object)
    closing = Signal()
    closed = Signal()

    def __init__(self, open_library: Callable[[], Library], parent: QObject) -> None:
        super().__init__(parent)
        # Loading the model, a search, counts and exact lights at the same time.
        self.reads = Lane(4, self)
        self.reads.emptied.connect(self._learn_if_due)
        # The reader's text, looks and page, and whether folders are there.
        self.files = Lane(4, self)
        self._writes = Lane(1, self)
        self._looking = Latest(self.files, self, self._tell_state, self._fail_looking)
        self._is_look_due = False
        # The look under way began before a change or a sync ended, and may tell of what was before.
        self._is_look_stale = False
        self._failures: tuple[Failure, ...] = ()
        self._open_library = open_library
        self._library: Library | None = None
        # The last values of the signals, for a dialog that is built later.
        self.state: tuple[Status, tuple[Failure, ...]] | None = None
        self.left_out: Mapping[Rule, int] | None = None
        self._load_vocabulary: Work | None = None
        self._learn_words: Work | None = None
        self._is_learning_due = False
        self._sync: Task | None = None
        # The person who stops a sync pauses it; it is resumed by them, or by a new folder.
        self._schedule = SyncSchedule()
        self._alone = contextlib.ExitStack()
        self._is_closing = False
        self._changes_before_opening: list[Change] = []
        self._seen: tuple[Stage, int] | None = None
        self._model = ""
        self._has_grown = False
        self._growth_pause = QTimer(self, singleShot=True, interval=_GROWTH_PAUSE_MS)
        self._growth_pause.timeout.connect(self._tell_growth)
        # Whether an answer is waited for while the library opens; nobody asks unless told.
        self.is_asked: Callable[[], bool] = bool
        self._grace = QTimer(self, singleShot=True, interval=_GRACE_MS)
        self._grace.timeout.connect(self._begin)
        self._watching = Watching(self)
        self._watching.changed.connect(self._follow)

    @property
    def library(self) -> Library | None:
        """The library, once it is open."""
        return self._library

    @property
    def is_idle(self) -> bool:
        """Nothing is being done."""
        return not self.is_reading and self._writes.is_empty

    @property
    def is_reading(self) -> bool:
        """Something is being looked up, in the library or in files."""
        return not (self.reads.is_empty and self.files.is_empty)

    def open(self) -> None:
        """Open the library, load the model, bring the library into step with its folders."""
        task = self._writes.start(lambda _job: self._open_library())
        task.succeeded.connect(self._take_library)
        task.failed.connect(self.open_failed)

    def begin_anew(self, begin: Callable[[], object]) -> None:
        """Have a library that cannot be opened begun anew, and open it then."""
        task = self._writes.start(lambda _job: begin())
        task.succeeded.connect(lambda _: self.open())
        task.failed.connect(self.open_failed)

    def add_folders(self, paths: list[Path]) -> None:
        for path in paths:
            self._ask(partial(_add_folder, path))

    def add_folder(self, path: Path, rules: FolderRules, description: str) -> None:
        """Add a folder by these rules, or have them hold for one that was added before.

        The description is what the person says of it.
        """
        self._ask(partial(_add_folder, path, rules=rules, description=description))

    def retry(self) -> None:
        """Try once more what could not be read."""
        self._ask(_retry)

    def remove_folder(self, path: Path) -> None:
        self._ask(partial(_remove_folder, path))

    def sync(self) -> None:
        """Bring the library into step with its folders, as soon as nothing stands in the way."""
        if self._library is None or self._is_closing or self._sync is not None:
            return
        self._schedule.resume()
        self._schedule.note(None)
        self._sync_if_due()

    def _sync_if_due(self) -> None:
        library = self._library
        if library is None or self._is_closing or (due := self._schedule.start()) is None:
            return
        changed = due.changed
        self._seen = None
        self._sync = self._writes.start(lambda job: library.sync(job, changed, background=True))
        self._sync.progressed.connect(self._watch_growth)
        self._sync.succeeded.connect(self._end_sync)
        self._sync.failed.connect(self._fail_sync)
        self._sync.cancelled.connect(self._stop_sync)
        self.sync_started.emit()

    def _follow(self, paths: frozenset[Path] | None) -> None:
        """Sync what has changed, as soon as nothing is in the way."""
        self._schedule.note(paths)
        self._sync_if_due()

    def cancel_sync(self) -> None:
        """Begin no sync until the person has it go on, nor once a change that is made is done."""
        self._schedule.pause()
        if self._sync is not None:
            self._sync.cancel()
        else:
            # It gave way to a change, or has just ended.
            self.sync_stopped.emit()

    def close(self, last: Work) -> None:
        """Stop everything, do `last`, close the library, then emit `closed`; returns at once."""
        if self._is_closing:
            return
        self._is_closing = True
        self.closing.emit()
        self._watching.stop()
        self.reads.shut()
        self.files.shut()
        self._writes.cancel_all()
        self._writes.start(last)
        self.reads.emptied.connect(self._close_when_idle)
        self.files.emptied.connect(self._close_when_idle)
        self._writes.emptied.connect(self._close_when_idle)

    def _take_library(self, library: Library) -> None:
        self._library = library
        if self._is_closing:
            return
        self._load_vocabulary = library.background_vocabulary()
        self.opened.emit(library)
        self._look()
        changes, self._changes_before_opening = self._changes_before_opening, []
        for change in changes:
            self._ask(change)
        if self.is_asked():
            self._grace.start()
        else:
            self._begin()

    def begin(self) -> None:
        """Don't hold back any longer: what was waited for while the library opened is there."""
        if self._grace.isActive():
            self._grace.stop()
            self._begin()

    def _begin(self) -> None:
        library = self._library
        if library is None or self._is_closing:
            return
        # The service in the background leaves it to the window to follow what changes.
        self._writes.start(lambda _job: self._have_alone(library))
        # Both at once: documents can be read, and found by their words, before the model is there.
        self._schedule.note(None)
        self._sync_if_due()
        self._watching.start(library.watcher)
        task = self.reads.start(lambda _job: library.warm_up())
        task.succeeded.connect(lambda _: self.warmed.emit())
        # After the model, which more depends on, however soon a sync ends. A failure is one that
        # searching has, too.
        task.succeeded.connect(self._learn_at_last)
        # Without its model a library can still be searched by words.
        task.failed.connect(lambda _: self.not_warmed.emit())
        task.failed.connect(self._learn_at_last)
        task.failed.connect(self.failed)

    def _learn_at_last(self) -> None:
        self._learn_words = self._load_vocabulary
        self._learn()

    def _learn(self) -> None:
        """Read the library's words, once nothing is looked up that somebody waits for.

        Of a million documents it takes three seconds, in which all else takes twice as long.
        """
        self._is_learning_due = self._learn_words is not None
        if self.reads.is_empty:
            self._learn_if_due()

    def _learn_if_due(self) -> None:
        if self._is_learning_due and self._learn_words is not None and not self._is_closing:
            self._is_learning_due = False
            self.reads.start(self._learn_words)

    def change(self, change: Change, *, ends_pause: bool = True) -> Task | None:
        """Have the library changed, before any sync goes on; None while it is not open.

        Whoever asks for it shows what comes of the task.

        Args:
            change: what is done.
            ends_pause: whether a sync has to follow even where the person stopped the last one.
        """
        if self._is_closing or self._library is None:
            return None
        self._schedule.block()
        if ends_pause:
            self._schedule.resume()
        if self._sync is not None:
            self._sync.cancel()
        task = self._writes.start(partial(change, self._library))
        task.succeeded.connect(self._look_anew)
        for end in (task.succeeded, task.failed, task.cancelled):
            end.connect(self._end_change)
        return task

    def _ask(self, change: Change) -> None:
        """Have the library changed as soon as it is open; what goes wrong is told by `failed`."""
        task = self.change(change)
        if task is not None:
            task.failed.connect(self.failed)
        elif not self._is_closing:
            self._changes_before_opening.append(change)

    def _end_change(self) -> None:
        self._schedule.unblock()
        if self._library is not None and not self._is_closing:
            self._watching.start(self._library.watcher)
        self.grown.emit()
        self._sync_if_due()

    def _watch_growth(self, progress: Progress) -> None:
        self.sync_progressed.emit(progress)
        seen = (progress.stage, progress.passages)
        if seen != self._seen:
            self._seen = seen
            self._has_grown = True
            if not self._growth_pause.isActive():
                self._tell_growth()

    def _tell_growth(self) -> None:
        """Tell of growth, but not again for a moment: each time the answer is made anew."""
        if self._has_grown and not self._is_closing:
            self._has_grown = False
            self._growth_pause.start()
            self.grown.emit()
            self._look()

    def _end_sync(self, report: SyncReport) -> None:
        self._sync = None
        self._schedule.end()
        if report.is_whole:
            self.left_out = report.left_out
        self.synced.emit(report)
        for sentence in filter(None, (report.notice, report.problem)):
            self.failed.emit(WinnowError(sentence))
        if self._schedule.is_paused:
            # All but done when it was to stop; what changes from now on waits.
            self.sync_stopped.emit()
        self._after_sync()

    def _fail_sync(self, error: Exception) -> None:
        self._sync = None
        self._schedule.end()
        self.sync_stopped.emit()
        self.failed.emit(error)
        self._after_sync()

    def _stop_sync(self) -> None:
        self._sync = None
        if not self._schedule.end():
            self.sync_stopped.emit()
        self._after_sync()

    def _after_sync(self) -> None:
        self.grown.emit()
        self._look_anew()
        self._learn()
        self._sync_if_due()

    def _look_anew(self) -> None:
        """Have the state told as it is from now on, whatever a look under way has seen."""
        self._is_look_stale = self._looking.is_running
        self._look()

    def _look(self) -> None:
        """Have the folders, counts and failures told anew."""
        if self._library is None or self._is_closing:
            return
        # Where one look hangs, others would hang beside it.
        self._is_look_due = self._looking.is_running
        if not self._is_look_due:
            self._looking.start(partial(_look, self._library, self._failures))

    def _look_if_due(self) -> None:
        if self._is_look_due:
            self._look()

    def _fail_looking(self, error: Exception) -> None:
        self._is_look_stale = False
        self.failed.emit(error)
        self._look_if_due()

    def _tell_state(self, seen: tuple[Status, tuple[Failure, ...]]) -> None:
        if self._is_look_stale:
            self._is_look_stale = False
            self._look_if_due()
            return
        status, failures = seen
        self._failures = failures
        if self._model and status.model != self._model and self._library is not None:
            # Another model answers from now on: no query has to wait for it to be loaded.
            library = self._library
            self.reads.start(lambda _job: library.warm_up()).failed.connect(self.failed)
        self._model = status.model
        self.state = seen
        self.state_changed.emit(status, failures)
        self._look_if_due()

    def _close_when_idle(self) -> None:
        if not self.is_idle:
            return
        library, self._library = self._library, None
        if library is None:
            self.reads.end()
            self.files.end()
            self._writes.end()
            self.closed.emit()
            return
        # When this has ended the lane is empty once more, and then there is nothing left to close.
        self._writes.start(lambda _job: self._let_go(library))

    def _have_alone(self, library: Library) -> None:
        # Here and not above: the window waits for no socket.
        from core.daemon_client import client

        self._alone.enter_context(client.hold(library.home))

    def _let_go(self, library: Library) -> None:
        with self._alone:
            library.close()


def _add_folder(
    path: Path,
    library: Library,
    _job: Job,
    rules: FolderRules | None = None,
    description: str | None = None,
) -> None:
    folder = library.add_folder(path, rules)
    if description is not None and description != folder.description:
        library.describe_folder(folder.path, description)


def _retry(library: Library, _job: Job) -> None:
    library.retry()


def _remove_folder(path: Path, library: Library, job: Job) -> None:
    library.remove_folder(path, job)


def _look(
    library: Library, known: tuple[Failure, ...], _job: Job
) -> tuple[Status, tuple[Failure, ...]]:
    """Look anew; failures that were `known` are the same objects, by which the window tells."""
    status, failures = library.status(), library.failures()
    by_content = {failure: failure for failure in known}
    return status, tuple(by_content.get(failure, failure) for failure in failures)


class Watching(QObject):
    """Watches one set of folders at a time."""

    # Paths at which something changed, as a frozenset; None where all is to be looked at.
    changed = Signal(object)

    _told = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._stop: threading.Event | None = None
        self._told.connect(self._pass_on, Qt.ConnectionType.QueuedConnection)

    def start(self, open_watcher: Callable[[], Watcher]) -> None:
        """Watch what `open_watcher`, called on the thread, gives, and nothing else from now on."""
        self.stop()
        self._stop = threading.Event()
        # A daemon: it never writes, and nothing waits for the last fraction of a second of it.
        threading.Thread(
            target=watch,
            args=(open_watcher, self._stop, partial(self._told.emit, self._stop)),
            name="watching",
            daemon=True,
        ).start()

    def stop(self) -> None:
        """Tell of nothing more; returns at once."""
        if self._stop is not None:
            self._stop.set()
            self._stop = None

    def _pass_on(self, stop: threading.Event, paths: object) -> None:
        # What is told by a thread that was stopped in the meantime is of another time.
        if stop is self._stop:
            self.changed.emit(paths)


def begin_anew(home: Path) -> None:
    """Set the library in `home` aside, which is damaged, and begin another in its place.

    Raises:
        LibraryError: that cannot be done.
    """
    from core.library.library import Library

    Library.begin_anew(home)


def open_library(home: Path) -> Library:
    """Open the library in `home`; imports the engine, so only in the background.

    Raises:
        LibraryError: it cannot be opened.
    """
    from core.library.library import Library

    return Library.open(home)
