"""Whether guests of a store can pay online, for the pages of other plugins."""

from typing import Final

from comanda.contracts import OnlinePayments

from comanda_payments.services.bills import available_methods


async def is_offered(owner_id: int, store_id: int) -> bool:
    """Check whether a store has a payment account that is ready."""
    return bool(await available_methods.list_online_methods(owner_id, store_id))


ONLINE_PAYMENTS: Final = OnlinePayments("payments", is_offered)
