"""Loading, advancing and following the test clock."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from comanda.basics import clock
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.db.errors import TRANSIENT_ERRORS
from comanda.platform.settings import Settings

SECONDS: Final = {"w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1}
PARTS: Final = re.compile(r"(\d{1,7})([wdhms])", re.ASCII)
WHOLE: Final = re.compile(r"(\d{1,7}[wdhms]){1,5}", re.ASCII)
# How soon the other processes follow an advance.
POLL_SECONDS: Final = 0.1
MAX_OFFSET: Final = timedelta(days=36_500)
NOT_ENABLED: Final = "The test clock is off. Set COMANDA_DEVELOPMENT=1 and COMANDA_TEST_CLOCK=1."

SELECT_OFFSET: Final = "SELECT offset_seconds FROM core_clock WHERE id = 1"
# Concurrent advances add up.
ADVANCE: Final = """
    INSERT INTO core_clock AS c (id, offset_seconds) VALUES (1, $1)
    ON CONFLICT (id) DO UPDATE SET offset_seconds = c.offset_seconds + $1 WHERE c.offset_seconds + $1 <= $2
    RETURNING offset_seconds
"""


@dataclass(frozen=True, slots=True)
class ClockState:
    """The time of the test clock, and how far it is ahead of real time."""

    now: datetime
    offset_seconds: int


def parse_duration(text: str) -> timedelta:
    """Return a duration. Raises ``ValueError`` with a sentence for people."""
    if not WHOLE.fullmatch(text):
        raise ValueError("A duration is written like 40d, 2h30m or 90s.")
    return timedelta(seconds=sum(int(number) * SECONDS[unit] for number, unit in PARTS.findall(text)))


async def advance(by: str | timedelta) -> ClockState:
    """Move the time forward in all processes: in this one at once, in others within ``POLL_SECONDS``.

    ``by`` may be text such as ``40d``. Raises ``NotFound`` if the test clock is off; ``ValidationFailed`` on ``by``
    unless it is at least a second, and for more than 100 years in all.
    """
    _check_enabled()
    seconds, maximum = _to_seconds(by), int(MAX_OFFSET.total_seconds())
    found = await sql.fetch_value(ADVANCE, seconds, maximum) if seconds <= maximum else None
    if found is None:
        raise ValidationFailed(by=["The test clock may be at most 100 years ahead."])
    _follow(found)
    return get_state()


def _to_seconds(by: str | timedelta) -> int:
    try:
        seconds = int((parse_duration(by) if isinstance(by, str) else by).total_seconds())
    except ValueError as error:
        raise ValidationFailed(by=[str(error)]) from error
    if seconds < 1:
        raise ValidationFailed(by=["Must be at least 1s: time never goes back."])
    return seconds


def get_state() -> ClockState:
    """Return the time of this process. Raises ``NotFound`` if the test clock is off."""
    _check_enabled()
    return ClockState(clock.now(), int(clock.get_offset().total_seconds()))


@asynccontextmanager
async def follow_test_clock(settings: Settings) -> AsyncIterator[None]:
    """Load the offset and follow its advances while the block runs, if the setting is on; the database is open."""
    if not settings.test_clock:
        yield
        return
    await _load()
    following = asyncio.create_task(_poll(), name="test_clock")
    try:
        yield
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def _poll() -> None:
    while True:
        await asyncio.sleep(POLL_SECONDS)
        with suppress(*TRANSIENT_ERRORS):
            await _load()


async def _load() -> None:
    _follow(await sql.fetch_value(SELECT_OFFSET) or 0)


def _follow(seconds: int) -> None:
    # An answer that was read before an advance of this process may arrive after it.
    clock.set_offset(max(clock.get_offset(), timedelta(seconds=seconds)))


def _check_enabled() -> None:
    if not runtime.settings().test_clock:
        raise NotFound(NOT_ENABLED)
