"""Path parameters and bodies of the laundry's routes, for tests of every route."""

from comanda.contracts import API_PREFIX

STORE_TYPE = "laundry"
ORDER = "/restaurants/{id}/laundry/orders/{orderId}"


async def order(workshop, store_id):
    item_id = await workshop.item(store_id, is_by_weight=True)
    return await workshop.post(
        f"/restaurants/{store_id}/orders", {"type": "in_store", "items": [{"item_id": item_id, "quantity": 2}]}
    )


async def line(workshop, store_id, order_id):
    return (await workshop.get(f"/restaurants/{store_id}/orders/{order_id}"))["items"][0]["id"]


async def garment(workshop, store_id):
    order_id = await order(workshop, store_id)
    path = f"/restaurants/{store_id}/laundry/orders/{order_id}"
    body = {"line_id": await line(workshop, store_id, order_id)}
    await workshop.client.post(f"{API_PREFIX}{path}/garments", headers=workshop.owner.auth, json=body)
    return (await workshop.get(path))["tagged"][0]["id"]


async def tag_body(workshop, store_id, order_id):
    return {"line_id": await line(workshop, store_id, order_id), "count": 2, "note": "x"}


FACTORIES = {ORDER: order, f"{ORDER}/lines/{{lineId}}": line, "/restaurants/{id}/laundry/garments/{garmentId}": garment}
BODIES = {
    "LaundrySettings": {"ready_days": 5},
    "WeightBody": {"grams": 2500, "refund": {}},
    "ReadyBody": {"ready_on": "2030-01-09"},
    "TagBody": tag_body,
    "GarmentBody": {"state": "lost", "note": "x"},
    "GarmentsBody": {"state": "ready"},
}
STORE_TYPES = {
    "/restaurants/{id}/laundry": STORE_TYPE,
    "/restaurants/{id}/settings/laundry": STORE_TYPE,
}
