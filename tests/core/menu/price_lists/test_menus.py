"""Price lists in menus, quotes and orders: what is shown is what is charged, and it turns at the minute."""

import asyncio
from datetime import datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest
from comanda.devkit.testing import TestStore, line
from comanda.menu import public_view
from comanda.menu.price_lists import menus
from comanda.menu.price_lists.menus import get_at_prices, price_for_order
from comanda.platform.db import sql

BERLIN = ZoneInfo("Europe/Berlin")
HAPPY_HOUR = {"from": "16:00", "until": "18:00"}
DELIVERY = {"type": "delivery", "address": "Long Street 1", "phone": "+493012345678", "customer_name": "Ada"}


@pytest.fixture
def set_time(clock):
    """Set the clock to a local time of one day, such as ``16:00``."""

    def set_time(text):
        clock.set(datetime.fromisoformat(f"2026-07-30 {text}").replace(tzinfo=BERLIN))

    set_time("12:00")
    return set_time


@pytest.fixture
async def bar(client, owner, set_time):
    """Return a bar with soup at 5.00 and, in a category of their own, cocktails at 8.50, large ones at 11.00."""
    bar = TestStore(client, owner, await owner.store(timezone="Europe/Berlin"))
    bar.soup = await bar.item("Soup", 5, extra_groups=[{"name": "With", "extras": [{"name": "Bread", "price": 1.25}]}])
    bar.drinks = await bar.category("Cocktails")
    bar.mojito = await bar.item("Mojito", 8.5, category_id=bar.drinks, variations=[{"name": "Large", "price": 11}])
    return bar


async def add_list(bar, name, **fields):
    reply = await bar.send("POST", "/menu/price-lists", {"name": name, **fields})
    assert reply.status == 201, reply
    return reply.document


async def read_prices(bar, mode=None):
    """Return the prices on the public menu by the names of items."""
    reply = await bar.send_to(f"/api/v1/menu/{bar.id}" + (f"?type={mode}" if mode else ""))
    return {item["name"]: item["price"] for category in reply.document for item in category["items"]}


async def quote(bar, *lines, **fields):
    reply = await bar.send("POST", "/orders/quote", {"type": "takeaway", "items": list(lines), **fields})
    assert reply.status == 200, reply
    return reply.document


async def test_a_menu_and_its_orders_turn_at_the_minute_without_a_write(bar, set_time, published):
    mojito = {"item_id": bar.mojito["id"], "price": 6}
    await add_list(bar, "Happy hour", valid_at=[HAPPY_HOUR], prices=[mojito])
    version = "SELECT menu_version FROM core_store WHERE id = $1"
    before, events = await sql.fetch_value(version, bar.id), await published()

    seen, tags = {}, []
    for time in ("15:59:59", "16:00", "17:59:59", "18:00"):
        set_time(time)
        tags.append((await bar.send_to(f"/api/v1/menu/{bar.id}")).headers["etag"])
        order = await quote(bar, line(bar.mojito), line(bar.soup))
        seen[time] = ((await read_prices(bar))["Mojito"], order["total"], order["items"][0]["price_label"])

    off, on = (8.5, 13.5, None), (6, 11, "Happy hour")
    assert seen == {"15:59:59": off, "16:00": on, "17:59:59": on, "18:00": off}
    assert (tags[0], tags[1]) == (tags[3], tags[2])
    assert tags[0] != tags[1]
    assert (await sql.fetch_value(version, bar.id), await published()) == (before, events)


async def test_delivery_is_dearer_with_its_extras(bar):
    await add_list(bar, "Delivery", modes=["delivery"], percent=10, round_to=0.1)
    bread = bar.soup["extra_groups"][0]["extras"][0]["id"]
    large = bar.mojito["variations"][0]["id"]
    lines = [line(bar.soup, extras=[bread]), line(bar.mojito, variation=large)]

    order = await bar.order(*lines, **DELIVERY)
    at_the_table = await quote(bar, *lines, type="on-table", table_number="4")

    assert [each["unit_price"] for each in order["items"]] == [6.9, 12.1]
    assert [each["unit_price"] for each in at_the_table["items"]] == [6.25, 11]
    assert (await read_prices(bar), await read_prices(bar, "delivery")) == (
        {"Soup": 5, "Mojito": 8.5},
        {"Soup": 5.5, "Mojito": 9.4},
    )


async def test_the_first_list_that_names_an_item_counts(bar):
    await add_list(bar, "Everything", percent=100, position=2)
    drinks = await add_list(bar, "Drinks", percent=-50, category_ids=[bar.drinks], position=1)

    first = await read_prices(bar)
    await bar.send("PATCH", f"/menu/price-lists/{drinks['id']}", {"position": 3})
    swapped = await read_prices(bar)
    await bar.send("PATCH", f"/menu/price-lists/{drinks['id']}", {"position": 0, "is_active": False})
    off = await read_prices(bar)
    await bar.send("DELETE", f"/menu/price-lists/{drinks['id']}")

    assert first == {"Soup": 10, "Mojito": 4.25}
    assert swapped == off == await read_prices(bar) == {"Soup": 10, "Mojito": 17}


async def test_a_combo_follows_its_own_list_and_its_choices_theirs(bar):
    groups = [
        {"name": "Drink", "min": 1, "max": 1, "item_discount": 50,
         "extras": [{"name": "Mojito", "item_id": bar.mojito["id"], "price": 1}]},
    ]  # fmt: skip
    menu = await bar.item("Evening menu", 20, extra_groups=groups)
    choice = menu["extra_groups"][0]["extras"][0]["id"]
    await add_list(bar, "Drinks", amount=-2.5, category_ids=[bar.drinks])
    await add_list(bar, "Later", percent=10, category_ids=[menu["category_id"]])

    order = await quote(bar, line(menu, extras=[choice]))

    # 20 and the surcharge of 1 are 10 % dearer, and half of the cocktail's 6.00 is added.
    assert order["total"] == 22 + 1.1 + 3


async def test_a_round_costs_what_it_costs_then(bar, set_time):
    prices = [{"item_id": bar.mojito["id"], "price": 6}]
    await add_list(bar, "Happy hour", valid_at=[HAPPY_HOUR], prices=prices)
    set_time("17:59")
    order = await bar.order(line(bar.mojito), type="on-table", table_number="4")

    set_time("18:00")
    added = await bar.send("POST", f"/orders/{order['id']}/lines", {"items": [line(bar.mojito)]})

    assert [(each["unit_price"], each["price_label"]) for each in added["items"]] == [(6, "Happy hour"), (8.5, None)]


async def test_a_store_without_lists_has_no_other_snapshot(bar):
    menu = await public_view.get_public_menu(bar.id)

    assert price_for_order(menu, "delivery", "owner") is menu
    assert await get_at_prices(menu, "delivery", "owner") is menu


async def test_a_large_menu_is_priced_once_for_all_who_wait(bar, monkeypatch):
    monkeypatch.setattr(menus, "MAX_ITEMS_ON_LOOP", 0)
    await add_list(bar, "Delivery", modes=["delivery"], percent=10)
    menu = await public_view.get_public_menu(bar.id)

    first, *others = await asyncio.gather(*(get_at_prices(menu, "delivery", "storefront") for _ in range(8)))

    assert first.items[bar.soup["id"]].price_minor == 550
    assert all(each is first for each in others)


async def test_what_is_quoted_shown_and_ordered_is_the_same(bar, set_time):
    """Random lists, times and types: the order costs what the quote says, and a line what the menu of its type says."""
    random = Random(97)
    items = {"Soup": bar.soup, "Mojito": bar.mojito}
    for _ in range(12):
        for found in (await bar.get("/menu/price-lists"))["data"]:
            await bar.send("DELETE", f"/menu/price-lists/{found['id']}")
        for number in range(random.randint(1, 3)):
            await add_list(bar, f"List {number}", **_draw_list(random, bar))
        set_time(f"{random.randrange(24):02}:{random.randrange(60):02}")
        for fields in (DELIVERY, {"type": "takeaway"}, {"type": "on-table", "table_number": "4"}):
            lines = [line(item) for item in items.values()]
            # The owner's own channel is not that of the public menu.
            order = await bar.order(*lines, **fields)
            shown = await read_prices(bar, fields["type"])
            assert (await quote(bar, *lines, **fields))["total"] == order["total"]
            assert [each["unit_price"] for each in order["items"]] == [shown[name] for name in items]


def _draw_list(random, bar):
    times = sorted(f"{random.randrange(24):02}:{random.randrange(60):02}" for _ in range(2))
    return {
        "modes": random.choice([[], ["delivery"], ["takeaway", "on-table"]]),
        "valid_at": random.choice(
            [[], [{"from": times[0], "until": times[1]}], [{"from": times[1], "until": times[0]}]]
        ),
        "category_ids": random.choice([[], [bar.drinks]]),
        "position": random.randrange(3),
        **random.choice([{"percent": random.randint(-99, 200)}, {"amount": random.randint(-300, 900) / 100}]),
        "round_to": random.choice([None, 0.05, 0.5]),
        "prices": random.choice([[], [{"item_id": bar.soup["id"], "price": random.randrange(0, 2000) / 100}]]),
    }
