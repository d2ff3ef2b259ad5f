"""The lowest price of the 30 days before a reduction, which guests read beside a price that is announced as reduced."""

import pytest
from comanda.platform.db import sql

AGE = """
    UPDATE {table} SET former_prices = (
        SELECT jsonb_agg(jsonb_set(each, '{{until}}', to_jsonb(now() - make_interval(days => $2))) ORDER BY place)
        FROM jsonb_array_elements(former_prices) WITH ORDINALITY AS former (each, place))
    WHERE id = $1
"""


async def change(store, item, **fields):
    reply = await store.send("PUT", f"/menu/items/{item['id']}", fields)
    assert reply.status == 200, reply


@pytest.fixture
async def lamp(store):
    return await store.item("Lamp", 10)


@pytest.fixture
def reprice(store, lamp):
    async def reprice(*prices, **fields):
        for price in prices:
            await change(store, lamp, price=price)
        if fields:
            await change(store, lamp, **fields)

    return reprice


@pytest.fixture
def read_public(store):
    """Return the only item of the public menu."""

    async def read_public(query=""):
        reply = await store.send_to(f"/api/v1/menu/{store.id}{query}")
        return reply.document[0]["items"][0]

    return read_public


@pytest.mark.parametrize(
    ("prices", "prior"),
    [
        ([8], 10),
        ([9, 8], 9),
        ([12, 8], 10),
        ([7, 12, 8], None),
        ([9, 12, 8], 9),
        ([8, 8], 10),
        ([], None),
    ],
)
async def test_a_reduction_shows_the_lowest_price_before(reprice, read_public, prices, prior):
    await reprice(*prices, compare_at_price=15)

    assert (await read_public()).get("prior_price") == prior


async def test_only_an_announced_reduction_shows_one(store, lamp, reprice, read_public):
    await reprice(8)
    assert "prior_price" not in await read_public()

    await reprice(compare_at_price=8)
    assert "prior_price" not in await read_public()

    await reprice(compare_at_price=12)
    assert (await read_public())["prior_price"] == (await store.get(f"/menu/items/{lamp['id']}"))["prior_price"] == 10

    await reprice(compare_at_price=None)
    assert "prior_price" not in await read_public()


@pytest.mark.parametrize(("days", "prior", "kept"), [(29, 7, [700, 1000]), (31, 10, [1000])])
async def test_prices_of_more_than_30_days_before_are_forgotten(lamp, reprice, read_public, days, prior, kept):
    await reprice(7, 10)
    await sql.execute(AGE.format(table="core_menu_item"), lamp["id"], days)

    await reprice(5, compare_at_price=15)

    assert (await read_public())["prior_price"] == prior
    rows = "SELECT (jsonb_array_elements(former_prices) ->> 'price')::int AS price FROM core_menu_item WHERE id = $1"
    assert [row["price"] for row in await sql.fetch(rows, lamp["id"])] == kept


async def test_a_reduction_keeps_its_prior_price_for_as_long_as_it_lasts(lamp, reprice, read_public):
    await reprice(8, compare_at_price=15)
    await sql.execute(AGE.format(table="core_menu_item"), lamp["id"], 90)
    await reprice(name="Floor lamp")

    assert (await read_public())["prior_price"] == 10


async def test_each_variation_has_its_own(bazaar):
    variations = [{"name": "Small", "price": 20}, {"name": "Large", "price": 25}]
    shirt = await bazaar.item("Shirt", 20, variations=variations)
    small, large = shirt["variations"]
    path = f"/menu/items/{shirt['id']}/variants"

    async def list_prior_prices():
        (category,) = await bazaar.public_menu()
        return [each.get("prior_price") for each in category["items"][0]["variations"]]

    await bazaar.send("PUT", f"{path}/{small['id']}", {"price": 16, "compare_at_price": 20})
    await change(bazaar, shirt, variations=[{**small, "price": 16}, {**large, "price": 22}])
    assert await list_prior_prices() == [20, None]

    await bazaar.send("PUT", f"{path}/{large['id']}", {"compare_at_price": 25})
    assert await list_prior_prices() == [20, 25]


async def test_imports_and_changes_of_many_prices_count(store, lamp, read_public):
    await store.send("POST", "/menu/prices", {"percent": -10})
    item = {"name": "Lamp", "price": 8, "compare_at_price": 11}
    reply = await store.send("POST", "/menu/import", {"menu": [{"name": "For Lamp", "items": [item]}]})

    assert reply.status == 200, reply
    assert (await read_public())["prior_price"] == 9


async def test_a_change_that_is_rolled_back_leaves_no_price(store, lamp, reprice, read_public):
    body = {"price": 5, "variations": [{"id": 1, "name": "Tall", "price": 1}]}
    reply = await store.send("PUT", f"/menu/items/{lamp['id']}", body)
    await reprice(8, compare_at_price=15)

    assert reply.status == 422
    assert (await read_public())["prior_price"] == 10


async def test_lists_have_made_it_cheaper_before(store, reprice, read_public):
    evenings = {"name": "Evenings", "valid_at": [{"from": "20:00", "until": "22:00"}], "percent": -5}
    for body in (evenings, {"name": "Agents", "channels": ["agent"], "amount": 1}):
        assert (await store.send("POST", "/menu/price-lists", body)).status == 201
    await reprice(8, compare_at_price=15)

    assert (await read_public())["prior_price"] == 9.5


async def test_a_list_at_the_prior_price_or_above_is_no_reduction(store, reprice, read_public):
    await reprice(8, compare_at_price=15)
    await store.send("POST", "/menu/price-lists", {"name": "Delivery", "modes": ["delivery"], "percent": 25})

    assert (await read_public("?type=takeaway"))["prior_price"] == 10
    assert "prior_price" not in await read_public("?type=delivery")
