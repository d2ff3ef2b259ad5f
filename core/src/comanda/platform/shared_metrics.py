"""Metrics of all processes of an installation on one machine, which any of them answers for all.

Each process writes to the files of its slot, and the one that takes the slot after it counts on: counters never go
back while a process is replaced, and there are never more files than processes.
"""

import fcntl
import os
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import structlog
from prometheus_client import CollectorRegistry, generate_latest, multiprocess, values

from comanda.platform.data_folder import create_folder
from comanda.platform.observability import WITHOUT_LABELS

log = structlog.get_logger(__name__)

# These parts of the library have no types.
_untyped_multiprocess: Any = multiprocess
_untyped_values: Any = values
FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
MAX_READINGS: Final = 5


@dataclass(slots=True)
class _Place:
    """Where this process writes its metrics; without a folder they stay in its memory."""

    folder: Path | None = None
    slot: int = 0
    # Closing a file would release its lock.
    locks: list[int] = field(default_factory=list)


_place = _Place()


def share_metrics(data: Path) -> None:
    """Share the metrics of this process with the others that use the same data folder.

    To be called before plugins are loaded, which may have metrics without labels. Where the folder cannot be written,
    metrics stay in the memory of the process.
    """
    folder = data / "metrics"
    try:
        create_folder(data)
        folder.mkdir(mode=0o700, exist_ok=True)
        _lock_folder(folder)
        _place.folder = folder
        take_slot()
    except OSError as error:
        _place.folder = None
        log.warning("metrics_not_shared", folder=str(folder), error=str(error))
        return
    os.environ[FOLDER_VARIABLE] = str(folder)
    values.ValueClass = _untyped_values.MultiProcessValue(lambda: _place.slot)
    for metric in WITHOUT_LABELS:
        metric._metric_init()


def take_slot() -> None:
    """Take a slot that no process holds, if metrics are shared; a forked process needs one of its own."""
    if _place.folder is None:
        return
    for slot in count(1):
        try:
            _place.locks.append(_lock(_place.folder / f"{slot}.lock", fcntl.LOCK_EX | fcntl.LOCK_NB))
        except BlockingIOError:
            continue
        # Counters go on; what a gauge said of the process before is not true any more.
        for left in _place.folder.glob(f"gauge_*_{slot}.db"):
            left.unlink()
        _place.slot = slot
        return


def render_metrics() -> bytes:
    """Return the metrics as Prometheus text: of all processes if they are shared, else of this one."""
    if _place.folder is None:
        return generate_latest()
    registry = CollectorRegistry()
    _untyped_multiprocess.MultiProcessCollector(registry, str(_place.folder))
    for _ in range(MAX_READINGS - 1):
        # A process that takes a slot may delete gauges after they were listed.
        with suppress(FileNotFoundError):
            return generate_latest(registry)
    return generate_latest(registry)


def _lock_folder(folder: Path) -> None:
    """Hold the folder with the other processes; the first one deletes what earlier ones left, maybe other versions."""
    path = folder / "folder.lock"
    try:
        file = _lock(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file = _lock(path, fcntl.LOCK_SH)
    else:
        for left in folder.glob("*.db"):
            left.unlink()
        fcntl.flock(file, fcntl.LOCK_SH)
    _place.locks.append(file)


def _lock(path: Path, operation: int) -> int:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, operation)
    except OSError:
        os.close(file)
        raise
    return file
