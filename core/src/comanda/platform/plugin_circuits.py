"""Circuits of plugins' steps: one that hangs again and again is not called for a while, so that it holds nothing.

A step hangs in a scope: a store or an owner. After ``MAX_HANGS`` calls in a row nobody calls it there
until a pause is over; then one call tries it for all. A step that hangs in as many scopes, and works in none, pauses
everywhere.
"""

import time
from dataclasses import dataclass
from typing import Final

import structlog
from cachetools import LRUCache
from prometheus_client import Gauge

log = structlog.get_logger(__name__)

# The scope of a step that has hung in several.
EVERYWHERE: Final = 0
MAX_HANGS: Final = 3
FIRST_PAUSE_SECONDS: Final = 15.0
MAX_PAUSE_SECONDS: Final = 300.0
MAX_CIRCUITS: Final = 5000

PAUSED = Gauge(
    "comanda_plugin_steps_paused",
    "Whether a step of a plugin is not called for a while somewhere",
    ["plugin", "step"],
    multiprocess_mode="max",
)


@dataclass(slots=True)
class _Circuit:
    """How often a step has hung in a row, and from when on, of the monotonic clock, it may be called again."""

    hangs: int = 0
    pause_seconds: float = FIRST_PAUSE_SECONDS / 2
    opened_at: float = 0.0
    retry_at: float = 0.0

    @property
    def is_open(self) -> bool:
        return self.hangs >= MAX_HANGS


_Key = tuple[str, str, int]
# Only of steps that have hung and have not worked since.
_circuits: LRUCache[_Key, _Circuit] = LRUCache(MAX_CIRCUITS)


def get_pause_seconds(plugin: str, step: str, scope: int) -> float:
    """Return for how long a step is not called; 0.0 for whoever shall call it now."""
    if not _circuits:
        return 0.0
    now = time.monotonic()
    circuits = [
        circuit for key in _list_keys(plugin, step, scope) if (circuit := _circuits.get(key)) and circuit.is_open
    ]
    if (pause := max((circuit.retry_at - now for circuit in circuits), default=0.0)) > 0:
        return pause
    for circuit in circuits:
        circuit.retry_at = now + circuit.pause_seconds
    return 0.0


def record_call(plugin: str, step: str, scope: int, began_at: float, *, has_hung: bool) -> None:
    """Count a call that began at a moment of the monotonic clock and is over."""
    if has_hung:
        _record_hang((plugin, step, scope), began_at)
    elif _circuits:
        for key in _list_keys(plugin, step, scope):
            if (circuit := _circuits.pop(key, None)) is not None and circuit.is_open:
                PAUSED.labels(plugin, step).set((plugin, step) in list_paused())
                log.warning("plugin_step_resumed", plugin=plugin, step=step, scope=key[2])


def list_paused() -> list[tuple[str, str]]:
    """Return the plugins and steps that are not called somewhere for a while, in order."""
    return sorted({(plugin, step) for (plugin, step, _), circuit in _circuits.items() if circuit.is_open})


def _list_keys(plugin: str, step: str, scope: int) -> set[_Key]:
    return {(plugin, step, scope), (plugin, step, EVERYWHERE)}


def _record_hang(key: _Key, began_at: float) -> None:
    circuit = _circuits.setdefault(key, _Circuit())
    if circuit.is_open and began_at < circuit.opened_at:
        return  # it began before the others have hung
    circuit.hangs += 1
    plugin, step, scope = key
    if circuit.is_open:
        now = time.monotonic()
        circuit.pause_seconds = min(circuit.pause_seconds * 2, MAX_PAUSE_SECONDS)
        circuit.opened_at, circuit.retry_at = now, now + circuit.pause_seconds
        PAUSED.labels(plugin, step).set(1)
        log.error("plugin_step_paused", plugin=plugin, step=step, scope=scope, seconds=circuit.pause_seconds)
    if scope == EVERYWHERE:
        return
    # A scope counts once, when it opens; what is paused everywhere is tried by whichever scope comes first.
    everywhere = (plugin, step, EVERYWHERE)
    if circuit.hangs == MAX_HANGS or (everywhere in _circuits and _circuits[everywhere].is_open):
        _record_hang(everywhere, began_at)
