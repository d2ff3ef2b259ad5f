"""Orders whose guests must not eat something."""

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql

NO_PEANUTS = {"avoid_allergens": ["peanuts"], "restrictions_consent": True}
SELECT_ATTRIBUTES = "SELECT attributes FROM core_order WHERE id = $1 AND owner_id = $2"
COUNT_ORDERS = "SELECT count(*) FROM core_order WHERE store_id = $1 AND owner_id = $2"


@pytest.fixture
def order(store):
    """Place an order as the owner, and return the answer."""

    async def order(*lines, **fields):
        body = {"type": "takeaway", "items": list(lines), **fields}
        return await store.send("POST", "/orders", body)

    return order


@pytest.fixture
async def satay(store):
    """A dish with peanuts."""
    return await store.item("Satay", 9, has_allergen_information=True, allergens=["peanuts"], is_vegetarian=True)


@pytest.fixture
async def rice(store):
    """A dish that may contain sesame."""
    return await store.item("Rice", 3, has_allergen_information=True, may_contain=["sesame"], is_vegan=True)


async def count_orders(store):
    return await sql.fetch_value(COUNT_ORDERS, store.id, store.owner.id)


async def test_a_dish_with_what_is_avoided_is_refused(store, order, satay, rice):
    refused = await order(line(rice), line(satay), **NO_PEANUTS)

    assert refused.errors == {"items.1": ["Satay contains: Peanuts."]}
    assert refused["reason"] == "restriction_conflict"
    assert refused["conflicts"] == [
        {"allergens": ["peanuts"], "may_contain": [], "diets": [], "undeclared": [], "item": "Satay", "position": 1}
    ]
    assert await count_orders(store) == 0


async def test_each_line_says_what_is_wrong_with_it(order, satay, rice):
    refused = await order(line(rice), line(satay), required_diets=["halal"], restrictions_consent=True)

    assert refused.errors == {
        "items.0": ["Rice is not declared as: Halal."],
        "items.1": ["Satay is not declared as: Halal."],
    }


async def test_what_is_suitable_is_kept_with_its_restrictions(order, rice):
    placed = await order(line(rice), required_diets=["vegetarian"], **NO_PEANUTS)

    assert placed.status == 201
    assert (placed["avoid_allergens"], placed["required_diets"]) == (["peanuts"], ["vegetarian"])


async def test_traces_count_only_if_they_are_avoided(order, rice):
    placed = await order(line(rice), avoid_allergens=["sesame"], restrictions_consent=True)
    refused = await order(line(rice), avoid_traces=["sesame"], restrictions_consent=True)

    assert placed.status == 201
    assert refused.errors == {"items.0": ["Rice may contain: Sesame."]}


async def test_an_unsuitable_diet_is_refused(order, satay):
    refused = await order(line(satay), required_diets=["vegan"], restrictions_consent=True)

    assert refused.errors == {"items.0": ["Satay is not declared as: Vegan."]}


async def test_what_nobody_declared_is_refused(store, order):
    bread = await store.item("Bread")

    refused = await order(line(bread), **NO_PEANUTS)

    assert refused.errors == {"items.0": ["Bread may contain anything: not all allergens are declared of Bread."]}
    assert refused["conflicts"][0]["undeclared"] == ["Bread"]


async def test_choices_are_checked(order, create_pesto):
    pesto = await create_pesto(may_contain=[])
    spaghetti, noodles, surprise = pesto["extra_groups"][0]["extras"]
    small, prawns = pesto["variations"]
    restricted = {"avoid_allergens": ["gluten", "crustaceans"], "restrictions_consent": True}

    async def order_with(variation, extra):
        return await order(line(pesto, variation=variation["id"], extras=[extra["id"]]), **restricted)

    assert (await order_with(small, noodles)).status == 201
    assert (await order_with(small, spaghetti))["conflicts"][0]["allergens"] == ["wheat"]
    assert (await order_with(prawns, noodles))["conflicts"][0]["allergens"] == ["crustaceans"]
    assert (await order_with(small, surprise))["conflicts"][0]["undeclared"] == ["Surprise"]


async def test_nothing_is_kept_without_consent(store, order, rice):
    refused = await order(line(rice), avoid_allergens=["peanuts"])

    assert refused["reason"] == "consent_required"
    assert await count_orders(store) == 0


async def test_staff_take_over_a_conflict_with_a_reason(store, order, satay):
    placed = await order(line(satay), restrictions_override="Made without the sauce", **NO_PEANUTS)

    assert placed.status == 201
    assert placed["restrictions_override"] == "Made without the sauce"
    assert placed["restrictions_overridden_by"] == f"owner:{store.owner.id}"


async def test_a_reason_without_a_conflict_is_not_kept(order, rice):
    placed = await order(line(rice), restrictions_override="Just so", **NO_PEANUTS)

    assert "restrictions_override" not in placed.document


async def test_orders_without_restrictions_keep_nothing(store, order, satay):
    placed = await order(line(satay), restrictions_consent=False, avoid_allergens=[])

    stored = await sql.fetch_value(SELECT_ATTRIBUTES, placed["id"], store.owner.id)
    assert "avoid" not in (stored or "")


@pytest.mark.parametrize("fields", [{"avoid_allergens": ["plutonium"]}, {"restrictions_consent": "yes"}])
async def test_invalid_restrictions_are_refused(order, rice, fields):
    assert (await order(line(rice), **fields)).status == 422


async def test_a_combo_contains_what_was_chosen(store, order, satay, rice):
    extras = [{"name": item["name"], "item_id": item["id"]} for item in (satay, rice)]
    combo = await store.item("Set menu", 11, extra_groups=[{"name": "Main", "min": 1, "extras": extras}])
    with_satay, with_rice = [line(combo, extras=[each["id"]]) for each in combo["extra_groups"][0]["extras"]]

    refused = await order(line(rice), with_satay, **NO_PEANUTS)
    placed = await order(with_rice, **NO_PEANUTS)

    assert refused.errors == {"items.1": ["Satay contains: Peanuts."]}
    assert [each["name"] for each in placed["items"]] == ["Set menu", "Rice"]
