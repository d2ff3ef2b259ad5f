"""Checks of partitioned log tables."""

from collections.abc import AsyncIterator

import asyncpg

from comanda.contracts.registry import Registry
from comanda.operations.diagnostics.results import CheckResult, report_ok, report_problem
from comanda.platform.db.partitions.catalog import read_state
from comanda.platform.db.partitions.services import get_log_tables


async def check_partitions(
    connection: "asyncpg.Connection[asyncpg.Record]", registry: Registry
) -> AsyncIterator[CheckResult]:
    """Check that there is room for the rows of each partitioned log table."""
    for name, log in get_log_tables(registry.models).items():
        state = await read_state(connection, log)
        if state is None or not state.is_partitioned:
            continue
        found = f"{name} has {len(state.partitions)}, {len(state.spare)} of them ahead"
        if state.spare:
            yield report_ok("partitions", found)
        else:
            yield report_problem("partitions", found, "Start `comanda serve` or `comanda worker`, which create them.")
