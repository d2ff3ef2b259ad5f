"""Waiting in tests for another process, a page or a task: until a condition holds, not for a time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

Result = TypeVar("Result")

# Far longer than anything takes, also on a machine that does much else: only a wait that fails lasts this long.
MAX_WAIT_SECONDS: Final = 300
MIN_PAUSE_SECONDS: Final = 0.005
MAX_PAUSE_SECONDS: Final = 0.1
# What a condition raises while it does not hold yet: a failed assertion, and an address at which nobody answers.
NOT_YET: Final = (AssertionError, OSError)


def wait_for(
    condition: Callable[[], Result],
    what: str,
    *,
    show: Callable[[], object] | None = None,
    seconds: float = MAX_WAIT_SECONDS,
) -> Result:
    """Return the first true result of a condition, which may raise ``AssertionError`` or ``OSError`` until it holds.

    Raises ``AssertionError`` after ``seconds``, with ``what`` was waited for, what the condition returned or raised
    last, and what ``show`` returns, such as the output of a process.
    """
    wait = _Wait(what, show, seconds)
    while True:
        try:
            if result := condition():
                return result
            wait.last = result
        except NOT_YET as error:
            wait.last = error
        time.sleep(wait.choose_pause())


async def await_condition(
    condition: Callable[[], Awaitable[Result]],
    what: str,
    *,
    show: Callable[[], object] | None = None,
    seconds: float = MAX_WAIT_SECONDS,
) -> Result:
    """Return the first true result of a condition that is awaited, as ``wait_for`` does."""
    wait = _Wait(what, show, seconds)
    while True:
        try:
            if result := await condition():
                return result
            wait.last = result
        except NOT_YET as error:
            wait.last = error
        await asyncio.sleep(wait.choose_pause())


class _Wait:
    def __init__(self, what: str, show: Callable[[], object] | None, seconds: float) -> None:
        self.last: Any = None
        self._what = what
        self._show = show
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._pause = MIN_PAUSE_SECONDS

    def choose_pause(self) -> float:
        """Return how long to wait before the next check, which becomes longer. Raises ``AssertionError`` at the end."""
        if time.monotonic() >= self._deadline:
            shown = f"\n{self._show()}" if self._show else ""
            message = f"Waited {self._seconds} s for {self._what}, and last saw {self.last!r}.{shown}"
            raise AssertionError(message) from (self.last if isinstance(self.last, Exception) else None)
        pause, self._pause = self._pause, min(self._pause * 1.5, MAX_PAUSE_SECONDS)
        return pause
