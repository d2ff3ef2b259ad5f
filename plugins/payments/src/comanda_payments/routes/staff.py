"""What the people who work in a store take, and give back."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call, Unvalidated
from comanda.contracts.idempotency import IdempotencyKey, key_header
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes
from comanda.errors import Forbidden
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_payments import paying, refunding
from comanda_payments.own_orders import apart
from comanda_payments.routes.payments import CODES_PER_MINUTE
from comanda_payments.schemas import PaymentBody, PaymentMade, PaymentOut, RefundBody, RefundOut

routes = Routes("Staff", callers=STAFF_ONLY)

ORDER = "/staff/orders/{orderId}"
# Whoever may change what guests are charged may also give money back.
REFUNDING = Permission.COUPONS


@routes.get(f"{ORDER}/payments", scope=Permission.ORDERS, answers=Page[PaymentOut])
async def list_payments(caller: Caller, order_id: int, page: PageRequest) -> dict[str, Any]:
    """List the payments of an order of one's store, newest first."""
    return await paying.page_of_payments(caller, _store(caller), order_id, page)


@routes.post(f"{ORDER}/payments", scope=Permission.ORDERS, answers=PaymentMade, headers=(key_header("payment"),))
async def take_payment(caller: Caller, order_id: int, body: Unvalidated[PaymentBody], call: Call) -> Answer:
    """Take a payment for an order of one's store, all that is left of it unless an ``amount`` is given."""
    await paying.must_exist(caller, _store(caller), order_id)
    asked = body.validated()
    if asked.code:
        await call.count(f"gift-card:{caller.token_id}", CODES_PER_MINUTE)
    return (await paying.pay(caller, _store(caller), order_id, asked, apart(caller, IdempotencyKey.of(call)))).answer()


@routes.post(f"{ORDER}/payments/{{paymentId}}/cancel", scope=Permission.ORDERS, status=200, answers=PaymentOut)
async def cancel_payment(caller: Caller, order_id: int, payment_id: int) -> dict[str, Any]:
    """Give up a pending online payment, so that its amount can be paid here."""
    return await paying.cancel(caller, _store(caller), order_id, payment_id)


@routes.post(f"{ORDER}/refunds", scope=Permission.ORDERS, answers=RefundOut, headers=(key_header("refund"),))
async def refund(caller: Caller, order_id: int, body: Unvalidated[RefundBody], call: Call) -> Answer:
    """Give back all of an order, an amount, or what some of its lines cost.

    Besides ``orders`` this takes the permission ``coupons``, which cashiers and managers have.
    """
    if not caller.may(REFUNDING):
        raise Forbidden(f"Giving money back takes the permission {REFUNDING}.", extras={"required": REFUNDING.value})
    await paying.must_exist(caller, _store(caller), order_id)
    asked = body.validated()
    return (
        await refunding.refund(caller, _store(caller), order_id, asked, apart(caller, IdempotencyKey.of(call)))
    ).answer()


def _store(caller: Caller) -> int:
    assert caller.store_id is not None  # noqa: S101 - a token of staff is of one store
    return caller.store_id
