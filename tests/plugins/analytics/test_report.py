"""What a report tells, and of which days; the same from days that were added up as from the orders themselves."""

from datetime import UTC, datetime, timedelta

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import line

PATH = "/api/v1/restaurants/{}/analytics"


@pytest.fixture(params=["orders", "days"])
def settled(shop, request, dispatch):
    """Let reports be made of the orders, or of days that were added up."""

    async def settle():
        if request.param == "days":
            await shop.fill()
            await dispatch()
        assert await shop.is_counted() == (request.param == "days")

    return settle


async def test_a_store_without_orders_has_zeros_everywhere(shop):
    report = await shop.report()

    assert report == {
        "range": {"from": "2030-04-16", "to": "2030-05-15"},
        "orders": {
            "total": 0,
            "paid": 0,
            "by_status": dict.fromkeys(("new", "preparing", "ready", "delivered", "completed", "cancelled"), 0),
            "by_type": dict.fromkeys(("on-table", "takeaway", "delivery", "room_service"), 0),
        },
        "revenue": {"gross": 0, "paid": 0, "avg_order_value": 0},
        "top_items": [],
    }


async def test_cancelled_orders_count_in_total_and_by_status_only(shop, settled):
    kept = await shop.placed(line(shop.soup, 2), line(shop.cake))
    dropped = await shop.placed(line(shop.soup, 9), type="on-table", table_number="4")
    await shop.set_status(kept, "ready")
    await shop.set_status(dropped, "cancelled")
    await settled()

    report = await shop.report()

    assert report["orders"]["total"] == 2
    assert {name: count for name, count in report["orders"]["by_status"].items() if count} == {
        "ready": 1,
        "cancelled": 1,
    }
    assert {name: count for name, count in report["orders"]["by_type"].items() if count} == {
        "takeaway": 1,
        "on-table": 1,
    }
    assert report["revenue"] == {"gross": 24, "paid": 0, "avg_order_value": 24}
    assert report["top_items"] == [
        {"item_id": shop.soup["id"], "name": "Soup", "quantity": 2},
        {"item_id": shop.cake["id"], "name": "Cake", "quantity": 1},
    ]


async def test_paid_is_what_came_in_less_what_went_back_also_of_orders_paid_in_part(shop, settled):
    whole, part, back, _ = [await shop.placed(line(shop.soup, 3)) for _ in range(4)]
    await shop.pay(whole)
    await settled()
    await shop.pay(part, 12.5)
    await shop.pay(back)
    await shop.refund(back, 7.25)

    report = await shop.report()

    assert report["orders"]["paid"] == 2
    assert report["revenue"] == {"gross": 120, "paid": 30 + 12.5 + 22.75, "avg_order_value": 30}


async def test_a_cancelled_order_keeps_what_was_paid_until_it_is_refunded(shop, settled):
    order_id = await shop.placed(line(shop.soup))
    await shop.pay(order_id)
    await shop.set_status(order_id, "cancelled")
    await settled()
    assert (await shop.report())["revenue"] == {"gross": 0, "paid": 10, "avg_order_value": 0}

    await shop.refund(order_id, 10)

    assert (await shop.report())["revenue"] == {"gross": 0, "paid": 0, "avg_order_value": 0}


async def test_the_average_is_rounded_half_up_in_minor_units(shop, settled):
    for item in (shop.soup, shop.soup, shop.cake):
        await shop.placed(line(item))
    await settled()

    assert (await shop.report())["revenue"]["avg_order_value"] == 8
    await shop.placed(line(await shop.item("Bread", 0.01)))
    # 24.01 / 4 = 6.0025
    assert (await shop.report())["revenue"]["avg_order_value"] == 6


async def test_top_items_are_ten_by_quantity_then_by_name(shop, settled):
    names = ["Leek", "Kale", "Apple", "Fig", "Egg", "Date", "Bean", "Corn", "Hazel", "Grape", "Ink", "Juice"]
    items = {name: await shop.item(name, 1) for name in names}
    await shop.placed(line(items["Leek"], 2), *[line(items[name]) for name in names if name != "Leek"])
    await settled()

    top = (await shop.report())["top_items"]

    assert [item["name"] for item in top] == ["Leek", *sorted(names)[:9]]
    assert [item["quantity"] for item in top] == [2] + [1] * 9


async def test_an_item_has_its_present_name_and_a_deleted_one_its_last(shop, settled):
    await shop.placed(line(shop.soup, 3), line(shop.cake, 2))
    await settled()
    renamed = await shop.send("PUT", f"/menu/items/{shop.soup['id']}", {"name": "Broth"})
    gone = await shop.send("DELETE", f"/menu/items/{shop.cake['id']}")
    assert (renamed.status, gone.status) == (200, 204)

    assert [item["name"] for item in (await shop.report())["top_items"]] == ["Broth", "Cake"]


async def test_days_are_those_of_the_stores_calendar_with_both_ends(client, owner, shop, clock):
    clock.set(datetime(2030, 3, 31, 12, tzinfo=UTC))
    there = type(shop)(client, owner, await owner.store(timezone="America/Sao_Paulo"))
    soup = await there.item("Soup", 10)
    # Midnight in São Paulo is three o'clock in UTC.
    moments = [datetime(2030, 3, day, 3, tzinfo=UTC) for day in (10, 12)]
    for moment in moments:
        await there.placed(line(soup), at=moment)
        await there.placed(line(soup), at=moment - timedelta(microseconds=1))
    for _ in range(2):
        report = await there.report("from=2030-03-10&to=2030-03-11&by_day=true")
        assert [(day["date"], day["orders"]) for day in report["by_day"]] == [("2030-03-10", 1), ("2030-03-11", 1)]
        assert report["orders"]["total"] == 2
        await there.fill()
        assert await there.is_counted()


async def test_today_begins_at_the_stores_midnight(client, owner, shop, clock):
    clock.set(datetime(2030, 5, 15, 23, 30, tzinfo=UTC))
    tokyo = type(shop)(client, owner, await owner.store(timezone="Asia/Tokyo"))

    assert (await tokyo.report())["range"] == {"from": "2030-04-17", "to": "2030-05-16"}
    assert (await tokyo.report("to=2030-03-01"))["range"] == {"from": "2030-01-31", "to": "2030-03-01"}
    assert (await tokyo.report("from=2030-05-16"))["range"] == {"from": "2030-05-16", "to": "2030-05-16"}


async def test_a_day_on_which_clocks_change_has_all_of_its_hours(client, owner, shop, clock):
    clock.set(datetime(2030, 12, 1, tzinfo=UTC))
    lisbon = type(shop)(client, owner, await owner.store(timezone="Europe/Lisbon"))
    soup = await lisbon.item("Soup", 10)
    # 27 October 2030 has 25 hours there: from 26 October, 23:00 in UTC, to midnight in UTC.
    for hour in range(25):
        await lisbon.placed(line(soup), at=datetime(2030, 10, 26, 23, tzinfo=UTC) + timedelta(hours=hour))
    for _ in range(2):
        assert (await lisbon.report("from=2030-10-27&to=2030-10-27"))["orders"]["total"] == 25
        await lisbon.fill()


async def test_by_day_lists_every_day_and_adds_up_to_the_whole(shop, settled, noon):
    paid = await shop.placed(line(shop.soup), at=noon - timedelta(days=2))
    await shop.placed(line(shop.cake), at=noon)
    await shop.pay(paid)
    await settled()

    report = await shop.report("from=2030-05-13&by_day=true")

    assert report["by_day"] == [
        {"date": "2030-05-13", "orders": 1, "paid_orders": 1, "gross": 10, "paid": 10},
        {"date": "2030-05-14", "orders": 0, "paid_orders": 0, "gross": 0, "paid": 0},
        {"date": "2030-05-15", "orders": 1, "paid_orders": 0, "gross": 4, "paid": 0},
    ]
    assert "compare" not in report


async def test_compare_adds_as_many_days_right_before(shop, settled, noon):
    await shop.placed(line(shop.soup), at=noon)
    for days in (3, 5, 6):
        await shop.placed(line(shop.cake), at=noon - timedelta(days=days))
    await settled()

    report = await shop.report("from=2030-05-13&to=2030-05-15&compare=true")

    assert report["orders"]["total"] == 1
    assert report["compare"]["range"] == {"from": "2030-05-10", "to": "2030-05-12"}
    assert report["compare"]["orders"]["total"] == 2
    assert report["compare"]["revenue"]["gross"] == 8
    assert "by_day" not in report


async def test_amounts_have_the_decimals_of_the_stores_currency(client, owner, shop):
    kyoto = type(shop)(client, owner, await owner.store(currency="JPY"))
    await kyoto.placed(line(await kyoto.item("Soup", 900)), line(await kyoto.item("Cake", 401)))

    assert (await kyoto.report())["revenue"] == {"gross": 1301, "paid": 0, "avg_order_value": 1301}


async def test_types_are_those_that_the_store_can_have(client, owner, shop):
    boutique = type(shop)(client, owner, await owner.store("retail"))

    assert "takeaway" not in (await boutique.report())["orders"]["by_type"]
    assert len((await boutique.report())["orders"]["by_type"]) > 0


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("from=2030-05-16", "from"),
        ("from=2030-05-11&to=2030-05-10", "from"),
        ("from=2029-05-14&to=2030-05-15", "from"),
        ("from=yesterday", "from"),
        ("from=", "from"),
        ("to=2030-02-30", "to"),
        ("to=20300210", "to"),
        ("to=1", "to"),
        ("to=2030-05-15T00:00:00Z", "to"),
        ("to=0000-01-01", "to"),
        ("from=0001-01-01&to=0001-01-02&compare=true", "from"),
        ("from=9999-12-30&to=9999-12-31", "from"),
        ("by_day=perhaps", "by_day"),
    ],
)
async def test_a_range_that_is_none_is_refused_by_its_field(shop, query, field):
    reply = await shop.send("GET", f"/analytics?{query}")

    assert field in reply.errors


async def test_366_days_are_the_most(shop):
    assert (await shop.report("from=2029-05-15&to=2030-05-15"))["range"]["from"] == "2029-05-15"


async def test_another_owners_store_looks_missing_whatever_is_asked(client, shop, other_owner):
    for query in ("", "?from=2030-05-16", "?by_day=true"):
        assert (await client.get(PATH.format(shop.id) + query, headers=other_owner.auth)).status_code == 404
    assert (await client.get(PATH.format(987654321), headers=shop.owner.auth)).status_code == 404


async def test_owners_need_the_scope_of_analytics(client, shop):
    for scopes, status in ((("analytics:read",), 200), (("read",), 200), (("orders:read", "menu:write"), 403)):
        auth = await shop.owner.token_with(*scopes)
        assert (await client.get(PATH.format(shop.id), headers=auth)).status_code == status
    assert (await client.get(PATH.format(shop.id))).status_code == 401


async def test_one_stores_orders_are_not_in_anothers_report(client, owner, other_owner, shop, settled):
    await shop.placed(line(shop.soup))
    mine = type(shop)(client, owner, await owner.store())
    theirs = type(shop)(client, other_owner, await other_owner.store())
    for other in (mine, theirs):
        await other.placed(line(await other.item("Tea", 1), 5))
    await settled()

    assert (await shop.report())["revenue"]["gross"] == 10
    assert [item["name"] for item in (await shop.report())["top_items"]] == ["Soup"]
    assert (await theirs.report())["revenue"]["gross"] == 5


async def test_a_report_writes_nothing(shop):
    await shop.placed(line(shop.soup))

    await shop.report("by_day=true&compare=true")

    assert await sql.fetch_value("SELECT count(*) FROM analytics_order WHERE owner_id = $1", shop.owner.id) == 0
