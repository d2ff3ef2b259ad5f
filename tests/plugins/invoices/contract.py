"""Paths and bodies of the invoices plugin, for tests of every route."""

from comanda.contracts import API_PREFIX
from comanda.platform.db import sql

SELLER = {"legal_name": "Tasca Lda", "address": "Rua 7"}
BUYER = {"name": "Stolen", "address": "Stolen", "tax_number": "x", "email": "a@example.com"}


async def set_seller(workshop, store_id):
    path = f"{API_PREFIX}/restaurants/{store_id}/settings/invoices"
    response = await workshop.client.put(path, headers=workshop.owner.auth, json=SELLER)
    assert response.status_code == 200, await response.get_json()


async def pay(workshop, store_id, order_id):
    await set_seller(workshop, store_id)
    order = await workshop.get(f"/restaurants/{store_id}/orders/{order_id}")
    if not order["is_paid"]:
        await workshop.post(f"/restaurants/{store_id}/orders/{order_id}/payments", {"method": "cash"})


async def invoice(workshop, store_id):
    order_id = await workshop.order(store_id)
    await pay(workshop, store_id, order_id)
    return await workshop.post(f"/restaurants/{store_id}/orders/{order_id}/invoice", BUYER)


async def invoice_body(workshop, store_id, order_id):
    await pay(workshop, store_id, order_id)
    return BUYER


async def receipt_body(workshop, *ids):
    order_id = ids[-1]
    store_id = await sql.fetch_value("SELECT store_id FROM core_order WHERE id = $1", order_id)
    await pay(workshop, store_id, order_id)
    return {"email": "a@example.com"}


async def track_token(workshop):
    store_id = workshop.home or await workshop.store()
    order_id = await workshop.order(store_id)
    await pay(workshop, store_id, order_id)
    return (await workshop.get(f"/restaurants/{store_id}/orders/{order_id}"))["track_token"]


FACTORIES = {
    "/restaurants/{id}/invoices/{documentId}": invoice,
    "/invoice/{token}": track_token,
    "/receipt/{token}": track_token,
}
BODIES = {
    "InvoiceBody": invoice_body,
    "OrderReceiptBody": receipt_body,
    "InvoiceCancelBody": {"reason": "Stolen"},
    "EmailedReceiptBody": {"email": "a@example.com", "client_uuid": "b-2"},
    "GuestInvoiceBody": {**BUYER, "client_uuid": "b-1"},
}

OWNERS_APART = {
    "/restaurants/{id}/orders/{orderId}/invoice": "Its order is paid, which can be changed no more.",
    "/staff/orders/{orderId}/receipt": "Its order is paid, which can be changed no more.",
}
