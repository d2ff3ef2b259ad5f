"""The process of a theme check and how it is stopped."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from comanda_themes.services.checks import isolation, worker
from comanda_themes.services.checks.validation import validate_theme
from comanda_themes.services.liquid.limits import MAX_MEMORY_BYTES

from ...conftest import GREEDY

SPIN = "while True: pass"


# What a regular expression does that goes back and forth: one call of C code that no signal handler interrupts.
BACKTRACK = "import re; re.match('(a+)+$', 'a' * 200 + 'b')"


def children() -> set[int]:
    found = set()
    for thread in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # the thread ended
            found |= set(map(int, (thread / "children").read_text().split()))
    return found


@pytest.fixture
def run_instead(monkeypatch):
    """Have the checking process run something else."""

    def use(code, seconds=1.0):
        monkeypatch.setattr(isolation, "COMMAND", (sys.executable, "-c", code))
        monkeypatch.setattr(isolation, "MAX_WALL_SECONDS", seconds)

    return use


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="/proc is missing: child processes are found there")
@pytest.mark.parametrize("code", [SPIN, BACKTRACK])
async def test_endless_check_is_killed(agent, mcp, run_instead, code):
    run_instead(code)
    before = children()

    check = asyncio.create_task(agent.refused("validate_theme", {"files": {"assets/a.css": ""}}))
    answered = 0
    while not check.done():
        assert await mcp("/mcp/dev").result("ping") == {}
        answered += 1
        await asyncio.sleep(0.05)
    refused = await check

    assert refused["code"] == "theme_too_complex"
    assert refused["message"].startswith("This theme takes too long to check.")
    assert answered > 1
    assert children() <= before


@pytest.mark.parametrize(
    "code", [f"{GREEDY}bytearray(2 * {MAX_MEMORY_BYTES})", "import os, signal; os.kill(os.getpid(), 9)"]
)
async def test_check_killed_by_the_system_is_refused(agent, run_instead, code):
    run_instead(
        f"import sys\ntry:\n    exec({code!r})\nexcept MemoryError:\n    sys.exit({worker.OUT_OF_MEMORY})", seconds=20
    )

    assert (await agent.refused("validate_theme", {"files": {"a.css": ""}}))["code"] == "theme_too_complex"


async def test_crashed_check_is_a_server_error(agent, run_instead, monkeypatch):
    command = isolation.COMMAND
    run_instead("raise SystemExit(7)", seconds=20)
    assert (await agent.error("validate_theme", {"files": {"a.css": ""}}))["code"] == -32603

    monkeypatch.setattr(isolation, "COMMAND", command)
    assert (await agent.call("validate_theme", {"files": {"assets/a.css": ""}}))["summary"]["files_checked"] == 1


def test_process_has_no_secrets(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://secret")
    found = "{'findings': [], 'left_out': 0, 'checked': int('DATABASE_URL' in os.environ)}"
    code = f"import json, os; print(json.dumps({found}))"
    monkeypatch.setattr(isolation, "COMMAND", (sys.executable, "-c", code))

    assert isolation.check_theme({}, ()).checked == 0


def test_report_is_returned_unchanged(theme):
    files = {**theme, "templates/index.liquid": "<img>\n{{ store.titel }}"}

    assert isolation.check_theme(files, ["is_vegan"]) == validate_theme(files, ["is_vegan"])
