"""The age of items."""

import pytest
from comanda.devkit.testing import line


@pytest.mark.parametrize("age", [1, 18, 120, None])
async def test_age_is_shown_to_owner_and_on_the_menu(pharmacy, age):
    gum = await pharmacy.item("Gum", age_min=age)

    assert gum["age_min"] == age
    assert (await pharmacy.get(f"/menu/items/{gum['id']}"))["age_min"] == age
    assert [item["age_min"] for category in await pharmacy.public_menu() for item in category["items"]] == [age]


async def test_age_is_kept_until_changed_or_null(pharmacy):
    gum = await pharmacy.item("Gum", age_min=18)

    kept = await pharmacy.send("PUT", f"/menu/items/{gum['id']}", {"price": 6})
    gone = await pharmacy.send("PUT", f"/menu/items/{gum['id']}", {"age_min": None})

    assert (kept["age_min"], gone["age_min"]) == (18, None)
    assert (await pharmacy.place(line(gum), type="in_store")).status == 201
