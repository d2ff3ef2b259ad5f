"""The background tasks of analytics."""

from comanda_analytics.services import backfill, consistency_check


async def backfill_stores() -> None:
    """Count the orders of incomplete stores."""
    await backfill.backfill_stores()


async def check_totals() -> None:
    """Compare the daily totals with the orders, and rebuild those that differ."""
    await consistency_check.check_totals()
