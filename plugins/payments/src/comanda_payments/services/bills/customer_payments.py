"""Payments that customers make for their own orders: online, by gift card or with store credit."""

import hashlib

from comanda.basics import ValidationFailed, require_found
from comanda.contracts import Caller, IdempotencyKey, IdempotentResult, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_payments.records.payments import CreatedPayment, Payment
from comanda_payments.schemas import OwnPaymentBody, PaymentBody
from comanda_payments.services.bills import available_methods, payments

SELECT_ORDER_TYPE = (
    "SELECT type FROM core_order_v1 WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND customer_id = $4"
)


async def get_order_type(caller: Caller, order_id: int) -> str:
    """Return the type of one of the customer's orders. Raises ``NotFound``."""
    order = (order_id, caller.owner_id, caller.store_id, caller.subject_id)
    return str(require_found(await sql.fetch_value(SELECT_ORDER_TYPE, *order)))


async def create_payment(
    caller: Caller, order_id: int, body: OwnPaymentBody, key: IdempotencyKey
) -> IdempotentResult[CreatedPayment]:
    """Pay one of the customer's orders. Raises like ``payments.create_payment``."""
    mode, store_id = await get_order_type(caller, order_id), caller.known_store_id
    available = await available_methods.list_customer_methods(caller.owner_id, store_id, mode)
    if body.method not in available:
        raise ValidationFailed(method=[f"Must be one of: {', '.join(available)}."])
    payment = PaymentBody.model_validate(body.model_dump())
    return await payments.create_payment(caller, store_id, order_id, payment, to_scoped_key(caller, key))


async def list_payments(caller: Caller, order_id: int, page: PageRequest) -> RecordPage[Payment]:
    """List the payments of one of the customer's orders, newest first. Raises ``NotFound``."""
    await get_order_type(caller, order_id)
    return await payments.list_payments(caller, caller.known_store_id, order_id, page)


async def cancel_payment(caller: Caller, order_id: int, payment_id: int) -> Payment:
    """Cancel a pending payment of one of the customer's orders. Raises like ``payments.cancel_payment``."""
    await get_order_type(caller, order_id)
    return await payments.cancel_payment(caller, caller.known_store_id, order_id, payment_id)


def to_scoped_key(caller: Caller, key: IdempotencyKey) -> IdempotencyKey:
    """Return a key scoped to the kind of caller, so that equal keys of other callers do not collide."""
    if key.text is None:
        return key
    return IdempotencyKey(f"{caller.kind}:{hashlib.sha256(key.text.encode()).hexdigest()}", key.body_hash)
