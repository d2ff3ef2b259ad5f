"""Payments and refunds of an order."""

from comanda.contracts import Answer, Call, Caller, IdempotencyKey, PageRequest, RecordPage, Routes, key_header

from comanda_payments.records.payments import BillSplit, CreatedPayment, Payment, Refund
from comanda_payments.schemas import PaymentBody, RefundBody, SplitBody
from comanda_payments.services.bills import bill_splits, payments
from comanda_payments.services.refunding import refunds

routes = Routes("Payments")

ORDER_PATH = "/restaurants/{id}/orders/{orderId}"
# Keeps guessing of gift card codes hopeless.
MAX_CODES_PER_MINUTE = 30


@routes.get(f"{ORDER_PATH}/payments", scope="orders:read")
async def list_payments(caller: Caller, id: int, order_id: int, page: PageRequest) -> RecordPage[Payment]:
    """List an order's payments, newest first."""
    return await payments.list_payments(caller, id, order_id, page)


@routes.post(f"{ORDER_PATH}/payments", scope="orders:write", answers=CreatedPayment, headers=(key_header("payment"),))
async def create_payment(caller: Caller, id: int, order_id: int, body: PaymentBody, call: Call) -> Answer:
    """Create a payment of an order, for the whole amount due unless an ``amount`` is given.

    An order can be paid with several payments. Once nothing is due it is paid, and ``order.paid`` is sent; its kitchen
    status does not change.
    """
    if body.code:
        await call.count(f"gift-card:{caller.token_id}", MAX_CODES_PER_MINUTE)
    return (await payments.create_payment(caller, id, order_id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{ORDER_PATH}/payments/split-preview", scope="orders:write", status=200, is_read_only=True)
async def preview_split(caller: Caller, id: int, order_id: int, body: SplitBody) -> BillSplit:
    """Return how the amount due of an order would be split; nothing is written."""
    return await bill_splits.preview_split(caller, id, order_id, body)


@routes.get(f"{ORDER_PATH}/payments/{{paymentId}}", scope="orders:read")
async def get_payment(caller: Caller, id: int, order_id: int, payment_id: int) -> Payment:
    """Return a payment."""
    return await payments.get_payment(caller, id, order_id, payment_id)


@routes.post(f"{ORDER_PATH}/payments/{{paymentId}}/check", scope="orders:write", status=200, is_read_only=True)
async def check_payment(caller: Caller, id: int, order_id: int, payment_id: int) -> Payment:
    """Check the outcome of a pending payment at its provider now, instead of within minutes."""
    return await payments.check_payment(caller, id, order_id, payment_id)


@routes.post(f"{ORDER_PATH}/payments/{{paymentId}}/cancel", scope="orders:write", status=200)
async def cancel_payment(caller: Caller, id: int, order_id: int, payment_id: int) -> Payment:
    """Cancel a pending payment, so that its amount can be paid in another way."""
    return await payments.cancel_payment(caller, id, order_id, payment_id)


@routes.get(f"{ORDER_PATH}/refunds", scope="orders:read")
async def list_refunds(caller: Caller, id: int, order_id: int, page: PageRequest) -> RecordPage[Refund]:
    """List an order's refunds, newest first."""
    return await refunds.list_refunds(caller, id, order_id, page)


@routes.post(f"{ORDER_PATH}/refunds", scope="orders:write", answers=Refund, headers=(key_header("refund"),))
async def create_refund(caller: Caller, id: int, order_id: int, body: RefundBody, call: Call) -> Answer:
    """Refund an order in full, by amount or by line, to the tenders it was paid with."""
    return (await refunds.create_refund(caller, id, order_id, body, IdempotencyKey.of(call))).answer()


@routes.get(f"{ORDER_PATH}/refunds/{{refundId}}", scope="orders:read")
async def get_refund(caller: Caller, id: int, order_id: int, refund_id: int) -> Refund:
    """Return a refund."""
    return await refunds.get_refund(caller, id, order_id, refund_id)
