"""Names of time zones in the IANA database."""

from functools import cache
from zoneinfo import available_timezones


def is_time_zone(name: str) -> bool:
    """Return whether this is a time zone name such as ``Europe/Lisbon``."""
    return name in _list_time_zones()


@cache
def _list_time_zones() -> frozenset[str]:
    # Cached, because listing reads all files of the database.
    return frozenset(available_timezones())
