"""The work of the service, and when it is idle."""

from __future__ import annotations

import socket
import threading

import pytest

from core.serving.daemon.service import Activity
from tests.waiting import patience


def test_it_is_idle_only_once_a_restart_would_free_memory() -> None:
    activity = Activity(idle_s=0)
    assert not activity.is_idle
    assert activity.until_idle_s is None
    with activity.working():
        pass
    assert activity.is_idle
    assert activity.answered == 1


def test_a_caller_that_waits_keeps_it_from_being_idle() -> None:
    activity = Activity(idle_s=0)
    activity.note_use(has_memory=True)
    assert activity.add_connection()
    assert not activity.is_idle
    activity.remove_connection()
    assert activity.is_idle


def test_a_connection_that_pauses_changes_does_not() -> None:
    activity = Activity(idle_s=0)
    activity.note_use(has_memory=True)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        activity.add_connection(is_forced=True)
        with activity.holding(ours):
            assert activity.holders == (ours,)
            assert activity.is_idle
        assert activity.holders == ()


def test_use_restarts_the_idle_time() -> None:
    activity = Activity(idle_s=3600)
    activity.note_use(has_memory=True)
    assert not activity.is_idle
    assert activity.until_idle_s is not None
    assert 0 < activity.until_idle_s <= 3600


def test_too_many_connections_are_refused() -> None:
    activity = Activity(idle_s=1)
    accepted = sum(activity.add_connection() for _ in range(100))
    assert accepted == 64
    assert activity.add_connection(is_forced=True)


def test_it_is_closed_once_work_has_ended() -> None:
    activity = Activity(idle_s=1)
    is_working, may_end = threading.Event(), threading.Event()

    def work() -> None:
        with activity.working():
            is_working.set()
            may_end.wait(patience())

    working = threading.Thread(target=work)
    working.start()
    assert is_working.wait(patience())
    activity.close(timeout_s=0)
    closing = threading.Thread(target=activity.close, args=(patience(),))
    closing.start()
    assert closing.is_alive()
    with pytest.raises(BrokenPipeError), activity.working():
        pass
    may_end.set()
    closing.join(patience())
    assert not closing.is_alive()
    working.join(patience())
