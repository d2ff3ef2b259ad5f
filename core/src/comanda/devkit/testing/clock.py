"""A clock controlled by tests."""

from datetime import UTC, datetime, timedelta


class FakeClock:
    """A clock that only moves when a test moves it."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def __call__(self) -> datetime:
        """Return the current time."""
        return self._moment

    def set(self, moment: datetime) -> None:
        """Set the time to an aware moment."""
        self._moment = moment.astimezone(UTC)

    def advance(self, **delta: float) -> None:
        """Move the time forward by arguments of ``timedelta``, such as ``minutes=5``."""
        self._moment += timedelta(**delta)
