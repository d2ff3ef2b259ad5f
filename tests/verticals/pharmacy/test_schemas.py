"""Validation of ages and confirmations."""

import pytest
from comanda.devkit.testing import line

INVALID_AGES = [0, -1, 121, 17.5, "old", True, [18], 10**30]


async def test_invalid_age_is_refused(pharmacy, subtests):
    for age in INVALID_AGES:
        with subtests.test(age=age):
            body = {"name": "Gum", "price": 5, "category_id": await pharmacy.category(), "age_min": age}

            reply = await pharmacy.send("POST", "/menu/items", body)

            assert list(reply.errors) == ["age_min"]
            assert await pharmacy.public_items() == []


@pytest.mark.parametrize("given", ["true", "yes", 1, [True], {}])
async def test_only_true_confirms_an_age(pharmacy, given):
    gum = await pharmacy.item("Gum", age_min=18)

    reply = await pharmacy.place(line(gum), type="in_store", age_confirmed=given)

    assert list(reply.errors) == ["age_confirmed"]
    assert (await pharmacy.get("/orders"))["total"] == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"max_per_order": 0},
        {"max_per_order": 1001},
        {"is_sold_by_batch": "yes please"},
        {"pack_content": 0},
        {"pack_unit": "barrels"},
        {"packs": [{"name": "Large", "content": 1}]},
        {"packs": [{"name": "Large", "content": 1, "unit": "l"}, {"name": "LARGE", "content": 2, "unit": "l"}]},
        {"packs": [{"name": str(number), "content": 1, "unit": "l"} for number in range(101)]},
    ],
)
async def test_invalid_field_of_a_medicine_is_refused(pharmacy, fields):
    body = {"name": "Tablets", "price": 5, "category_id": await pharmacy.category(), **fields}

    reply = await pharmacy.send("POST", "/menu/items", body)

    assert reply.status == 422
    assert all(name.split(".")[0] in fields for name in reply.errors)
