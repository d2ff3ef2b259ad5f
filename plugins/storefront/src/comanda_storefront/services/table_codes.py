"""Codes of tables: what proves that somebody read the card on the table, whose number everybody can guess."""

import hmac
from base64 import urlsafe_b64encode
from datetime import timedelta
from typing import Final

from comanda.basics import NotFound, clock
from comanda.contracts import PageRequest
from comanda.orders import Order, OrderFilter, OrderScope, search_orders
from comanda.platform.encryption import hmac_digest
from comanda.stores import get_store_settings
from comanda.web import GuestStore

from comanda_storefront.services import guest_changes
from comanda_storefront.services.links import build_store_url
from comanda_storefront.store_settings import OrderingSettings

PURPOSE: Final = "storefront.table"
# Of the signature: 96 bits, so that the printed code stays coarse.
CODE_BYTES: Final = 12
# Older checks of a table are of guests who have left.
MAX_AGE: Final = timedelta(hours=12)
MAX_CHECKS: Final = PageRequest(1, 10)


async def build_table_url(owner_id: int, store_id: int, slug: str, table: str) -> str:
    """Return the address in the QR code of a table. Its code is in the fragment, which browsers do not send."""
    edition = (await get_store_settings(OrderingSettings, owner_id, store_id)).table_codes_edition
    return f"{build_store_url(slug, table)}#code={await _create_code(owner_id, store_id, table, edition)}"


async def list_table_checks(store: GuestStore, table: str, code: str) -> list[Order]:
    """List the open checks of a table for guests who have its code, the newest first.

    Empty where the store does not show them. Raises ``NotFound`` for a wrong code.
    """
    settings = await get_store_settings(OrderingSettings, store.owner_id, store.id)
    expected = await _create_code(store.owner_id, store.id, table, settings.table_codes_edition)
    if not hmac.compare_digest(code.encode(), expected.encode()):
        raise NotFound
    if not settings.opens_checks:
        return []
    filters = OrderFilter(table_number=table, is_due=True, since=clock.now() - MAX_AGE)
    found = await search_orders(OrderScope(store.owner_id, store.id), filters, MAX_CHECKS)
    return [order for order in found.data if _is_of_now(order)]


def _is_of_now(order: Order) -> bool:
    return guest_changes.is_open_check(order) and (order.scheduled_for is None or order.scheduled_for <= clock.now())


async def _create_code(owner_id: int, store_id: int, table: str, edition: int) -> str:
    digest = await hmac_digest.hmac_digest(PURPOSE, str(owner_id), str(store_id), table, str(edition))
    return urlsafe_b64encode(digest[:CODE_BYTES]).decode()
