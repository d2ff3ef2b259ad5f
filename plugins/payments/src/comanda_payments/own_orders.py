"""Customers who pay their own orders by themselves: online, with a gift card, with their credit."""

import hashlib
from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

from comanda_payments import methods, paying
from comanda_payments.schemas import OwnPaymentBody, PaymentBody

MINE = "SELECT store_id FROM core_order WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND customer_id = $4"


async def must_be_own(caller: Caller, order_id: int) -> int:
    """Return the store of an order of the customer's. Raises ``NotFound``."""
    store_id = await sql.fetch_value(MINE, order_id, caller.owner_id, caller.store_id, caller.subject_id)
    if store_id is None:
        raise NotFound
    return int(store_id)


async def pay(caller: Caller, order_id: int, body: OwnPaymentBody, key: IdempotencyKey) -> IdempotentResult:
    """Pay an order of the customer's, as ``paying.pay`` does, and with the same errors."""
    store_id = await must_be_own(caller, order_id)
    usable = methods.for_customers()
    if body.method not in usable:
        raise ValidationFailed(method=[f"Must be one of: {', '.join(usable)}."])
    whole = PaymentBody.model_validate(body.model_dump())
    return await paying.pay(caller, store_id, order_id, whole, apart(caller, key))


async def page_of_payments(caller: Caller, order_id: int, page: PageRequest) -> dict[str, Any]:
    """List the payments of an order of the customer's, newest first. Raises ``NotFound``."""
    return await paying.page_of_payments(caller, await must_be_own(caller, order_id), order_id, page)


async def cancel(caller: Caller, order_id: int, payment_id: int) -> dict[str, Any]:
    """Give up a pending payment of an order of the customer's, as ``paying.cancel`` does, and with the same errors."""
    return await paying.cancel(caller, await must_be_own(caller, order_id), order_id, payment_id)


def apart(caller: Caller, key: IdempotencyKey) -> IdempotencyKey:
    """Keep the keys of this kind of caller apart from those that others send for the same order."""
    if key.text is None:
        return key
    return IdempotencyKey(f"{caller.kind}:{hashlib.sha256(key.text.encode()).hexdigest()}", key.body_hash)
