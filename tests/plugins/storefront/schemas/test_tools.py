"""The validation of the tools' arguments."""

import pytest
from comanda.devkit.testing import line
from comanda_storefront.models import Cart


@pytest.fixture
async def invalid_arguments(store, other_store, soup):
    group = {"name": "Bread", "is_required": True, "min": 1, "extras": [{"name": "Rye", "price": 0}]}
    choosy = await store.item("Choosy", 5, extra_groups=[group])
    foreign = await other_store.item("Foreign")
    return {
        "items.0.item_id": {"items": [line(foreign)]},
        "items.0.variation": {"items": [line(soup, variation=987_654_321)]},
        "items.0.extras": {"items": [line(choosy)]},
        "items.1.extras": {"items": [line(soup), line(soup, extras=[987_654_321])]},
        "type": {"items": [line(soup)], "type": "delivery"},
        "items": {"items": [line(soup)] * 41},
        "items.0.quantity": {"items": [line(soup, 31)]},
        "items.0.price": {"items": [line(soup, price=1)]},
        "items.0.note": {"items": [line(soup, note="x" * 2001)]},
        "scheduled_for": {"items": [line(soup)], "scheduled_for": "tomorrow"},
        "details": {"items": [line(soup)], "details": {str(number): 1 for number in range(21)}},
    }


def long_details(soup):
    return {"type": "takeaway", "items": [line(soup)], "details": {"x": "y" * 4000}}


@pytest.mark.parametrize("tool", ["create_cart", "update_cart"])
async def test_invalid_arguments_are_refused(guest, fill_cart, soup, invalid_arguments, owner, tool):
    cart = await fill_cart(line(soup))
    more = {"cart_id": cart["cart_id"]} if tool == "update_cart" else {}

    assert list((await guest.refused(tool, {**long_details(soup), **more}))["errors"]) == ["details"]
    for path, wrong in invalid_arguments.items():
        refused = await guest.refused(tool, {"type": "takeaway", **wrong, **more})
        assert (path, refused["code"], list(refused["errors"])) == (path, "validation_failed", [path])

    assert await guest.call("get_cart", {"cart_id": cart["cart_id"]}) == cart
    assert await Cart.filter(owner_id=owner.id).count() == 1
