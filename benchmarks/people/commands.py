"""Commands of administrators."""

import asyncio
import resource
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

from benchmarks.people import Row, Setting
from benchmarks.processes import ProcessFailed

ROUNDS = 5


def measure_command(*arguments: str) -> Callable[[Setting], Awaitable[str]]:
    """Measure the CPU of a command's process, without the database's."""

    async def measure(setting: Setting) -> str:
        command = [str(Path(sys.executable).with_name("comanda")), *(each.format(setting) for each in arguments)]
        taken = [await asyncio.to_thread(_run, command, setting.environment) for _ in range(ROUNDS)]
        return f"{median(taken):.2f} s"

    return measure


def _run(command: list[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise ProcessFailed(f"{command!r} failed: {done.stderr[-500:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


ROWS = (
    Row("comanda token list, CPU", "≤ 0.8 s", measure_command("token", "list", "--owner={0.email}")),
    Row("comanda --help, CPU", "≤ 0.8 s", measure_command("--help")),
)
