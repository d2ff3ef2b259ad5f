"""The feature of plans that printing is."""

from typing import Final

from comanda.contracts import Feature

from comanda_printing.models import Printer


async def count_printers(owner_id: int) -> int:
    """Return how many printers an owner has."""
    return await Printer.filter(owner_id=owner_id).count()


PRINTING: Final = Feature("printing", "Printing", quota_unit="printers", count_used=count_printers)
