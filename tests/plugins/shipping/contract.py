"""Path parameters and request bodies of the shipping plugin's routes, for the tests of every route."""

from comanda.contracts import API_PREFIX

STORE_TYPE = "retail"
ORDER = "/restaurants/{id}/orders/{orderId}"


async def order(workshop, store_id):
    """Place an order of three pieces of which one is on its way."""
    body = {
        "type": "ship",
        "address": "Rua das Flores 7",
        "items": [{"item_id": await workshop.item(store_id), "quantity": 3}],
    }
    order_id = await workshop.post(f"/restaurants/{store_id}/orders", body)
    await part_of(workshop, store_id, order_id)
    return order_id


async def part_of(workshop, store_id, order_id):
    path = f"/restaurants/{store_id}/orders/{order_id}"
    shown = await workshop.client.get(API_PREFIX + path, headers=workshop.owner.auth)
    (line,) = (await shown.get_json())["items"]
    return await workshop.post(f"{path}/shipments", {"items": [{"order_line_id": line["id"], "quantity": 1}]})


async def shipment(workshop, store_id):
    return await part_of(workshop, store_id, await order(workshop, store_id))


TRACKED = {
    "carrier": "Correio",
    "service": "x",
    "tracking_number": "x",
    "tracking_url": "https://parcels.example/1",
    "status": "in_transit",
}


async def shipment_body(workshop, store_id, order_id):
    path = f"{API_PREFIX}/restaurants/{store_id}/orders/{order_id}"
    shown = await (await workshop.client.get(path, headers=workshop.owner.auth)).get_json()
    return {**TRACKED, "address": "x", "items": [{"order_line_id": shown["items"][0]["id"], "quantity": 1}]}


FACTORIES = {f"{STORE_TYPE} {ORDER}": order, "/restaurants/{id}/shipments/{shipmentId}": shipment}
BODIES = {
    "ShippingRates": {"rate": 4.9, "free_over": 50, "tax_rate": 23},
    "ShipmentBody": shipment_body,
    "ShipmentChange": TRACKED,
}
STORE_TYPES = {
    "/restaurants/{id}/shipments": STORE_TYPE,
    f"{ORDER}/shipment": STORE_TYPE,
    "/restaurants/{id}/settings/shipping": STORE_TYPE,
}
