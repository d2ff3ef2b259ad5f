"""Checks of partitioned log tables."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import ModelSet

from comanda_cluster.services.partitions.catalog import Connection, read_state
from comanda_cluster.services.partitions.upkeep import get_log_tables

ADVICE: Final = "Start `comanda serve` or `comanda worker`, which create them."


async def check_partitions(connection: Connection, models: Sequence[ModelSet]) -> list[tuple[str, str | None]]:
    """Return how many partitions each partitioned log table has, with advice if there is no room for new rows."""
    found: list[tuple[str, str | None]] = []
    for name, log in get_log_tables(models).items():
        state = await read_state(connection, log)
        if state is not None and state.is_partitioned:
            line = f"{name} has {len(state.partitions)} partitions, {len(state.spare)} of them ahead"
            found.append((line, None if state.spare else ADVICE))
    return found
