"""Fields of car parts."""

from comanda.devkit.testing import line


async def test_part_has_goods_fields_and_fitments(garage):
    pads = await garage.item("Brake pads", brand="Amber", stock=3, is_vegan=True)

    assert (pads["brand"], pads["stock"], pads["variants_count"], pads["fitments"]) == ("Amber", 3, 0, [])
    assert not {"is_vegan", "is_halal", "calories", "expires_on"} & pads.keys()
    order = await garage.order(line(pads, 2), type="in_store")
    assert (order["type"], (await garage.get(f"/menu/items/{pads['id']}"))["stock"]) == ("in_store", 1)
