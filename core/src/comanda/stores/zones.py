"""Time zones by their names in the IANA database."""

from functools import cache
from zoneinfo import available_timezones


def is_time_zone(name: str) -> bool:
    """Tell whether this is a name such as ``Europe/Lisbon``."""
    return name in _known()


@cache
def _known() -> frozenset[str]:
    # Each look opens all files of the database, which takes milliseconds; a process keeps what it found.
    return frozenset(available_timezones())
