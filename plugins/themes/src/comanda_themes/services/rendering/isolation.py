"""Themes of owners are rendered in a process of its own, which is killed if it takes too long.

The process holds no connection, no setting and no secret. It is started at the first page of such a theme, serves one
page at a time, and ends after some time without work.
"""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from comanda_themes.services.rendering.errors import ThemeFailed
from comanda_themes.services.rendering.page_requests import PageRequest, RenderedTheme
from comanda_themes.services.theme_files import ThemeFiles

COMMAND: Final = (sys.executable, "-m", "comanda_themes.services.rendering.worker")
# None of them is a secret of the installation.
PASSED_VARIABLES: Final = ("PATH", "PYTHONPATH", "LANG", "LC_ALL")
MAX_RENDER_SECONDS: Final = 3.0
# The first page of a process includes its start.
MAX_START_SECONDS: Final = 15.0
MAX_WAITING: Final = 20
MAX_IDLE_SECONDS: Final = 120.0
MAX_LINE_BYTES: Final = 32_000_000


class RenderProcess:
    """The process, started when it is needed and again after it was killed."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._lock: asyncio.Lock | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting = 0
        self._idle: asyncio.TimerHandle | None = None

    async def render(self, theme: ThemeFiles, page: PageRequest) -> RenderedTheme:
        """Render a page. Raises ``ThemeFailed`` if it exceeds a limit or too many pages are waiting."""
        if self._waiting >= MAX_WAITING:
            raise ThemeFailed("Too many pages of themes are being rendered.")
        self._waiting += 1
        try:
            async with self._get_lock():
                files = {"key": theme.key, "texts": dict(theme.texts)}
                answer = await self._exchange({"theme": files, "page": asdict(page)})
        finally:
            self._waiting -= 1
        if "failure" in answer:
            raise ThemeFailed(answer["failure"])
        return RenderedTheme(answer["html"], tuple(answer["problems"]), answer["style"])

    def _get_lock(self) -> asyncio.Lock:
        loop = asyncio.get_running_loop()
        if self._lock is None or self._loop is not loop:
            self._lock, self._loop, self._process = asyncio.Lock(), loop, None
        return self._lock

    async def _exchange(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        line = json.dumps(request, default=str).encode() + b"\n"
        process, seconds = self._process, MAX_RENDER_SECONDS
        if process is None or process.returncode is not None:
            process, seconds = await self._start(), MAX_START_SECONDS
        if self._idle is not None:
            self._idle.cancel()
        try:
            async with asyncio.timeout(seconds):
                answer = await _send(process, line)
        except (TimeoutError, OSError, ValueError) as error:
            await self._kill()
            raise ThemeFailed("The theme takes too long to render.") from error
        except asyncio.CancelledError:
            # A later page would read this one's answer.
            await self._kill()
            raise
        self._idle = asyncio.get_running_loop().call_later(MAX_IDLE_SECONDS, self._end_idle)
        return answer

    async def _start(self) -> asyncio.subprocess.Process:
        environment = {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
        self._process = await asyncio.create_subprocess_exec(
            *COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment,
            limit=MAX_LINE_BYTES,
        )
        return self._process

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _end_idle(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            # The process ends when its input does.
            process.stdin.close()


async def _send(process: asyncio.subprocess.Process, line: bytes) -> Mapping[str, Any]:
    if process.stdin is None or process.stdout is None:
        raise OSError("the process has no pipes")
    process.stdin.write(line)
    await process.stdin.drain()
    answer = await process.stdout.readline()
    if not answer.endswith(b"\n"):
        raise OSError("the process has ended")
    found: Mapping[str, Any] = json.loads(answer)
    return found


_process: Final = RenderProcess()


async def render_isolated(theme: ThemeFiles, page: PageRequest) -> RenderedTheme:
    """Render a page of an owner's theme. Raises ``ThemeFailed``."""
    return await _process.render(theme, page)
