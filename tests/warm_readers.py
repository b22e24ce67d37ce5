"""A pool of reading processes that tests share, to save the start of one per library."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

import pytest

from core.documents.sandbox import worker_handle
from core.documents.sandbox.confinement import WorkerTask
from core.documents.sandbox.worker_handle import ReadingProcess, WorkerHandle

# Uses before a process is replaced, because document libraries leak memory.
_USES_PER_PROCESS = 50


class WarmReaders:
    """Idle reading processes of a test session, by task and environment.

    Processes that failed, timed out or have a scratch folder are not reused.
    """

    def __init__(self) -> None:
        self._idle: dict[Hashable, list[ReadingProcess]] = {}
        self._uses: dict[ReadingProcess, int] = {}
        self._keys: dict[ReadingProcess, Hashable] = {}

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Make worker handles take their processes from this pool and return them when closed."""
        drop = WorkerHandle._drop_if_closed

        def return_or_drop(handle: WorkerHandle) -> None:
            if handle._closing.is_cancelled and handle._lock.acquire(blocking=False):
                try:
                    if handle.process is not None and self._return(handle.process):
                        handle.process = None
                finally:
                    handle._lock.release()
            drop(handle)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(worker_handle, "ReadingProcess", self._take)
            patch.setattr(WorkerHandle, "_drop_if_closed", return_or_drop)
            yield

    def end(self) -> None:
        for processes in self._idle.values():
            for process in processes:
                process.kill()
        self._idle.clear()

    def _take(self, task: WorkerTask) -> ReadingProcess:
        if task.scratch is not None:
            return ReadingProcess(task)
        key = (repr(task), tuple(sorted(worker_handle.bare(os.environ).items())))
        idle = self._idle.setdefault(key, [])
        while idle:
            process = idle.pop()
            if process.is_alive:
                process.answered = 0
                return process
            process.kill()
        process = ReadingProcess(task)
        self._keys[process] = key
        return process

    def _return(self, process: ReadingProcess) -> bool:
        """Add a process to the pool if it can be reused; return whether it was added."""
        key = self._keys.get(process)
        uses = self._uses[process] = self._uses.get(process, 0) + 1
        # The process is idle: its handle holds the lock while it answers.
        if key is None or not process.is_alive or uses >= _USES_PER_PROCESS:
            return False
        self._idle.setdefault(key, []).append(process)
        return True
