"""Re-encoding of uploaded pictures outside the event loop: a few at a time, each in a process with a deadline."""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog

from comanda.basics.errors import Unavailable
from comanda.platform.photos.pictures import DAMAGED_TEXT, InvalidPicture, Picture, Rendering

log = structlog.get_logger(__name__)

# A large picture takes a core and up to half a gigabyte for a second.
MAX_AT_ONCE: Final = 2
MAX_WAITING: Final = 20
WAIT_SECONDS: Final = 15
DEADLINE_SECONDS: Final = 10
MAX_MEMORY_BYTES: Final = 1_500_000_000
COMMAND: Final = (sys.executable, "-I", "-m", "comanda.platform.photos.worker")
BUSY_TEXT: Final = "Too many photos are being processed. Try again shortly."

_slots = asyncio.Semaphore(MAX_AT_ONCE)


@dataclass(slots=True)
class _Queue:
    waiting: int = 0


_queue = _Queue()


async def reencode(raw: bytes, rendering: Rendering) -> list[Picture]:
    """Return the picture in each size, smallest first.

    Raises ``InvalidPicture`` if it cannot be read within the deadline, and ``Unavailable`` if too many are waiting.
    """
    if _queue.waiting >= MAX_WAITING:
        raise Unavailable(BUSY_TEXT, retry_after_seconds=5)
    _queue.waiting += 1
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            await _slots.acquire()
    except TimeoutError as error:
        raise Unavailable(BUSY_TEXT, retry_after_seconds=5) from error
    finally:
        _queue.waiting -= 1
    try:
        return await _run_worker(raw, rendering)
    finally:
        _slots.release()


async def _run_worker(raw: bytes, rendering: Rendering) -> list[Picture]:
    job = json.dumps(
        {
            "format": rendering.format,
            "boxes": rendering.boxes,
            "quality": rendering.quality,
            "memory_bytes": MAX_MEMORY_BYTES,
            "cpu_seconds": DEADLINE_SECONDS,
        }
    )
    process = await asyncio.create_subprocess_exec(*COMMAND, job, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    try:
        async with asyncio.timeout(DEADLINE_SECONDS):
            output, _ = await process.communicate(raw)
    except TimeoutError as error:
        log.warning("photo_took_too_long", bytes=len(raw))
        raise InvalidPicture("This picture takes too long to read.") from error
    finally:
        # Also if the caller was cancelled, because then nobody needs the result.
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode != 0:
        log.warning("photo_worker_failed", exit_code=process.returncode, bytes=len(raw))
        raise InvalidPicture(DAMAGED_TEXT)
    return _parse_output(output)


def _parse_output(output: bytes) -> list[Picture]:
    head, _, data = output.partition(b"\n")
    answer = json.loads(head)
    if "error" in answer:
        raise InvalidPicture(answer["error"])
    pictures, start = [], 0
    for width, height, size in answer["sizes"]:
        pictures.append(Picture(width, height, data[start : start + size]))
        start += size
    return pictures
