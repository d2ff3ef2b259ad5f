"""What holds the event loop is named while it does."""

import asyncio
import time
from functools import partial
from types import ModuleType, SimpleNamespace

import pytest
import structlog
import uvloop
from comanda.contracts.registry import Plugin
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.platform import loop_watchdog
from comanda.platform.loop_watchdog import MAX_BLOCK_SECONDS, watch_loop
from comanda.platform.observability import LOOP_BLOCKS

BLOCK = """
import time

def block(is_over, inner=None):
    end = time.monotonic() + MAX_WAIT_SECONDS
    while not is_over() and time.monotonic() < end:
        (inner or time.sleep)(0.01)
"""
REGISTRY = SimpleNamespace(
    plugins=[Plugin(name, name, "1", (ModuleType(f"{package}.plugin"),))
             for name, package in (("core", "comanda"), ("garden", "comanda_garden"))]
)  # fmt: skip


def compile_in(module):
    """Return the function of ``BLOCK`` as if ``module`` had it."""
    names = {"__name__": module, "MAX_WAIT_SECONDS": MAX_WAIT_SECONDS}
    exec(BLOCK, names)
    return names["block"]


def count(plugin):
    return LOOP_BLOCKS.labels(plugin)._value.get()


def watch(work):
    """Return what is logged while ``work`` runs in a loop that is watched."""

    async def main():
        with watch_loop(REGISTRY):
            await work()

    with structlog.testing.capture_logs() as logs, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
    return logs


@pytest.mark.parametrize(
    ("modules", "plugin", "place"),
    [
        (("comanda_garden.plots",), "garden", "comanda_garden.plots.block"),
        (("comanda.orders.totals",), "core", "comanda.orders.totals.block"),
        (("comanda_garden.plots", "comanda.orders.totals", "json"), "garden", "comanda_garden.plots.block"),
        (("comanda.orders.totals", "comanda.platform.db.sql", "json"), "core", "comanda.platform.db.sql.block"),
    ],
)
def test_plugin_is_named_while_its_code_holds_the_loop(modules, plugin, place):
    before = count(plugin)

    def call(block, inner, _):
        block(lambda: count(plugin) > before, inner)

    async def work():
        run = time.sleep
        for module in reversed(modules):
            run = partial(call, compile_in(module), run)
        run(0)
        assert count(plugin) == before + 1

    (line,) = watch(work)

    assert (line["event"], line["plugin"], line["place"]) == ("event_loop_blocked", plugin, place)
    assert line["seconds"] >= MAX_BLOCK_SECONDS
    assert " in block\n" in line["stack"]
    assert "asyncio" not in line["stack"]


def test_each_block_counts_and_a_place_is_logged_once_a_minute(monkeypatch):
    block = compile_in("comanda_garden.plots")
    before = count("garden")

    async def work():
        for number in range(1, 4):
            block(lambda number=number: count("garden") == before + number)
            await asyncio.sleep(0.3)
            if number == 2:
                monkeypatch.setattr(loop_watchdog, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 61))

    logs = watch(work)

    assert count("garden") == before + 3
    assert len(logs) == 2


def test_a_loop_that_waits_is_not_blocked():
    before = count("core"), count("garden")

    async def work():
        await asyncio.sleep(3 * MAX_BLOCK_SECONDS)

    assert watch(work) == []
    assert (count("core"), count("garden")) == before
