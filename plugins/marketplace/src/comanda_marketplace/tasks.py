"""Scheduled tasks: charge what is due, and ask apps to erase the data of owners who left."""

from comanda_marketplace.services.billing import subscriptions
from comanda_marketplace.services.installations import erasure_requests


async def charge_due() -> None:
    """Charge the periods of recurring apps that are due, and retry what failed."""
    await subscriptions.charge_due()


async def request_erasures() -> None:
    """Send the requests for erasure that are due, and delete the endpoints that are no longer needed."""
    await erasure_requests.request_due()
    await erasure_requests.delete_expired_endpoints()
