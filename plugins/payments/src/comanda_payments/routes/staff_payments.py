"""Payments and refunds by staff."""

from comanda.basics import Forbidden
from comanda.contracts import (
    Answer,
    Call,
    Caller,
    IdempotencyKey,
    PageRequest,
    RecordPage,
    Routes,
    Unvalidated,
    key_header,
)
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_payments.records.accounts import StoreCardReader
from comanda_payments.records.payments import BillSplit, CreatedPayment, Payment, Refund
from comanda_payments.routes.payments import MAX_CODES_PER_MINUTE
from comanda_payments.schemas import PaymentBody, RefundBody, SplitBody
from comanda_payments.services.accounts import card_readers
from comanda_payments.services.bills import bill_splits, payments
from comanda_payments.services.bills.customer_payments import to_scoped_key
from comanda_payments.services.refunding import refunds

routes = Routes("Staff", callers=STAFF_ONLY)

ORDER_PATH = "/staff/orders/{orderId}"
# Staff who may discount orders may also refund them.
REFUND_PERMISSION = Permission.COUPONS


@routes.get(f"{ORDER_PATH}/payments", scope=Permission.ORDERS)
async def list_payments(caller: Caller, order_id: int, page: PageRequest) -> RecordPage[Payment]:
    """List the payments of an order of your store, newest first."""
    return await payments.list_payments(caller, caller.known_store_id, order_id, page)


@routes.post(
    f"{ORDER_PATH}/payments", scope=Permission.ORDERS, answers=CreatedPayment, headers=(key_header("payment"),)
)
async def create_payment(caller: Caller, order_id: int, body: Unvalidated[PaymentBody], call: Call) -> Answer:
    """Create a payment of an order of your store, for the whole amount due unless an ``amount`` is given."""
    await payments.check_order_exists(caller, caller.known_store_id, order_id)
    payment, key = body.validated(), to_scoped_key(caller, IdempotencyKey.of(call))
    if payment.code:
        await call.count(f"gift-card:{caller.token_id}", MAX_CODES_PER_MINUTE)
    return (await payments.create_payment(caller, caller.known_store_id, order_id, payment, key)).answer()


@routes.post(f"{ORDER_PATH}/payments/split-preview", scope=Permission.ORDERS, status=200, is_read_only=True)
async def preview_split(caller: Caller, order_id: int, body: SplitBody) -> BillSplit:
    """Return how the amount due of an order of your store would be split; nothing is written."""
    return await bill_splits.preview_split(caller, caller.known_store_id, order_id, body)


@routes.get("/staff/card-readers", scope=Permission.ORDERS)
async def list_card_readers(caller: Caller) -> list[StoreCardReader]:
    """List the card readers that orders of your store can be paid on; only those that are online take payments."""
    return await card_readers.list_store_readers(caller, caller.known_store_id)


@routes.post(f"{ORDER_PATH}/payments/{{paymentId}}/check", scope=Permission.ORDERS, status=200, is_read_only=True)
async def check_payment(caller: Caller, order_id: int, payment_id: int) -> Payment:
    """Check the outcome of a pending payment at its provider, as a till does while a guest uses a card reader."""
    return await payments.check_payment(caller, caller.known_store_id, order_id, payment_id)


@routes.post(f"{ORDER_PATH}/payments/{{paymentId}}/cancel", scope=Permission.ORDERS, status=200)
async def cancel_payment(caller: Caller, order_id: int, payment_id: int) -> Payment:
    """Cancel a pending online payment, so that its amount can be paid in the store."""
    return await payments.cancel_payment(caller, caller.known_store_id, order_id, payment_id)


@routes.post(f"{ORDER_PATH}/refunds", scope=Permission.ORDERS, answers=Refund, headers=(key_header("refund"),))
async def create_refund(caller: Caller, order_id: int, body: Unvalidated[RefundBody], call: Call) -> Answer:
    """Refund an order in full, by amount or by line.

    Requires the permission ``coupons`` in addition to ``orders``; cashiers and managers have both.
    """
    if not caller.may(REFUND_PERMISSION):
        raise Forbidden(
            f"Refunds require the permission {REFUND_PERMISSION}.",
            extras={"required": REFUND_PERMISSION.value},
        )
    await payments.check_order_exists(caller, caller.known_store_id, order_id)
    requested, key = body.validated(), to_scoped_key(caller, IdempotencyKey.of(call))
    return (await refunds.create_refund(caller, caller.known_store_id, order_id, requested, key)).answer()
