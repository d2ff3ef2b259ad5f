"""Container deposits of orders: charged by the piece, never discounted, and kept as they were ordered."""

from comanda.devkit.testing import line


async def create_water(store, **fields):
    return await store.item("Water", 1.5, container_deposit=0.25, **fields)


def get_deposit(order):
    return [each["amount"] for each in order["charges"] if each["code"] == "container_deposit"]


async def add_round(store, order, *lines):
    return await store.send("POST", f"/orders/{order['id']}/lines", {"items": list(lines)})


async def test_deposits_are_added_by_the_piece(store):
    water, rice = await create_water(store), await store.item("Rice", 3)

    order = await store.order(line(water, 6), line(rice))
    plain = await store.order(line(rice))

    assert (get_deposit(order), order["total"]) == ([1.5], 13.5)
    assert order["container_deposits"] == [{"item_id": water["id"], "variation": None, "amount": 0.25}]
    assert (get_deposit(plain), "container_deposits" in plain) == ([], False)


async def test_variations_have_deposits_of_their_own(store):
    water = await create_water(
        store, variations=[{"name": "Bottle", "price": 1.5}, {"name": "Crate", "price": 14}],
        variation_packaging=[{"name": "crate", "container_deposit": 4.5}],
    )  # fmt: skip
    bottle, crate = [each["id"] for each in water["variations"]]

    order = await store.order(line(water, 2, variation=bottle), line(water, variation=crate))

    assert get_deposit(order) == [5.0]


async def test_no_discount_covers_a_deposit(store):
    order = await store.order(line(await create_water(store), 4))

    free = await store.send("POST", f"/orders/{order['id']}/discounts", {"percent": 100, "reason": "Waited"})

    assert (free["discount_total"], get_deposit(free), free["total"]) == (6.0, [1.0], 1.0)


async def test_deposits_are_taxed_as_the_store_says(store):
    water = await create_water(store, tax_rate=0)
    untaxed = await store.order(line(water, 4))
    await store.send("PUT", "/settings/goods", {"tax_rate": 25})

    taxed = await store.order(line(water, 4))

    assert (untaxed["tax_total"], taxed["tax_total"]) == (0, 0.2)


async def test_rounds_keep_the_deposit_they_were_ordered_with(store):
    water = await create_water(store)
    order = await store.order(line(water, 2))
    await store.send("PUT", f"/menu/items/{water['id']}", {"container_deposit": 0.5})

    added = await add_round(store, order, line(await store.item("Rice", 3)))
    assert (get_deposit(added), added["total"]) == ([0.5], 6.5)
    other = await store.item("Juice", 2, container_deposit=0.1)
    both = await add_round(store, order, line(other, 3))

    assert (get_deposit(both), len(both["container_deposits"])) == ([0.8], 2)


async def test_a_void_takes_its_deposit_off(store):
    water = await create_water(store)
    order = await store.order(line(water, 2), line(await store.item("Rice", 3)))

    voided = await store.send(
        "POST", f"/orders/{order['id']}/lines/{order['items'][0]['id']}/void", {"reason": "Broken"}
    )

    assert (get_deposit(voided), voided["total"], voided["container_deposits"]) == ([], 3.0, [])


async def test_merged_orders_keep_both_deposits(store):
    water, juice = await create_water(store), await store.item("Juice", 2, container_deposit=0.1)
    order, other = await store.order(line(water)), await store.order(line(juice))
    await store.send("PUT", f"/menu/items/{juice['id']}", {"container_deposit": 0})

    merged = await store.send("POST", f"/orders/{order['id']}/merge", {"order_id": other["id"]})

    assert (get_deposit(merged), merged["total"]) == ([0.35], 3.85)


async def test_packaging_needs_a_unit_and_unique_names(store):
    refused = await store.send(
        "POST", "/menu/items",
        {
            "name": "Rice", "price": 2, "category_id": (await store.item())["category_id"], "content": 500,
            "container_deposit": -1,
            "variation_packaging": [{"name": "A", "content": 1.2345, "content_unit": "kg"}],
        },
    )  # fmt: skip

    assert refused.status == 422
    assert refused.errors.keys() == {"content", "container_deposit", "variation_packaging.0.content"}


async def test_files_hold_the_packaging(store, client):
    await create_water(
        store, content_unit="ml", content=750,
        variation_packaging=[{"name": "Crate", "container_deposit": 4.5}],
    )  # fmt: skip
    for kind, content_type in (("json", "application/json"), ("csv", "text/csv")):
        exported = await client.get(
            f"/api/v1/restaurants/{store.id}/menu/export?format={kind}", headers=store.owner.auth
        )
        imported = await client.post(
            f"/api/v1/restaurants/{store.id}/menu/import",
            headers={**store.owner.auth, "Content-Type": content_type}, data=await exported.get_data(),
        )  # fmt: skip

        assert (await imported.get_json())["changes"] == []
