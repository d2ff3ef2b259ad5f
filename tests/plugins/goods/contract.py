"""Path parameters and request bodies of the goods plugin's routes, for the tests of every route."""

from itertools import count

from comanda.contracts.requests.routes import API_PREFIX
from comanda_goods.services.scale_codes import to_check_digit

numbers = count(1)


async def brand(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/brands", {"name": f"Brand {next(numbers)}"})


def brand_body(workshop, *ids):
    number = next(numbers)
    return {"name": f"Stolen {number}", "slug": f"stolen-{number}", "logo_url": "https://a.example/logo.png"}


async def scale_code(workshop):
    store_id, digits = workshop.home, f"28{next(numbers):05}00432"
    item_id = await workshop.item(store_id, is_priced_per_kg=True)
    variant = {"name": "Old", "price": 9, "barcode": digits[:7]}
    await workshop.post(f"/restaurants/{store_id}/menu/items/{item_id}/variants", variant)
    path = f"{API_PREFIX}/restaurants/{store_id}/settings/goods"
    saved = await workshop.client.put(path, headers=workshop.owner.auth, json={"weight_prefixes": "28"})
    assert saved.status_code == 200
    return digits + to_check_digit(digits)


FACTORIES = {"/restaurants/{id}/brands/{brandId}": brand, "/staff/scale-codes/{code}": scale_code}
BODIES = {"BrandBody": brand_body, "BrandChange": brand_body}
STORE_TYPES = {"/restaurants/{id}/brands": "retail"}
