"""The current time, in one place so that tests can control it."""

from collections.abc import Callable
from datetime import UTC, datetime


def _get_system_time() -> datetime:
    return datetime.now(UTC)


_source: Callable[[], datetime] = _get_system_time


def now() -> datetime:
    """Return the current time, time-zone aware, in UTC."""
    return _source()


def use_clock(source: Callable[[], datetime] | None) -> None:
    """Set where the time comes from; None restores the system clock."""
    global _source  # noqa: PLW0603 - the process has one clock
    _source = source or _get_system_time
