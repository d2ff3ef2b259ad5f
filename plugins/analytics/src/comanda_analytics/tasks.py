"""The background tasks of analytics."""

from typing import Final

from comanda.contracts.tasks import WakeEvent

from comanda_analytics.services import backfill, consistency_check

POLL_SECONDS: Final = 60.0


async def run_backfill(wake: WakeEvent) -> None:
    """Count the orders of incomplete stores, for as long as the process runs."""
    while True:
        await backfill.backfill_stores()
        await wake.wait(POLL_SECONDS)


async def check_totals() -> None:
    """Compare the daily totals with the orders, and rebuild those that differ."""
    await consistency_check.check_totals()
