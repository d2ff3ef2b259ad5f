"""Drafts of past orders."""

from comanda.devkit.testing import line


async def test_draft_has_current_prices(agent, ada, store):
    extras = [{"name": "More", "max_count": 3, "allows_repeats": True, "extras": [{"name": "Garlic", "price": 1}]}]
    soup = await store.item("Soup", price=10, extra_groups=extras, variations=[{"name": "Large", "price": 14}])
    cake, pie = await store.item("Cake", price=4), await store.item("Pie", price=3)
    garlic, large = soup["extra_groups"][0]["extras"][0]["id"], soup["variations"][0]["id"]
    lines = [line(soup, 2, variation=large, extras=[garlic, garlic], note="Hot"), line(cake, 3), line(pie)]
    order = await ada.send("POST", "/orders", {"type": "delivery", "address": "Rossio 1", "items": lines})
    assert order.status == 201, order
    await store.send("PATCH", f"/menu/items/{cake['id']}/sold-out", {"is_sold_out": True})
    await store.send("DELETE", f"/menu/items/{pie['id']}")

    created = await agent.call("reorder", {"order_id": order["id"]})

    assert created["items"] == [
        {
            "item_id": soup["id"], "name": "Soup", "quantity": 2, "variation": large, "variation_name": "Large",
            "extras": [garlic, garlic], "extra_names": ["Garlic"], "note": "Hot", "unit_price": 16, "line_total": 32,
        }
    ]  # fmt: skip
    assert (created["type"], created["total"], created["currency"]) == ("delivery", 32, "EUR")
    assert [(one["path"], one["code"]) for one in created["messages"]] == [
        ("items.1", "left_out"),
        ("items.2", "left_out"),
    ]
    assert "Cake is sold out." in created["messages"][0]["text"]
    assert (await ada.get("/orders"))["total"] == 1
    again = {key: created["items"][0][key] for key in ("item_id", "quantity", "variation", "extras", "note")}
    assert (await ada.send("POST", "/orders", {"type": "takeaway", "items": [again]}))["total"] == 32


async def test_draft_is_empty_if_nothing_is_available(agent, ada, store, soup):
    order = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})
    await store.send("PATCH", f"/menu/items/{soup['id']}/sold-out", {"is_sold_out": True})

    created = await agent.call("reorder", {"order_id": order["id"]})

    assert (created["items"], created["total"], len(created["messages"])) == ([], 0, 1)


async def test_order_of_other_customer_is_not_found(agent, store, soup):
    theirs = await store.order(line(soup))

    assert (await agent.refused("reorder", {"order_id": theirs["id"]}))["code"] == "not_found"


async def test_a_combo_is_ordered_again_as_it_was(agent, ada, store, soup):
    cake = await store.item("Cake", price=4)
    extras = [{"name": each["name"], "item_id": each["id"]} for each in (soup, cake)]
    combo = await store.item("Lunch", 9, extra_groups=[{"name": "Of", "min": 2, "extras": extras}])
    chosen = [each["id"] for each in combo["extra_groups"][0]["extras"]]
    order = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(combo, 2, extras=chosen)]})

    created = await agent.call("reorder", {"order_id": order["id"]})

    assert [(each["item_id"], each["extras"], each["unit_price"]) for each in created["items"]] == [
        (combo["id"], chosen, 9)
    ]
    assert created["total"] == 18
