"""Limits of a process that works on what strangers sent."""

import sys

if sys.platform != "win32":
    import resource


def set_process_limits(*, memory_bytes: int, cpu_seconds: int) -> None:
    """Limit the memory and the time of this process, which the system ends beyond them."""
    # On Windows only the parent's deadline applies.
    if sys.platform == "win32":
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
