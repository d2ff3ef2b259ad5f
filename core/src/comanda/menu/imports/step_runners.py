"""Where the steps of an import run: in a thread, or in a process that is ended when it takes too much."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

import structlog

from comanda.basics.errors import BadRequest
from comanda.menu.imports.steps import ImportSteps
from comanda.menu.imports.worker import HEAD_BYTES, decode_message, encode_message

log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

# Each takes a core and up to the memory of a large menu.
MAX_PROCESSES: Final = 2
MAX_MEMORY_BYTES: Final = 1_000_000_000
MAX_CPU_SECONDS: Final = 60
STEP_SECONDS: Final = 60
PIECE_BYTES: Final = 256 * 1024
COMMAND: Final = (sys.executable, "-I", "-m", "comanda.menu.imports.worker")
# Of a Python program that ends with an exception.
FAILED_EXIT_CODE: Final = 1
TOO_MUCH_TEXT: Final = "This menu takes too long to read. Import it in several files."

_slots = asyncio.Semaphore(MAX_PROCESSES)
# Small ones take a fraction of a second, one at a time, so that Python code in a thread takes at most every second turn
# from the event loop.
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="menu-import")


class StepRunner(Protocol):
    """Runs the steps of one import elsewhere."""

    async def run(self, step: Callable[Concatenate[ImportSteps, P], T], *args: P.args, **options: P.kwargs) -> T:
        """Return what a step returns, or raise what it raises."""


@asynccontextmanager
async def open_runner(*, is_large: bool) -> AsyncIterator[StepRunner]:
    """Yield a runner for one import. Its process ends with the block, also if the caller was cancelled."""
    if not is_large:
        yield _ThreadRunner()
        return
    async with _slots:
        limits = (str(MAX_MEMORY_BYTES), str(MAX_CPU_SECONDS))
        process = await asyncio.create_subprocess_exec(*COMMAND, *limits, stdin=PIPE, stdout=PIPE)
        try:
            yield _ProcessRunner(process)
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def run_in_thread(work: Callable[[], T]) -> T:
    """Return what ``work`` returns, in the thread of imports."""
    return await asyncio.get_running_loop().run_in_executor(_thread, work)


class _ThreadRunner:
    def __init__(self) -> None:
        self._steps = ImportSteps()

    async def run(self, step: Callable[Concatenate[ImportSteps, P], T], *args: P.args, **options: P.kwargs) -> T:
        return await run_in_thread(partial(step, self._steps, *args, **options))


class _ProcessRunner:
    def __init__(self, process: Process) -> None:
        self._process = process

    async def run(self, step: Callable[Concatenate[ImportSteps, P], T], *args: P.args, **options: P.kwargs) -> T:
        try:
            async with asyncio.timeout(STEP_SECONDS):
                is_done, answer = await self._send(encode_message((step.__name__, args, options)))
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError) as error:
            exit_code = None if isinstance(error, TimeoutError) else await self._process.wait()
            log.warning("menu_import_worker_failed", step=step.__name__, exit_code=exit_code)
            if exit_code == FAILED_EXIT_CODE:
                raise RuntimeError("The process of an import has failed; it has written why.") from error
            raise BadRequest(TOO_MUCH_TEXT) from error
        if is_done:
            result: T = answer
            return result
        raise _create_error(*answer)

    async def _send(self, message: bytes) -> Any:
        source, target = self._process.stdout, self._process.stdin
        if source is None or target is None:
            raise ConnectionError("the process has no pipes")
        for start in range(0, len(message), PIECE_BYTES):
            target.write(message[start : start + PIECE_BYTES])
            await target.drain()
        head = await source.readexactly(HEAD_BYTES)
        answer = await source.readexactly(int.from_bytes(head))
        return decode_message(answer)


def _create_error(kind: type[Exception], args: tuple[Any, ...], values: Mapping[str, Any]) -> Exception:
    """Return an error of the process: its class may take other arguments than it keeps."""
    error = kind.__new__(kind, *args)
    vars(error).update(values)
    return error
