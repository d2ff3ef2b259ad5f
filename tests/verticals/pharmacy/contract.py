"""Path parameters and bodies of the routes of pharmacies, for the tests of every route."""

from itertools import count

from comanda.platform.db import sql

_numbers = count(1)
STORE_TYPE = "pharmacy"
ORDER = "/restaurants/{id}/orders/{orderId}"
REQUEST_RELEASE = """
    INSERT INTO pharmacy_release (order_id, owner_id, store_id, status, requested_at)
    VALUES ($1, $2, $3, 'waiting', now())
"""


async def create_order(workshop, store_id):
    """Place an order that waits for a pharmacist."""
    item_id = await workshop.item(store_id, is_prescription_only=True)
    return await workshop.post(f"/restaurants/{store_id}/orders", {"type": "in_store", "items": [{"item_id": item_id}]})


async def create_own_order(workshop):
    """Place an order that waits for the holder of a token, who is a pharmacist, in a store of another type."""
    order_id = await workshop.order(workshop.home, customer_name=workshop.marker)
    await sql.execute(REQUEST_RELEASE, order_id, workshop.owner.id, workshop.home)
    await sql.execute(
        "INSERT INTO pharmacy_pharmacist (staff_id, owner_id, store_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        workshop.holder_id,
        workshop.owner.id,
        workshop.home,
    )
    return order_id


async def build_receipt_body(workshop, store_id, *_):
    item_id = await workshop.item(store_id, is_sold_by_batch=True, stock=0)
    body = {"item_id": item_id, "variation": None, "number": f"L{next(_numbers)}", "best_before": "2040-01-01"}
    return {**body, "quantity": 2, "is_in_stock": False}


async def create_batch(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/batches", await build_receipt_body(workshop, store_id))


FACTORIES = {
    f"{STORE_TYPE} {ORDER}": create_order,
    f"{STORE_TYPE} /staff/orders/{{orderId}}": create_own_order,
    "/restaurants/{id}/batches/{batchId}": create_batch,
}
BODIES = {
    "ReleaseBody": {"status": "released", "note": "x"},
    "PharmacistsBody": {"staff_ids": []},
    "ReceiptBody": build_receipt_body,
    "BatchChange": {"quantity": 1, "best_before": "2041-01-01"},
}
STORE_TYPES = {
    "/restaurants/{id}/releases": STORE_TYPE,
    "/restaurants/{id}/pharmacists": STORE_TYPE,
    "/restaurants/{id}/batches": STORE_TYPE,
    f"{ORDER}/release": STORE_TYPE,
    f"{ORDER}/batches": STORE_TYPE,
    "/staff/orders/{orderId}/release": STORE_TYPE,
}
