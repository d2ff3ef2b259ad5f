"""Re-encodes uploaded pictures beside the event loop: few at a time, each in a process that a deadline ends."""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress
from typing import Final

import structlog

from comanda.errors import Unavailable
from comanda.photos.pictures import DAMAGED, NotAPicture, Picture, Rendering

log = structlog.get_logger(__name__)

# A large picture takes a core, and up to half a gigabyte, for a second.
MAX_AT_ONCE: Final = 2
MAX_WAITING: Final = 20
WAIT_SECONDS: Final = 15
DEADLINE_SECONDS: Final = 10
MAX_MEMORY_BYTES: Final = 1_500_000_000
COMMAND: Final = (sys.executable, "-I", "-m", "comanda.photos.worker")
BUSY: Final = "Too many photos are being processed. Try again shortly."

_slots = asyncio.Semaphore(MAX_AT_ONCE)
_waiting = 0


async def reencode(raw: bytes, rendering: Rendering) -> list[Picture]:
    """Return the picture in each size, smallest first.

    Raises ``NotAPicture`` for what cannot be read within the deadline, and ``Unavailable`` while too many wait.
    """
    global _waiting  # noqa: PLW0603 - one count per process, as there is one semaphore
    if _waiting >= MAX_WAITING:
        raise Unavailable(BUSY, retry_after_seconds=5)
    _waiting += 1
    try:
        async with asyncio.timeout(WAIT_SECONDS):
            await _slots.acquire()
    except TimeoutError as error:
        raise Unavailable(BUSY, retry_after_seconds=5) from error
    finally:
        _waiting -= 1
    try:
        return await _run(raw, rendering)
    finally:
        _slots.release()


async def _run(raw: bytes, rendering: Rendering) -> list[Picture]:
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
        raise NotAPicture("This picture takes too long to read.") from error
    finally:
        # Also where the caller was cancelled: nobody waits for the result, so nobody should compute it.
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode != 0:
        log.warning("photo_worker_failed", exit_code=process.returncode, bytes=len(raw))
        raise NotAPicture(DAMAGED)
    return _pictures(output)


def _pictures(output: bytes) -> list[Picture]:
    head, _, data = output.partition(b"\n")
    answer = json.loads(head)
    if "error" in answer:
        raise NotAPicture(answer["error"])
    made, start = [], 0
    for width, height, size in answer["sizes"]:
        made.append(Picture(width, height, data[start : start + size]))
        start += size
    return made
