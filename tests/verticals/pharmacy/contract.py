"""Path parameters and bodies of the routes of pharmacies, for the tests of every route."""

STORE_TYPE = "pharmacy"
ORDER = "/restaurants/{id}/orders/{orderId}"


async def create_order(workshop, store_id):
    """Place an order that waits for a pharmacist."""
    item_id = await workshop.item(store_id, is_prescription_only=True)
    return await workshop.post(f"/restaurants/{store_id}/orders", {"type": "in_store", "items": [{"item_id": item_id}]})


FACTORIES = {f"{STORE_TYPE} {ORDER}": create_order}
BODIES = {"ReleaseBody": {"status": "released", "note": "x"}, "PharmacistsBody": {"staff_ids": []}}
STORE_TYPES = {
    "/restaurants/{id}/releases": STORE_TYPE,
    "/restaurants/{id}/pharmacists": STORE_TYPE,
    f"{ORDER}/release": STORE_TYPE,
}
