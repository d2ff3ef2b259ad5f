"""Path parameters and request bodies of the goods plugin's routes, for the tests of every route."""

from itertools import count

numbers = count(1)


async def brand(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/brands", {"name": f"Brand {next(numbers)}"})


def brand_body(workshop, *ids):
    number = next(numbers)
    return {"name": f"Stolen {number}", "slug": f"stolen-{number}", "logo_url": "https://a.example/logo.png"}


FACTORIES = {"/restaurants/{id}/brands/{brandId}": brand}
BODIES = {"BrandBody": brand_body, "BrandChange": brand_body}
STORE_TYPES = {"/restaurants/{id}/brands": "retail"}
