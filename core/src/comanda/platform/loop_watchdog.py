"""A thread that notices while something holds the event loop, and names the plugin whose code it is."""

import asyncio
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Final

import structlog

from comanda.contracts.registry import Registry
from comanda.platform.observability import LOOP_BLOCKS

log = structlog.get_logger(__name__)

MAX_BLOCK_SECONDS: Final = 0.25
CHECK_SECONDS: Final = 0.1
# One place is logged this often.
LOG_SECONDS: Final = 60.0
MAX_FRAMES_LOGGED: Final = 25
CORE_PACKAGE: Final = "comanda"
# What runs callbacks; with uvloop, whose loop has no frames of Python, only the runner is seen.
LOOP_MODULES: Final = frozenset({"asyncio.runners", "asyncio.base_events"})


@contextmanager
def watch_loop(registry: Registry) -> Iterator[None]:
    """Count and log what holds the running event loop for longer than ``MAX_BLOCK_SECONDS``, while the block runs."""
    packages = {
        module.__name__.partition(".")[0]: plugin.name for plugin in registry.plugins for module in plugin.modules
    }
    for name in packages.values():
        LOOP_BLOCKS.labels(name)  # so that the first one is seen as an increase
    watchdog = _Watchdog(asyncio.get_running_loop(), packages)
    thread = threading.Thread(target=watchdog.watch, name="loop-watchdog", daemon=True)
    watchdog.beat()
    thread.start()
    try:
        yield
    finally:
        watchdog.stop()
        thread.join()


class _Watchdog:
    """Looks at the loop's thread when the loop's timer is late."""

    def __init__(self, loop: asyncio.AbstractEventLoop, packages: Mapping[str, str]) -> None:
        self._loop = loop
        self._packages = packages
        self._watched = threading.get_ident()
        self._stopped = threading.Event()
        self._logs_from: dict[tuple[str, str], float] = {}

    def beat(self) -> None:
        """Show that the loop runs its callbacks, now and from now on."""
        self._beat_at = time.monotonic()
        self._timer = self._loop.call_later(CHECK_SECONDS, self.beat)

    def stop(self) -> None:
        """End both the timer and the thread."""
        self._timer.cancel()
        self._stopped.set()

    def watch(self) -> None:
        """Report, once for each time, what holds the loop, until stopped."""
        reported = 0.0
        while not self._stopped.wait(CHECK_SECONDS):
            beat_at = self._beat_at
            late_seconds = time.monotonic() - beat_at - CHECK_SECONDS
            if late_seconds > MAX_BLOCK_SECONDS and beat_at != reported and self._report(late_seconds):
                reported = beat_at

    def _report(self, seconds: float) -> bool:
        """Count, and log, the callback that runs; return whether one does."""
        frames = _list_callback_frames(sys._current_frames().get(self._watched))
        if not frames:
            return False  # the machine or the process was suspended
        plugin, place = self._attribute(frames)
        LOOP_BLOCKS.labels(plugin).inc()
        now = time.monotonic()
        code = place.f_code
        key = code.co_filename, code.co_qualname
        if now >= self._logs_from.get(key, 0.0):
            self._logs_from[key] = now + LOG_SECONDS
            lines = traceback.StackSummary.extract(
                (each, each.f_lineno) for each in reversed(frames[:MAX_FRAMES_LOGGED])
            )
            log.warning(
                "event_loop_blocked",
                plugin=plugin,
                place=f"{place.f_globals.get('__name__')}.{code.co_qualname}",
                seconds=round(seconds, 2),
                stack="".join(lines.format()),
            )
        return True

    def _attribute(self, frames: list[FrameType]) -> tuple[str, FrameType]:
        """Return the plugin of the innermost frame of one, and the frame; core's where no other plugin takes part."""
        core: FrameType | None = None
        for frame in frames:
            package = str(frame.f_globals.get("__name__")).partition(".")[0]
            if package == CORE_PACKAGE:
                core = core or frame
            elif package in self._packages:
                return self._packages[package], frame
        return self._packages[CORE_PACKAGE], core or frames[0]


def _list_callback_frames(innermost: FrameType | None) -> list[FrameType]:
    """Return the frames of the callback that a loop runs, the innermost first; none while it waits."""
    frames: list[FrameType] = []
    frame = innermost
    while frame is not None and frame.f_globals.get("__name__") not in LOOP_MODULES:
        frames.append(frame)
        frame = frame.f_back
    return frames
