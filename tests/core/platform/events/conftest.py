"""Handlers of this folder's tests, in the place of the installed plugins'."""

from dataclasses import replace

import pytest
from comanda.contracts.background.events import EventHandler
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql


@pytest.fixture
async def hearing(runtime):
    """Return a function that makes the given coroutines the only handlers, each under its name."""

    def use(**handlers):
        declared = tuple(EventHandler(name, handle) for name, handle in handlers.items())
        runtime_module.use(replace(runtime, registry=replace(runtime.registry, event_handlers=declared)))

    # Events of other tests would be heard too.
    await sql.execute("UPDATE core_outbox SET done_at = now() WHERE done_at IS NULL")
    await sql.execute("DELETE FROM core_event_lane")
    yield use
    runtime_module.use(runtime)
