"""Limits of a process that works on what strangers sent."""

import os
import sys
from contextlib import suppress
from typing import Final

if sys.platform != "win32":
    import resource

# Those who order come first on a machine with few cores.
NICENESS: Final = 5


def set_process_limits(*, memory_bytes: int, cpu_seconds: int | None = None) -> None:
    """Limit the memory and the time of this process, which the system ends beyond them; it may write no file."""
    # On Windows only the parent's deadline applies.
    if sys.platform == "win32":
        return
    limits = {resource.RLIMIT_AS: memory_bytes, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_CORE: 0}
    if cpu_seconds is not None:
        limits[resource.RLIMIT_CPU] = cpu_seconds
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (value, value))


def lower_process_priority() -> None:
    """Lower the priority of this process below that of the servers."""
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
