"""Payments of a customer's own orders."""

from comanda.contracts import (
    ANY_SCOPE,
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

from comanda_payments.records.payments import CreatedPayment, Payment
from comanda_payments.routes.payments import MAX_CODES_PER_MINUTE
from comanda_payments.schemas import OwnPaymentBody
from comanda_payments.services.bills import customer_payments

routes = Routes("Customer", callers=("customer",))

PAYMENTS_PATH = "/customer/orders/{orderId}/payments"


@routes.get(PAYMENTS_PATH, scope=ANY_SCOPE, cors=True)
async def list_payments(caller: Caller, order_id: int, page: PageRequest) -> RecordPage[Payment]:
    """List the payments of one of your orders, newest first."""
    return await customer_payments.list_payments(caller, order_id, page)


@routes.post(PAYMENTS_PATH, scope=ANY_SCOPE, cors=True, answers=CreatedPayment, headers=(key_header("payment"),))
async def create_payment(caller: Caller, order_id: int, body: Unvalidated[OwnPaymentBody], call: Call) -> Answer:
    """Pay one of your orders: online, by gift card, or with store credit.

    An online payment is ``pending`` until it is paid at its ``redirect_url``.
    """
    await customer_payments.get_order_type(caller, order_id)
    payment = body.validated()
    if payment.code:
        await call.count(f"gift-card:{caller.token_id}", MAX_CODES_PER_MINUTE)
    return (await customer_payments.create_payment(caller, order_id, payment, IdempotencyKey.of(call))).answer()


@routes.post(f"{PAYMENTS_PATH}/{{paymentId}}/cancel", scope=ANY_SCOPE, cors=True, status=200)
async def cancel_payment(caller: Caller, order_id: int, payment_id: int) -> Payment:
    """Cancel a pending online payment of one of your orders, so that it can be paid in another way."""
    return await customer_payments.cancel_payment(caller, order_id, payment_id)
