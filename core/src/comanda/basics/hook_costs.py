"""Warnings about hooks that make every process start slowly, or take much of its memory."""

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import structlog

log = structlog.get_logger(__name__)

MAX_SECONDS: Final = 1.0
MAX_MEBIBYTES: Final = 200
# Linux counts in KiB, macOS in bytes.
UNITS_PER_MEBIBYTE: Final = 1 << 20 if sys.platform == "darwin" else 1 << 10


@contextmanager
def log_costs(plugin: str, hook: str) -> Iterator[None]:
    """Log a call of a hook that takes more than ``MAX_SECONDS`` or ``MAX_MEBIBYTES``."""
    began, before = time.monotonic(), get_peak_memory()
    yield
    seconds, mebibytes = time.monotonic() - began, get_peak_memory() - before
    if seconds > MAX_SECONDS or mebibytes > MAX_MEBIBYTES:
        log.warning("hook_expensive", plugin=plugin, hook=hook, seconds=round(seconds, 1), mebibytes=round(mebibytes))


def get_peak_memory() -> float:
    """Return the most memory that this process has had so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / UNITS_PER_MEBIBYTE
