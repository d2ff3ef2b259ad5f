"""Background tasks of car-parts stores."""

from comanda_carparts.services import fitment_store


async def prune_fitments() -> None:
    """Delete the fitments that no item uses any more."""
    await fitment_store.prune_fitments()
