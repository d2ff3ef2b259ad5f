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
