"""Payments and refunds of an order."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call
from comanda.contracts.idempotency import IdempotencyKey, key_header
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_payments import paying, previews, refunding
from comanda_payments.schemas import PaymentBody, PaymentMade, PaymentOut, RefundBody, RefundOut, SplitBody, SplitOut

routes = Routes("Payments")

ORDER = "/restaurants/{id}/orders/{orderId}"
# Guessing the code of a gift card is hopeless, and stays so.
CODES_PER_MINUTE = 30


@routes.get(f"{ORDER}/payments", scope="orders:read", answers=Page[PaymentOut])
async def list_payments(caller: Caller, id: int, order_id: int, page: PageRequest) -> dict[str, Any]:
    """List an order's payments, newest first."""
    return await paying.page_of_payments(caller, id, order_id, page)


@routes.post(f"{ORDER}/payments", scope="orders:write", answers=PaymentMade, headers=(key_header("payment"),))
async def pay(caller: Caller, id: int, order_id: int, body: PaymentBody, call: Call) -> Answer:
    """Take a payment for an order, all that is left of it unless an ``amount`` is given.

    Several payments may make up an order's total. It is paid, and ``order.paid`` is sent, when nothing is left; its
    kitchen status stays as it is.
    """
    if body.code:
        await call.count(f"gift-card:{caller.token_id}", CODES_PER_MINUTE)
    return (await paying.pay(caller, id, order_id, body, IdempotencyKey.of(call))).answer()


@routes.post(f"{ORDER}/payments/split-preview", scope="orders:write", status=200, answers=SplitOut, is_read_only=True)
async def preview_split(caller: Caller, id: int, order_id: int, body: SplitBody) -> dict[str, Any]:
    """Tell how what is left of an order would be shared; nothing is written."""
    return await previews.split(caller, id, order_id, body)


@routes.get(f"{ORDER}/payments/{{paymentId}}", scope="orders:read", answers=PaymentOut)
async def show_payment(caller: Caller, id: int, order_id: int, payment_id: int) -> dict[str, Any]:
    """Describe a payment."""
    return await paying.payment(caller, id, order_id, payment_id)


@routes.post(f"{ORDER}/payments/{{paymentId}}/cancel", scope="orders:write", status=200, answers=PaymentOut)
async def cancel_payment(caller: Caller, id: int, order_id: int, payment_id: int) -> dict[str, Any]:
    """Give up a pending payment, so that its amount can be paid in another way."""
    return await paying.cancel(caller, id, order_id, payment_id)


@routes.get(f"{ORDER}/refunds", scope="orders:read", answers=Page[RefundOut])
async def list_refunds(caller: Caller, id: int, order_id: int, page: PageRequest) -> dict[str, Any]:
    """List an order's refunds, newest first."""
    return await refunding.page_of_refunds(caller, id, order_id, page)


@routes.post(f"{ORDER}/refunds", scope="orders:write", answers=RefundOut, headers=(key_header("refund"),))
async def refund(caller: Caller, id: int, order_id: int, body: RefundBody, call: Call) -> Answer:
    """Give back all of an order, an amount, or what some of its lines cost, to the tenders it was paid with."""
    return (await refunding.refund(caller, id, order_id, body, IdempotencyKey.of(call))).answer()


@routes.get(f"{ORDER}/refunds/{{refundId}}", scope="orders:read", answers=RefundOut)
async def show_refund(caller: Caller, id: int, order_id: int, refund_id: int) -> dict[str, Any]:
    """Describe a refund."""
    return await refunding.one(caller, id, order_id, refund_id)
