"""Durations as people write them: ``40d``, ``1w2d``, ``2h30m``, ``90s``."""

import re
from datetime import timedelta
from typing import Final

SECONDS: Final = {"w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1}
PARTS: Final = re.compile(r"(\d{1,7})([wdhms])", re.ASCII)
WHOLE: Final = re.compile(r"(\d{1,7}[wdhms]){1,5}", re.ASCII)


def parse_duration(text: str) -> timedelta:
    """Return a duration. Raises ``ValueError`` with a sentence for people."""
    if not WHOLE.fullmatch(text):
        raise ValueError("A duration is written like 40d, 2h30m or 90s.")
    return timedelta(seconds=sum(int(number) * SECONDS[unit] for number, unit in PARTS.findall(text)))
