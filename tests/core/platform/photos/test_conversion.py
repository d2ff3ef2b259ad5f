"""Re-encoding of pictures in separate processes."""

import asyncio
import json
import os
import subprocess
import sys
from subprocess import DEVNULL, PIPE

import pytest
from comanda.basics.errors import Unavailable
from comanda.devkit.testing import wait_for
from comanda.platform.photos import conversion
from comanda.platform.photos.pictures import InvalidPicture
from comanda.platform.photos.services import MENU_SIZES
from photographs import HOSTILE, picture, with_exif


@pytest.fixture
def worker(monkeypatch):
    """Return a function that puts a program of this test in the place of the worker."""

    def use(code):
        monkeypatch.setattr(conversion, "COMMAND", (sys.executable, "-c", code))

    return use


async def test_a_picture_comes_back_in_its_sizes():
    made = await conversion.reencode(with_exif(size=(2000, 1000)), MENU_SIZES)

    assert [(each.width, each.height, each.data[8:12]) for each in made] == [
        (160, 320, b"WEBP"), (320, 640, b"WEBP"), (640, 1280, b"WEBP"), (1000, 2000, b"WEBP"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
async def test_invalid_picture_is_refused_with_a_sentence(name):
    with pytest.raises(InvalidPicture, match=r"^(Send|This) .*\.$"):
        await conversion.reencode(HOSTILE[name], MENU_SIZES)


async def test_hanging_worker_is_killed(worker, monkeypatch):
    worker("import time; time.sleep(600)")
    monkeypatch.setattr(conversion, "DEADLINE_SECONDS", 0.5)
    ticks = 0

    job = asyncio.create_task(conversion.reencode(picture(), MENU_SIZES))
    while not job.done():
        await asyncio.sleep(0.01)
        ticks += 1

    with pytest.raises(InvalidPicture, match="too long"):
        await job
    assert ticks > 3


def test_worker_lets_servers_go_first():
    """It waits for its picture, at a lower priority."""
    job = json.dumps({"memory_bytes": 2**30, "cpu_seconds": 10})

    with subprocess.Popen([*conversion.COMMAND, job], stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL) as process:
        wait_for(lambda: os.getpriority(os.PRIO_PROCESS, process.pid) >= min(os.nice(0) + 5, 19), "a lower priority")
        process.kill()


@pytest.mark.parametrize("code", ["import os; os.abort()", "raise SystemExit(3)", "import sys; sys.stdin.close(); 1/0"])
async def test_crashed_worker_affects_only_its_picture(worker, code):
    worker(code)

    with pytest.raises(InvalidPicture, match="damaged"):
        await conversion.reencode(picture(), MENU_SIZES)


async def test_worker_memory_is_limited(monkeypatch):
    monkeypatch.setattr(conversion, "MAX_MEMORY_BYTES", 250_000_000)

    with pytest.raises(InvalidPicture):
        await conversion.reencode(picture("PNG", size=(4800, 4800), mode="RGBA"), MENU_SIZES)


async def test_full_queue_returns_unavailable(worker, monkeypatch):
    worker("import time; time.sleep(60)")
    monkeypatch.setattr(conversion, "DEADLINE_SECONDS", 1)
    monkeypatch.setattr(conversion, "WAIT_SECONDS", 0.2)
    monkeypatch.setattr(conversion, "MAX_WAITING", 3)

    jobs = [conversion.reencode(picture(), MENU_SIZES) for _ in range(8)]
    results = await asyncio.gather(*jobs, return_exceptions=True)

    assert sum(isinstance(result, Unavailable) for result in results) == 6
    assert sum(isinstance(result, InvalidPicture) for result in results) == 2
    assert conversion._queue.waiting == 0


async def test_cancelled_caller_stops_the_worker(worker):
    worker("import time; time.sleep(60)")
    job = asyncio.create_task(conversion.reencode(picture(), MENU_SIZES))
    await asyncio.sleep(0.3)

    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job

    assert conversion._slots._value == conversion.MAX_AT_ONCE
