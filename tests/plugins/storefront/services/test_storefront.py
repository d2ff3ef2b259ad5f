"""The public data and menu of a storefront's store."""

import pytest


async def menu_of(front, **headers):
    response = await front.get("/menu", **headers)
    assert response.status_code == 200
    return await response.get_json()


async def test_menu_has_variations_extras_and_images(front, store):
    item = await store.item(
        "Pizza", 9, image_url="https://a.example/pizza.png", variations=[{"name": "Large", "price": 12}],
        extra_groups=[{"name": "Toppings", "max": 2, "extras": [{"name": "Olives", "price": 1}]}],
    )  # fmt: skip
    await store.item("Bread", 2)

    menu = await menu_of(front)

    [pizzas, breads] = menu["categories"]
    assert (menu["restaurant_id"], menu["currency"]) == (store.id, "EUR")
    [pizza] = pizzas["items"]
    assert (pizza["id"], pizza["price"]) == (item["id"], 9.0)
    assert [(each["name"], each["price"]) for each in pizza["variations"]] == [("Large", 12.0)]
    assert [each["extras"][0]["name"] for each in pizza["extra_groups"]] == ["Olives"]
    assert pizza["gallery"] == [{"url": "https://a.example/pizza.png", "alt": "Pizza"}]
    assert breads["items"][0]["gallery"] == []


async def test_menu_omits_sold_out_items(front, store, soup):
    assert [len(each["items"]) for each in (await menu_of(front))["categories"]] == [1]

    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {})

    assert [len(each["items"]) for each in (await menu_of(front))["categories"]] == [0]


async def test_current_copy_returns_304_and_is_private(front, store, soup):
    first = await front.get("/menu")
    second = await front.get("/menu", **{"If-None-Match": first.headers["ETag"]})

    assert (second.status_code, await second.get_data()) == (304, b"")
    assert "private" in first.headers["Cache-Control"]
    await store.item("Bread")
    assert (await front.get("/menu", **{"If-None-Match": first.headers["ETag"]})).status_code == 200


async def test_store_shows_public_data_only(front, store, owner, closed):
    await store.send("PUT", "/settings", {"address": "Rua 1", "phone": "+351 1", "tax_rate": 13})

    response = await front.get("/restaurant")
    found = await response.get_json()

    detail = (await store.get()).document
    same = ("id", "title", "slug", "url", "store_type", "vertical", "currency", "timezone", "hours")
    assert {name: found[name] for name in same} == {name: detail[name] for name in same}
    assert (found["address"], found["phone"], found["is_open"]) == ("Rua 1", "+351 1", False)
    assert found["next_open_at"] == "2026-06-01T18:00:00+00:00"
    assert [mode["code"] for mode in found["modes"]] == ["on-table", "takeaway"]
    assert found["modes"][0]["required_fields"] == ["table_number"]
    assert found["policies"]["tax_rate"] == 13.0
    assert found["order_limits"] == {"lines": 40, "quantity": 30}
    assert owner.email not in await response.get_data(as_text=True)


async def test_shop_offers_collection_modes_of_its_vertical(open_store, front_of, owner):
    shop = await open_store("retail")

    found = await (await (await front_of(owner, shop.id)).get("/restaurant")).get_json()

    assert [mode["code"] for mode in found["modes"]] == ["in_store", "pickup_slot"]


@pytest.mark.parametrize("path", ["/menu", "/restaurant"])
async def test_token_shows_its_own_store_only(front, front_of, other_owner, other_store, soup, path):
    theirs = await front_of(other_owner, other_store.id)

    mine, others = await (await front.get(path)).get_json(), await (await theirs.get(path)).get_json()

    key = "restaurant_id" if path == "/menu" else "id"
    assert mine[key] != others[key] == other_store.id
    assert "Soup" not in str(others)


@pytest.mark.parametrize("path", ["/menu", "/restaurant"])
async def test_any_origin_may_read_without_cookies(front, store, path):
    answer = await front.get(path, Origin="https://pizza.example")

    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    preflight = await front.client.open(
        f"/api/v1/storefront{path}", method="OPTIONS",
        headers={"Origin": "https://pizza.example", "Access-Control-Request-Method": "GET"},
    )  # fmt: skip
    assert "X-Storefront-Token" in preflight.headers["Access-Control-Allow-Headers"]


@pytest.mark.parametrize("path", ["/menu", "/restaurant"])
async def test_hidden_or_suspended_store_returns_404(front, store, owner, suspend, path):
    await store.send("PUT", "/settings", {"is_published": False})
    assert (await front.get(path)).status_code == 404

    await store.send("PUT", "/settings", {"is_published": True})
    assert (await front.get(path)).status_code == 200

    await suspend(owner)
    assert (await front.get(path)).status_code == 404


MAY = {"/menu": "menu:read", "/restaurant": "menu:read"}


@pytest.mark.parametrize("path", MAY)
@pytest.mark.parametrize("scope", ["menu:read", "order:write", "agent"])
async def test_reading_requires_scope_and_storefront_token(front_of, owner, store, client, path, scope):
    answer = await (await front_of(owner, store.id, scope)).get(path)

    assert answer.status_code == (200 if scope == MAY[path] else 403)
    assert (await client.get(f"/api/v1/storefront{path}", headers=owner.auth)).status_code == 401
    assert (await client.get(f"/api/v1/storefront{path}")).status_code == 401
