"""The end of a process that does not end by itself: a task swallows its cancellation, or a thread goes on and on.

A timer of the kernel, so that nothing that the process does can delay it.
"""

import asyncio
import os
import signal
import sys
from types import FrameType
from typing import Final

import structlog

from comanda.operations.serving.limits import EXIT_SECONDS

log = structlog.get_logger(__name__)

# An embedded database is stopped within this time.
STOP_SECONDS: Final = 10
MAX_TASKS_LOGGED: Final = 5


def limit_remaining_time(_number: int = 0, _frame: FrameType | None = None) -> None:
    """End this process after ``EXIT_SECONDS``, unless it has ended before; a handler of signals."""
    if signal.getsignal(signal.SIGALRM) is not _end_process:
        signal.signal(signal.SIGALRM, _end_process)
        signal.setitimer(signal.ITIMER_REAL, EXIT_SECONDS)


def _end_process(_number: int, _frame: FrameType | None) -> None:
    # The next alarm needs no handler: this one might wait for a lock that the code holds that it interrupts.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, STOP_SECONDS)
    # Without an embedded database its module has never been loaded.
    if (embedded := sys.modules.get("comanda.operations.embedded.session")) is not None:
        embedded.stop_embedded()
    log.critical("process_did_not_stop", seconds=EXIT_SECONDS, tasks=_list_tasks())
    os._exit(1)


def _list_tasks() -> list[str]:
    try:
        tasks = asyncio.all_tasks()
    except RuntimeError:
        return []
    return [str(getattr(task.get_coro(), "__qualname__", task)) for task in tasks][:MAX_TASKS_LOGGED]
