"""The current time, in one place so that tests and the test clock can control it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

NO_OFFSET = timedelta()


def _get_system_time() -> datetime:
    return datetime.now(UTC)


def _get_shifted_time() -> datetime:
    return datetime.now(UTC) + _offset


_source: Callable[[], datetime] = _get_system_time
_offset: timedelta = NO_OFFSET
_watchers: set[Callable[[], None]] = set()


def now() -> datetime:
    """Return the current time, time-zone aware, in UTC."""
    return _source()


def get_offset() -> timedelta:
    """Return how far the test clock is ahead of real time; nothing in production.

    Statements that compare with ``now()`` of the database add it.
    """
    return _offset


def set_offset(offset: timedelta) -> None:
    """Set how far time is ahead of real time, and wake what waits for something to fall due.

    ``comanda.platform.test_clock`` calls this; a smaller offset than before is for tests alone.
    """
    global _source, _offset  # noqa: PLW0603 - the process has one clock
    if offset == _offset:
        return
    if _source in (_get_system_time, _get_shifted_time):
        _source = _get_shifted_time if offset else _get_system_time
    _offset = offset
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
    global _source  # noqa: PLW0603 - the process has one clock
    _source = source or (_get_shifted_time if _offset else _get_system_time)
