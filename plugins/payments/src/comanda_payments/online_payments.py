"""Whether guests of a store can pay online, or have to, for the pages of other plugins."""

from typing import Final

from comanda.contracts import OnlinePayments, StoreTerms

from comanda_payments.services.bills import available_methods
from comanda_payments.services.providers.payment_links import get_payment_url
from comanda_payments.store_settings import OnlineRule, get_loaded_settings


async def is_offered(owner_id: int, store_id: int, mode: str) -> bool:
    """Check whether orders of a mode can be paid online: the store has an account that is ready, and wants it."""
    return bool(await available_methods.list_guest_methods(owner_id, store_id, mode))


def is_required(terms: StoreTerms, mode: str) -> bool:
    """Return whether orders of a mode have to be paid online before they are made."""
    return get_loaded_settings(terms).get_rule(mode) is OnlineRule.REQUIRED


ONLINE_PAYMENTS: Final = OnlinePayments("payments", is_offered, is_required, get_payment_url)
