"""What customers see of their own gift cards and credit."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call, Unvalidated
from comanda.contracts.idempotency import IdempotencyKey, key_header
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import ANY_SCOPE, Routes

from comanda_payments import credit, gift_cards, own_orders
from comanda_payments.routes.payments import CODES_PER_MINUTE
from comanda_payments.schemas import OwnCredit, OwnGiftCard, OwnPaymentBody, PaymentMade, PaymentOut

routes = Routes("Customer", callers=("customer",))

PAYMENTS = "/customer/orders/{orderId}/payments"


@routes.get(PAYMENTS, scope=ANY_SCOPE, cors=True, answers=Page[PaymentOut])
async def list_own_payments(caller: Caller, order_id: int, page: PageRequest) -> dict[str, Any]:
    """List the payments of one of one's orders, newest first."""
    return await own_orders.page_of_payments(caller, order_id, page)


@routes.post(PAYMENTS, scope=ANY_SCOPE, cors=True, answers=PaymentMade, headers=(key_header("payment"),))
async def pay_own_order(caller: Caller, order_id: int, body: Unvalidated[OwnPaymentBody], call: Call) -> Answer:
    """Pay one of one's orders: online, with a gift card, or with one's store credit.

    An online payment is ``pending``, and waits at its ``redirect_url``.
    """
    await own_orders.must_be_own(caller, order_id)
    asked = body.validated()
    if asked.code:
        await call.count(f"gift-card:{caller.token_id}", CODES_PER_MINUTE)
    return (await own_orders.pay(caller, order_id, asked, IdempotencyKey.of(call))).answer()


@routes.post(f"{PAYMENTS}/{{paymentId}}/cancel", scope=ANY_SCOPE, cors=True, status=200, answers=PaymentOut)
async def cancel_own_payment(caller: Caller, order_id: int, payment_id: int) -> dict[str, Any]:
    """Give up a pending online payment of one of one's orders, so that it can be paid in another way."""
    return await own_orders.cancel(caller, order_id, payment_id)


@routes.get("/customer/gift-cards", scope=ANY_SCOPE, answers=Page[OwnGiftCard])
async def list_own_cards(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the gift cards of the customer who asks, newest first."""
    return await gift_cards.page_of_own(caller, page)


@routes.get("/customer/store-credit", scope=ANY_SCOPE, answers=OwnCredit)
async def show_own_credit(caller: Caller) -> dict[str, Any]:
    """Tell the store credit of the customer who asks, with the newest 100 entries of its ledger."""
    return await credit.own(caller)
