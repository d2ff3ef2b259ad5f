"""Gift cards that guests buy on a store's page: a prepayment, for which a card is issued once it is paid."""

import hashlib
from datetime import timedelta
from typing import Final

from comanda.basics import NotFound, Sentence, ValidationFailed, clock, money
from comanda.contracts import Caller, IdempotencyKey
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_payments.models import PrepaymentKind
from comanda_payments.schemas import GiftCardSaleBody
from comanda_payments.services.bills.amounts import format_amount
from comanda_payments.services.prepaid import prepayment_checkout
from comanda_payments.services.prepaid.prepayment_checkout import NewPrepayment
from comanda_payments.store_settings import GuestPayments, get_settings

# How long the buyer has to pay.
LIFETIME: Final = timedelta(hours=1)


async def get_sales(owner_id: int, store_id: int) -> GuestPayments:
    """Return what a store sells. Raises ``NotFound`` if it sells none."""
    sales = await get_settings(owner_id, store_id)
    if not sales.sells_gift_cards:
        raise NotFound
    return sales


async def buy_gift_card(
    caller: Caller, store_id: int, body: GiftCardSaleBody, raw: bytes, description: str, language: str
) -> int:
    """Create the prepayment of a gift card, or return that of the same ``client_uuid``.

    Raises ``NotFound`` if the store sells none, ``Conflict`` if it cannot be paid online, ``ValidationFailed``.
    """
    store = await require_store(caller, store_id)
    sales = await get_sales(caller.owner_id, store_id)
    amount_minor = _parse_amount(body, sales, store["currency"])
    await prepayment_checkout.require_online_payments(caller.owner_id, store_id)
    new = NewPrepayment(
        kind=PrepaymentKind.GIFT_CARD,
        amount_minor=amount_minor,
        currency=store["currency"],
        description=description,
        email=body.email,
        language=language,
        due_at=clock.now() + LIFETIME,
    )
    key = IdempotencyKey(body.client_uuid, hashlib.sha256(raw).digest())

    async def create() -> int:
        async with sql.transaction():
            return await prepayment_checkout.insert_prepayment(caller.owner_id, store_id, new, key)

    async def load(prepayment_id: int) -> int:
        return prepayment_id

    keys = prepayment_checkout.PREPAYMENT_KEYS
    return (await keys.create_once(caller.owner_id, store_id, key, create, load)).record


def _parse_amount(body: GiftCardSaleBody, sales: GuestPayments, currency: str) -> int:
    amount_minor = money.parse_amount(body.amount, currency, "amount")
    smallest, largest = (
        money.parse_amount(limit, currency, "amount") for limit in (sales.smallest_amount, sales.largest_amount)
    )
    if amount_minor < max(1, smallest):
        raise ValidationFailed(
            amount=[Sentence("Must be %(amount)s or more.", amount=format_amount(max(1, smallest), currency))]
        )
    if amount_minor > largest:
        raise ValidationFailed(
            amount=[Sentence("Must be %(amount)s or less.", amount=format_amount(largest, currency))]
        )
    return amount_minor
