"""The time, in one place, so that tests can move it."""

from collections.abc import Callable
from datetime import UTC, datetime


def _system_time() -> datetime:
    return datetime.now(UTC)


_source: Callable[[], datetime] = _system_time


def now() -> datetime:
    """This moment, aware, in UTC."""
    return _source()


def use_clock(source: Callable[[], datetime] | None) -> None:
    """Take the time from ``source``; None goes back to the system's clock."""
    global _source  # noqa: PLW0603 - one clock for the process is the point of this module
    _source = source or _system_time
