"""The library while the window is open: opening, warm-up, watching, syncing, closing."""

from __future__ import annotations

import contextlib
import threading
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.background import Lane, Latest, Task, Work
from core.errors import WinnowError
from core.indexing.scan.watching import SyncSchedule, Watcher, watch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.catalog.files.folders import FolderRules
    from core.catalog.reports import Status, SyncReport
    from core.indexing.scan.exclusion import Exclusion
    from core.library.library import Library
    from core.progress import Job, Progress, Stage

    # A change of the library: no sync runs during it, and one follows.
    Change = Callable[[Library, Job], object]

_GROWTH_PAUSE_MS: Final = 2000
# How long loading waits for the first results by words, in milliseconds.
_GRACE_MS: Final = 400
# How long the model stays in memory after the last search.
MODEL_KEPT_MS: Final = 10 * 60 * 1000


class Session(QObject):
    """Owns the library and the three lanes on which it is used, because all its methods may block.

    Writers run on a lane of width 1. A running sync is interrupted by changes of folders, and
    continues afterwards. Access to the person's files has a separate lane: it hangs on a drive
    that does not respond, and nothing else may wait for it.
    """

    opened = Signal(object)
    open_failed = Signal(object)
    warmed = Signal()
    # The model cannot be loaded; `failed` carries the error.
    not_warmed = Signal()
    # The cause of an error that was reported is gone; carries the error.
    recovered = Signal(object)
    # Carries a new Status.
    state_changed = Signal(object)
    sync_started = Signal()
    sync_progressed = Signal(object)
    # The content of the library changed.
    grown = Signal()
    # The sync is complete; carries the SyncReport.
    synced = Signal(object)
    # The person cancelled the sync.
    sync_stopped = Signal()
    # A folder was excluded; carries the Exclusion.
    excluded = Signal(object)
    failed = Signal(object)
    closing = Signal()
    closed = Signal()

    def __init__(self, open_library: Callable[[], Library], parent: QObject) -> None:
        super().__init__(parent)
        # For the model, a search, counts and exact highlights at the same time.
        self.reads = Lane(4, self)
        self.reads.emptied.connect(self._load_words_if_due)
        # For the reader's text and pages, and for checks of folders.
        self.files = Lane(4, self)
        self._writes = Lane(1, self)
        self._querying = Latest(self.files, self, self._take_state, self._fail_query)
        self._is_query_due = False
        # The running query of the state began before a change or a sync ended, and may be stale.
        self._is_query_stale = False
        self._open_library = open_library
        # The library, once it is open.
        self.library: Library | None = None
        # The last values of the signals, for a dialog that is built later.
        self.state: Status | None = None
        self._load_vocabulary: Work | None = None
        self._load_words: Work | None = None
        self._are_words_due = False
        self._sync: Task | None = None
        # Stopping a sync pauses syncing until the person continues or adds a folder.
        self._schedule = SyncSchedule()
        self._alone = contextlib.ExitStack()
        self._is_closing = False
        self._changes_before_opening: list[Change] = []
        self._seen: tuple[Stage, int] | None = None
        self._model = ""
        self._model_error: Exception | None = None
        self._sync_errors: tuple[Exception, ...] = ()
        self._is_model_loading = False
        self._has_grown = False
        self._growth_pause = QTimer(self, singleShot=True, interval=_GROWTH_PAUSE_MS)
        self._growth_pause.timeout.connect(self._emit_growth)
        # Whether a search is pending while the library opens; set by the window.
        self.has_pending_search: Callable[[], bool] = bool
        self._grace = QTimer(self, singleShot=True, interval=_GRACE_MS)
        self._grace.timeout.connect(self._begin)
        # Restarted by each search; at its end the model is released.
        self.model_timer = QTimer(self, singleShot=True, interval=MODEL_KEPT_MS)
        self.model_timer.timeout.connect(self._release_model)
        self.reads.emptied.connect(self.model_timer.start)
        self._watching = Watching(self)
        self._watching.changed.connect(self._follow)

    @property
    def is_idle(self) -> bool:
        """Whether no work is running."""
        return not self.is_reading and self._writes.is_empty

    @property
    def is_reading(self) -> bool:
        """Whether a read of the library or of files is running."""
        return not (self.reads.is_empty and self.files.is_empty)

    def open(self) -> None:
        """Open the library, load the model, and sync."""
        task = self._writes.start(lambda _job: self._open_library())
        task.succeeded.connect(self._take_library)
        task.failed.connect(self.open_failed)

    def replace_library(self, begin: Callable[[], object]) -> None:
        """Replace a library that cannot be opened, and open the new one."""
        task = self._writes.start(lambda _job: begin())
        task.succeeded.connect(lambda _: self.open())
        task.failed.connect(self.open_failed)

    def add_folders(self, paths: list[Path]) -> None:
        for path in paths:
            self._ask(partial(_add_folder, path))

    def add_folder(self, path: Path, rules: FolderRules, description: str) -> None:
        """Add a folder with rules and a description, or change those of an added folder."""
        self._ask(partial(_add_folder, path, rules=rules, description=description))

    def retry(self, path: Path | None = None) -> None:
        """Retry the files that could not be read, or one of them, or one without text."""
        self._ask(partial(_retry, path))

    def set_seen(self) -> None:
        """Store that the person has seen how many files are without text or unreadable."""
        library = self.library
        if library is not None and not self._is_closing:
            task = self.reads.start(lambda _job: library.set_seen())
            task.succeeded.connect(self._query_state_again)
            task.failed.connect(self.failed)

    def remove_folder(self, path: Path) -> None:
        self._ask(partial(_remove_folder, path))

    def exclude_folder(self, path: Path) -> None:
        """Exclude a folder inside one of the library's folders."""
        task = self._ask(partial(_exclude_folder, path))
        if task is not None:
            task.succeeded.connect(self.excluded)

    def include_folder(self, exclusion: Exclusion) -> None:
        """Undo an exclusion."""
        self._ask(partial(_include_folder, exclusion))

    def sync(self) -> None:
        """Sync the library as soon as no change blocks it."""
        if self.library is None or self._is_closing or self._sync is not None:
            return
        self._schedule.resume()
        self._schedule.note(None)
        self._sync_if_due()

    def update_folder(self, path: Path) -> None:
        """Sync one folder, and nothing else, as soon as no other sync is running."""
        if self.library is None or self._is_closing:
            return
        task = self.files.start(lambda _job: _file_of(path))
        task.succeeded.connect(self._update)
        task.failed.connect(self.failed)

    def _update(self, path: Path) -> None:
        self._schedule.resume()
        self._follow(frozenset({path}))

    def _sync_if_due(self) -> None:
        library = self.library
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
        """Sync changed paths as soon as no change blocks it."""
        self._schedule.note(paths)
        self._sync_if_due()

    def cancel_sync(self) -> None:
        """Pause syncing until the person continues, even if a change ends before that."""
        self._schedule.pause()
        if self._sync is not None:
            self._sync.cancel()
        else:
            # The sync was interrupted by a change, or has just ended.
            self.sync_stopped.emit()

    def close(self, last: Work) -> None:
        """Start closing: stop all work, run `last`, close the library, then emit `closed`."""
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
        self.library = library
        if self._is_closing:
            return
        self._load_vocabulary = library.background_vocabulary()
        self.opened.emit(library)
        self._query_state()
        changes, self._changes_before_opening = self._changes_before_opening, []
        for change in changes:
            self._ask(change)
        if self.has_pending_search():
            self._grace.start()
        else:
            self._begin()

    def begin(self) -> None:
        """Continue loading, because the pending search has its results."""
        if self._grace.isActive():
            self._grace.stop()
            self._begin()

    def _begin(self) -> None:
        library = self.library
        if library is None or self._is_closing:
            return
        # The background service leaves syncing to the window.
        self._writes.start(lambda _job: self._hold_alone(library))
        # In parallel: documents are read, and found by words, before the model is loaded.
        self._schedule.note(None)
        self._sync_if_due()
        self._watching.start(library.watcher)
        self._load_model(library)

    def retry_model(self) -> None:
        """Load the model again if that failed: the person may have removed the cause."""
        library = self.library
        if library is not None and not self._is_closing and self._model_error is not None:
            self._load_model(library)

    def _load_model(self, library: Library) -> None:
        if self._is_model_loading:
            return
        self._is_model_loading = True
        task = self.reads.start(lambda _job: library.warm_up())
        task.succeeded.connect(self._take_model)
        # Without its model the library can be searched by words.
        task.failed.connect(self._fail_model)
        for end in (task.succeeded, task.failed, task.cancelled):
            end.connect(self._end_model)

    def _take_model(self, _of: object) -> None:
        error, self._model_error = self._model_error, None
        if error is not None:
            self.recovered.emit(error)
        self.warmed.emit()

    def _fail_model(self, error: Exception) -> None:
        before, self._model_error = self._model_error, error
        self.not_warmed.emit()
        # An error that the person has dismissed is not shown again by each attempt.
        if before is None or str(before) != str(error):
            self.failed.emit(error)

    def _end_model(self, _of: object = None) -> None:
        self._is_model_loading = False
        # After the model, which is more important, even if a sync ends earlier.
        self._allow_words()

    def _allow_words(self) -> None:
        self._load_words = self._load_vocabulary
        self._load_words_when_idle()

    def _load_words_when_idle(self) -> None:
        """Read the vocabulary of the library once no read is pending.

        For a million documents it takes three seconds and halves the speed of other reads.
        """
        self._are_words_due = self._load_words is not None
        if self.reads.is_empty:
            self._load_words_if_due()

    def _release_model(self) -> None:
        library = self.library
        if library is None or self._is_closing or not self.is_idle:
            self.model_timer.start()
        elif library.is_warm:
            # On the lane: freeing memory takes time.
            self.files.start(lambda _job: library.release_model())

    def _load_words_if_due(self) -> None:
        if self._are_words_due and self._load_words is not None and not self._is_closing:
            self._are_words_due = False
            self.reads.start(self._load_words)

    def change(self, change: Change, *, ends_pause: bool = True) -> Task | None:
        """Start a change of the library before any sync continues; None while it is not open.

        The caller handles the result of the task.

        Args:
            change: the change.
            ends_pause: whether a sync follows even if the person stopped the last one.
        """
        if self._is_closing or self.library is None:
            return None
        self._schedule.block()
        if ends_pause:
            self._schedule.resume()
        if self._sync is not None:
            self._sync.cancel()
        task = self._writes.start(partial(change, self.library))
        task.succeeded.connect(self._query_state_again)
        for end in (task.succeeded, task.failed, task.cancelled):
            end.connect(self._end_change)
        return task

    def _ask(self, change: Change) -> Task | None:
        """Change the library as soon as it is open; emits `failed` on errors.

        Returns the task; None while the library is not open.
        """
        task = self.change(change)
        if task is not None:
            task.failed.connect(self.failed)
        elif not self._is_closing:
            self._changes_before_opening.append(change)
        return task

    def _end_change(self) -> None:
        self._schedule.unblock()
        if self.library is not None and not self._is_closing:
            self._watching.start(self.library.watcher)
        self.grown.emit()
        self._sync_if_due()

    def _watch_growth(self, progress: Progress) -> None:
        self.sync_progressed.emit(progress)
        seen = (progress.stage, progress.passages)
        if seen != self._seen:
            self._seen = seen
            self._has_grown = True
            if not self._growth_pause.isActive():
                self._emit_growth()

    def _emit_growth(self) -> None:
        """Emit `grown`, at most every two seconds: each time the query is searched again."""
        if self._has_grown and not self._is_closing:
            self._has_grown = False
            self._growth_pause.start()
            self.grown.emit()
            self._query_state()

    def _end_sync(self, report: SyncReport) -> None:
        self._sync = None
        self._schedule.end()
        self.synced.emit(report)
        self.retry_model()
        sentences = filter(None, (report.notice, report.problem))
        self._report_sync(tuple(map(WinnowError, sentences)))
        if self._schedule.is_paused:
            # The sync completed although it was cancelled; later changes wait.
            self.sync_stopped.emit()
        self._after_sync()

    def _fail_sync(self, error: Exception) -> None:
        self._sync = None
        self._schedule.end(has_failed=True)
        self.sync_stopped.emit()
        self._report_sync((error,))
        self._after_sync()

    def _report_sync(self, errors: tuple[Exception, ...]) -> None:
        """Report the errors of a sync instead of those of the one before."""
        for error in self._sync_errors:
            self.recovered.emit(error)
        self._sync_errors = errors
        for error in errors:
            self.failed.emit(error)

    def _stop_sync(self) -> None:
        self._sync = None
        if not self._schedule.end():
            self.sync_stopped.emit()
        self._after_sync()

    def _after_sync(self) -> None:
        self.grown.emit()
        self._query_state_again()
        self._load_words_when_idle()
        self._sync_if_due()

    def _query_state_again(self) -> None:
        """Query the state again, and ignore the result of a running query."""
        self._is_query_stale = self._querying.is_running
        self._query_state()

    def _query_state(self) -> None:
        """Query folders and counts."""
        if self.library is None or self._is_closing:
            return
        # Where one query hangs, others would hang as well.
        self._is_query_due = self._querying.is_running
        if not self._is_query_due:
            library = self.library
            self._querying.start(lambda _job: library.status())

    def _query_state_if_due(self) -> None:
        if self._is_query_due:
            self._query_state()

    def _fail_query(self, error: Exception) -> None:
        self._is_query_stale = False
        self.failed.emit(error)
        self._query_state_if_due()

    def _take_state(self, status: Status) -> None:
        if self._is_query_stale:
            self._is_query_stale = False
            self._query_state_if_due()
            return
        if self._model and status.model != self._model and self.library is not None:
            # Load the new model now, so that searches do not wait for it; then search again.
            self._load_model(self.library)
        self._model = status.model
        self.state = status
        self.state_changed.emit(status)
        self._query_state_if_due()

    def _close_when_idle(self) -> None:
        if not self.is_idle:
            return
        library, self.library = self.library, None
        if library is None:
            self.reads.end()
            self.files.end()
            self._writes.end()
            self.closed.emit()
            return
        # Its end empties the lane again, and then there is nothing left to close.
        self._writes.start(lambda _job: self._close_library(library))

    def _hold_alone(self, library: Library) -> None:
        # Runs on the lane: the window must not wait for a socket.
        from core.daemon_client import client

        self._alone.enter_context(client.hold(library.home))

    def _close_library(self, library: Library) -> None:
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


def _retry(path: Path | None, library: Library, _job: Job) -> None:
    library.retry(path)


def _remove_folder(path: Path, library: Library, job: Job) -> None:
    library.remove_folder(path, job)


def _exclude_folder(path: Path, library: Library, _job: Job) -> Exclusion:
    from core.indexing.scan.exclusion import exclusion_of

    folders = library.folders()
    exclusion = exclusion_of(path, folders)
    root = next(folder for folder in folders if folder.path == exclusion.root)
    library.add_folder(root.path, exclusion.added_to(root.rules))
    return exclusion


def _include_folder(exclusion: Exclusion, library: Library, _job: Job) -> None:
    root = next((folder for folder in library.folders() if folder.path == exclusion.root), None)
    # It may have been removed since.
    if root is not None:
        library.add_folder(root.path, exclusion.removed_from(root.rules))


def _file_of(path: Path) -> Path:
    """Return a folder, or the file of an archive or mailbox that contains it."""
    from core.documents.containers.members import file_of

    return file_of(path)


class Watching(QObject):
    """Watches one set of folders at a time."""

    # Carries a frozenset of changed paths; None if anything may have changed.
    changed = Signal(object)

    _posted = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._stop: threading.Event | None = None
        self._posted.connect(self._pass_on, Qt.ConnectionType.QueuedConnection)

    def start(self, open_watcher: Callable[[], Watcher]) -> None:
        """Replace the watcher by the result of `open_watcher`, which is called on the thread."""
        self.stop()
        self._stop = threading.Event()
        # A daemon thread: it never writes, so its end need not be awaited.
        threading.Thread(
            target=watch,
            args=(open_watcher, self._stop, partial(self._posted.emit, self._stop)),
            name="watching",
            daemon=True,
        ).start()

    def stop(self) -> None:
        """Stop watching; returns immediately."""
        if self._stop is not None:
            self._stop.set()
            self._stop = None

    def _pass_on(self, stop: threading.Event, paths: object) -> None:
        # Ignore signals of a thread that was stopped meanwhile.
        if stop is self._stop:
            self.changed.emit(paths)


def replace_library(home: Path) -> None:
    """Set aside the damaged library in `home`, and create a new one.

    Raises:
        LibraryError: if that fails.
    """
    from core.library.library import Library

    Library.recreate(home)


def open_library(home: Path) -> Library:
    """Open the library in `home`; imports the engine, so call it in the background.

    Raises:
        LibraryError: if the library cannot be opened.
    """
    from core.library.library import Library

    return Library.open(home)
