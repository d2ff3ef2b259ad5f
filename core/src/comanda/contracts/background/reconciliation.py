"""Reconciliation: catching up on what happened while a plugin was away."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Reconciler:
    """What a plugin does after it was away: ``run(since)`` catches up on everything from ``since`` on.

    ``plugin`` is the plugin's name. ``since`` is when the plugin was last known to run, never later than it went away.
    ``run`` is awaited in a worker, once after each absence; it is repeated if it raises or its process ends, so it
    bears repeats. It does not run at the first installation.
    """

    plugin: str
    run: Callable[[datetime], Awaitable[object]]
