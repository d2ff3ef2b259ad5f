"""The current time, in one place so that tests and the test clock can control it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

NO_OFFSET = timedelta()


def _get_system_time() -> datetime:
    return datetime.now(UTC)


def _get_shifted_time() -> datetime:
    return datetime.now(UTC) + _clock.offset


class _Clock:
    """The clock of this process."""

    source: Callable[[], datetime] = staticmethod(_get_system_time)
    offset = NO_OFFSET


_clock = _Clock()
_watchers: set[Callable[[], None]] = set()


def now() -> datetime:
    """Return the current time, time-zone aware, in UTC."""
    return _clock.source()


def get_offset() -> timedelta:
    """Return how far the test clock is ahead of real time; nothing in production.

    Statements that compare with ``now()`` of the database add it.
    """
    return _clock.offset


def set_offset(offset: timedelta) -> None:
    """Set how far time is ahead of real time, and wake what waits for something to fall due.

    ``comanda.platform.test_clock`` calls this; a smaller offset than before is for tests alone.
    """
    if offset == _clock.offset:
        return
    if _clock.source in (_get_system_time, _get_shifted_time):
        _clock.source = _get_shifted_time if offset else _get_system_time
    _clock.offset = offset
    for wake in list(_watchers):
        wake()


@contextmanager
def watch(wake: Callable[[], None]) -> Iterator[None]:
    """Call ``wake`` whenever the test clock was advanced, while the block runs."""
    _watchers.add(wake)
    try:
        yield
    finally:
        _watchers.discard(wake)


def use_clock(source: Callable[[], datetime] | None) -> None:
    """Set where the time comes from; None restores the system clock, ahead by the offset if there is one."""
    _clock.source = source or (_get_shifted_time if _clock.offset else _get_system_time)
