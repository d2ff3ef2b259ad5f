"""Lock order: menu edits and orders do not deadlock."""

import asyncio
import random
from collections import Counter

from comanda.devkit.testing.stores import line
from comanda.platform.db import sql

STOCK = 100_000


async def make_item(bazaar, number: int, variants: int = 6):
    """Create an item whose variants have a stock each; returns it with its variants' ids."""
    item = await bazaar.item(f"Shirt {number}", 10, stock=STOCK)
    ids = []
    for size in range(variants):
        body = {"name": f"Size {size}", "price": 10, "stock": STOCK}
        ids.append((await bazaar.send("POST", f"/menu/items/{item['id']}/variants", body))["id"])
    return item, ids


def reversed_variations(ids):
    return {"variations": [{"id": id, "name": f"Size {id}", "price": 11} for id in reversed(ids)]}


def ordered(bazaar, item, ids, dice):
    """Order each variant; not the item itself, whose lock would let one after the other in."""
    return bazaar.place(*(line(item, variation=id) for id in dice.sample(ids, len(ids))))


def outcomes(acts, replies):
    return {
        name: Counter(reply.status for act, reply in zip(acts, replies, strict=True) if act == name) for name in acts
    }


async def test_updates_of_variations_do_not_deadlock_with_orders(bazaar):
    dice = random.Random(3)
    item, ids = await make_item(bazaar, 1)
    path = f"/menu/items/{item['id']}"

    acts = ["edit", "order"] * 25
    replies = await asyncio.gather(
        *(
            ordered(bazaar, item, ids, dice) if act == "order" else bazaar.send("PUT", path, reversed_variations(ids))
            for act in acts
        )
    )

    assert outcomes(acts, replies) == {"edit": {200: 25}, "order": {201: 25}}
    sold = await sql.fetch_value("SELECT sum(stock) FROM core_variant WHERE item_id = $1", item["id"])
    assert sold == 6 * (STOCK - 25)


async def test_deleting_items_does_not_deadlock_with_orders(bazaar):
    dice = random.Random(5)
    goods = [await make_item(bazaar, number, variants=8) for number in range(12)]
    # The variants are stored in another sequence than that of their ids.
    for _, ids in goods:
        for id in reversed(ids):
            await sql.execute("UPDATE core_variant SET sku = 'sku-' || id::text WHERE id = $1", id)

    acts = ["order", "delete", "order", "order"] * 12
    replies = await asyncio.gather(
        *(
            bazaar.send("DELETE", f"/menu/items/{goods[place // 4][0]['id']}")
            if act == "delete"
            else ordered(bazaar, *goods[place // 4], dice)
            for place, act in enumerate(acts)
        )
    )

    found = outcomes(acts, replies)
    assert found["delete"] == {204: 12}
    assert set(found["order"]) <= {201, 422}


async def test_parallel_edits_orders_and_refunds_do_not_deadlock(bazaar, database_url):
    dice = random.Random(29)
    goods = [await make_item(bazaar, number, variants=4) for number in range(3)]
    placed = []
    for item, ids in goods * 4:
        placed.append((await ordered(bazaar, item, ids, dice)).document)

    def basket():
        lines = [line(item, variation=id) for item, ids in goods for id in ids] + [line(item) for item, _ in goods]
        return dice.sample(lines, 8)

    def refund(order):
        lines = [{"line_id": each["id"], "quantity": 1, "restock": True} for each in dice.sample(order["items"], 3)]
        return bazaar.send("POST", f"/orders/{order['id']}/refunds", {"lines": lines, "reason": "Torn"})

    for order in placed[:6]:
        paid = await bazaar.send(
            "POST", f"/orders/{order['id']}/payments", {"method": "cash", "amount": order["total"]}
        )
        assert paid.status == 201, paid

    def menu_path(variant=None):
        item, ids = dice.choice(goods)
        return f"/menu/items/{item['id']}" + (f"/variants/{dice.choice(ids)}" if variant else "")

    def put_variations():
        item, ids = dice.choice(goods)
        return bazaar.send("PUT", f"/menu/items/{item['id']}", reversed_variations(dice.sample(ids, len(ids))))

    send, statuses = bazaar.send, ["cancelled", "new"]
    run = {
        "variations": put_variations,
        "price": lambda: send("PUT", menu_path(), {"price": dice.randint(1, 9)}),
        "stock": lambda: send("PUT", menu_path(), {"stock": STOCK}),
        "variant": lambda: send("PUT", menu_path(variant=True), {"price": 12, "stock": STOCK}),
        "sold out": lambda: send("PATCH", f"{menu_path()}/sold-out", {"is_sold_out": False}),
        "order": lambda: bazaar.place(*basket()),
        "cancel": lambda: bazaar.set_status(dice.choice(placed[6:])["id"], dice.choice(statuses)),
        "refund": lambda: refund(dice.choice(placed[:6])),
    }
    acts = ["variations", "price", "stock", "variant", "sold out", "cancel", "refund"] * 8 + ["order"] * 60
    dice.shuffle(acts)
    replies = await asyncio.gather(*(run[name]() for name in acts))

    allowed = {"order": {201}, "refund": {201, 422}}
    found = outcomes(acts, replies)
    assert {name: counts for name, counts in found.items() if not set(counts) <= allowed.get(name, {200})} == {}
    assert found["refund"][201]


async def test_updates_of_combos_do_not_deadlock_with_orders(bazaar):
    parts = [await make_item(bazaar, number, variants=2) for number in range(3)]
    extras = [
        {"name": f"{item['name']} {id}", "item_id": item["id"], "variation": id} for item, ids in parts for id in ids
    ]
    combo = await bazaar.item("Wardrobe", 50, stock=STOCK, extra_groups=[{"name": "Of", "min": 6, "extras": extras}])
    groups = combo["extra_groups"]
    ids = [extra["id"] for extra in groups[0]["extras"]]
    groups[0]["extras"].reverse()
    path = f"/menu/items/{combo['id']}"

    acts = ["edit", "order"] * 15
    replies = await asyncio.gather(
        *(
            bazaar.place(line(combo, extras=ids))
            if act == "order"
            else bazaar.send("PUT", path, {"extra_groups": groups})
            for act in acts
        )
    )

    assert outcomes(acts, replies) == {"edit": {200: 15}, "order": {201: 15}}
