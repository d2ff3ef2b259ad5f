"""The background task of closings."""

from comanda_closings.services import backfill


async def backfill_stores() -> None:
    """Count the orders of incomplete stores."""
    await backfill.backfill_stores()
