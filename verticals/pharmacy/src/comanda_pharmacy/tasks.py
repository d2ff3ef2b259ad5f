"""Background tasks of pharmacies."""

from comanda_pharmacy.services import expiry


async def write_off_expired() -> None:
    """Take the packs of expired batches out of the stock."""
    await expiry.write_off_expired()
