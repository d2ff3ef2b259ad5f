"""Receipts by e-mail, for staff at the till."""

from comanda.contracts import Call, Caller, Routes
from comanda.web import translate_errors
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_invoices.records import SentReceipt
from comanda_invoices.routes.guests import RECEIPTS_PER_MINUTE
from comanda_invoices.schemas import OrderReceiptBody
from comanda_invoices.services import receipts

routes = Routes("Invoices", callers=STAFF_ONLY)


@routes.post("/staff/orders/{orderId}/receipt", scope=Permission.ORDERS, status=200)
async def send_receipt(caller: Caller, order_id: int, body: OrderReceiptBody, call: Call) -> SentReceipt:
    """Send the receipt of a paid order of your store by e-mail, once to an address until something is refunded.

    409 with the ``reason`` ``order_unpaid``.
    """
    order = await receipts.get_own_order(caller, order_id)
    await call.count(f"receipt:{order.id}", RECEIPTS_PER_MINUTE)
    with translate_errors(call.headers) as language:
        await receipts.send_receipt(order, body.email, language.code)
    return SentReceipt(body.email)
