"""The forms with which a guest asks for the receipt or the invoice of an order."""

from typing import Final
from urllib.parse import quote

from comanda.contracts import PUBLIC, Call, Routes, parse_body
from comanda.web import N_, store_guests, translate_errors

from comanda_invoices.schemas import EmailedReceiptBody, GuestInvoiceBody, GuestInvoiceOut
from comanda_invoices.services import guest_invoices, receipts

routes = Routes("Invoice pages", callers=PUBLIC, prefix="", is_documented=False)

# How many receipts of one order are sent in a minute, to whatever addresses.
RECEIPTS_PER_MINUTE: Final = 3
ASK_THE_STORE: Final = N_("There is no invoice of this order here. Please ask the store.")
SENTENCES: Final = {
    "seller_incomplete": ASK_THE_STORE,
    "order_cancelled": ASK_THE_STORE,
    "order_refunded": ASK_THE_STORE,
    "order_unpaid": N_("You can ask for an invoice once the order is paid."),
}


@routes.post("/invoice/{token}/request", answers=GuestInvoiceOut)
async def request_invoice(call: Call, token: str) -> dict[str, str]:
    """Issue the invoice of the order of a track token; an order that has one leads to that."""
    await store_guests.check_guest_call(call, "invoice-page")
    with translate_errors(call.headers) as language, store_guests.translate_refusals(SENTENCES):
        order = await guest_invoices.get_order(token)
        await guest_invoices.request_invoice(order, parse_body(GuestInvoiceBody, call.body), language.code)
    return {"url": f"/invoice/{quote(token)}"}


@routes.post("/receipt/{token}/send", answers=GuestInvoiceOut)
async def send_receipt(call: Call, token: str) -> dict[str, str]:
    """Send the receipt of the order of a track token by e-mail."""
    await store_guests.check_guest_call(call, "receipt-page")
    with translate_errors(call.headers) as language:
        order = await receipts.get_order(token)
        body = parse_body(EmailedReceiptBody, call.body)
        await call.count(f"receipt:{order.id}", RECEIPTS_PER_MINUTE)
        await receipts.send_receipt(order, body.email, language.code)
    return {"url": f"/receipt/{quote(token)}?sent=1"}
