"""A clock that tests move."""

from datetime import UTC, datetime, timedelta


class FakeClock:
    """Stands still until it is moved."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def __call__(self) -> datetime:
        """Tell the time."""
        return self._moment

    def set(self, moment: datetime) -> None:
        """Go to an aware moment."""
        self._moment = moment.astimezone(UTC)

    def advance(self, **delta: float) -> None:
        """Go on by what ``timedelta`` takes, such as ``minutes=5``."""
        self._moment += timedelta(**delta)
