"""Day reports: each thing counts once, on the day on which it was done."""

from datetime import datetime

import pytest
from comanda.devkit.testing import line

TODAY, TOMORROW = "from=2030-05-15&to=2030-05-15", "from=2030-05-16&to=2030-05-16"


@pytest.fixture(params=["counted", "pending"])
def settle(request, shop):
    """Let the handler count what happened so far, or leave it to the report."""

    async def settle():
        if request.param == "counted":
            await shop.count_orders()

    return settle


async def test_sales_voids_comps_discounts_and_cancellations_have_figures(shop, settle):
    voided = await shop.order(line(shop.soup, 3))
    discounted = await shop.order(line(shop.soup), line(shop.cake))
    cancelled = await shop.order(line(shop.cake, 2))
    await settle()
    await shop.void(voided)
    cake_line = discounted["items"][1]["id"]
    await shop.act(discounted, "/discounts", {"percent": 10, "reason": "Regular"})
    cake_line = discounted["items"][1]["id"]
    await shop.act(discounted, "/discounts", {"percent": 100, "line_id": cake_line, "reason": "Late"})
    await shop.cancel(cancelled)
    await settle()

    # A discount of 10 % off 14, and a comp of what is left of the cake.
    assert await shop.figures() == {
        "orders": 3,
        "cancelled_orders": 1,
        "voided_items": 1,
        "gross_sales": 52,
        "voids": 10,
        "cancelled": 8,
        "discounts": 1,
        "comps": 4,
        "net_sales": 29,
        "sales_total": 29,
    }


async def test_what_is_done_later_counts_on_its_own_day(shop, clock):
    order = await shop.order(line(shop.soup, 3))
    paid = await shop.order(line(shop.cake))
    await shop.pay(paid)
    await shop.count_orders()
    clock.advance(days=1)
    await shop.void(order)
    await shop.pay(order, tip=2)
    await shop.refund(paid, 1)

    assert await shop.figures(TODAY) == {
        "orders": 2,
        "gross_sales": 34,
        "net_sales": 34,
        "sales_total": 34,
        "payments": 4,
        "collected": 4,
    }
    assert await shop.figures(TOMORROW) == {
        "voided_items": 1,
        "voids": 10,
        "net_sales": -10,
        "sales_total": -10,
        "refund_count": 1,
        "refunds": 1,
        "payments": 20,
        "payment_tips": 2,
        "tips": 2,
        "collected": 22,
    }
    both = await shop.figures("from=2030-05-15&to=2030-05-16")
    assert (both["net_sales"], both["voids"], both["payments"]) == (24, 10, 24)


async def test_days_are_business_days_or_those_of_the_calendar(shop, settle, clock):
    # Half past midnight in Lisbon.
    clock.set(datetime.fromisoformat("2030-05-15T23:30:00+00:00"))
    await shop.order(line(shop.soup))
    await settle()

    assert (await shop.report())["from"] == "2030-05-15"
    assert (await shop.figures(TODAY))["orders"] == 1
    assert await shop.figures(f"{TODAY}&day=calendar") == {}
    assert (await shop.figures(f"{TOMORROW}&day=calendar"))["orders"] == 1
    assert (await shop.report("day=calendar"))["from"] == "2030-05-16"


async def test_refunds_are_divided_by_tax_rate(shop, settle):
    await shop.send("PUT", f"/menu/items/{shop.soup['id']}", {"price": 10, "tax_rate": 25})
    await shop.send("PUT", f"/menu/items/{shop.cake['id']}", {"price": 30, "tax_rate": 0})
    order = await shop.order(line(shop.soup), line(shop.cake))
    total = await shop.pay(order)
    # Of an amount a quarter is for the soup, as of the order; of lines all is known.
    await shop.refund(order, 4)
    body = {"reason": "Cold", "lines": [{"line_id": order["items"][0]["id"], "quantity": 1}]}
    await shop.act(order, "/refunds", body)
    await settle()

    report = await shop.report()

    rows = {
        row["rate"]: (row["gross"], row["refunded_net"], row["refunded_tax"], row["refunded_gross"])
        for row in report["taxes"]
    }
    assert total["amount"] == 40
    assert rows == {0: (30, 3, 0, 3), 25: (10, 8.8, 2.2, 11)}
    assert report["figures"]["refunds"] == 14


async def test_refund_of_a_tip_has_no_tax(shop, settle):
    await shop.send("PUT", f"/menu/items/{shop.soup['id']}", {"price": 10, "tax_rate": 25})
    order = await shop.order(line(shop.soup), tip_amount=2)
    await shop.pay(order)
    await shop.refund(order, 12)
    await settle()

    rows = [(row["rate"], row["gross"], row["refunded_gross"]) for row in (await shop.report())["taxes"]]

    assert rows == [(0, 0, 2), (25, 10, 10)]


async def test_sections_add_up_to_the_figures(shop, settle):
    await shop.send("PUT", "/settings", {"tax_rate": 10, "service_charge_rate": 12.5, "is_tax_included": False})
    await shop.send("PUT", f"/menu/items/{shop.cake['id']}", {"tax_rate": 5})
    order = await shop.order(line(shop.soup, 2), line(shop.cake), type="on-table", table_number="4", tip_amount=3)
    await shop.order(line(shop.cake), source="phone")
    await shop.pay(order, 10, tip=1)
    await shop.pay(order, method="card_external")
    await settle()

    report = await shop.report()

    figures = report["figures"]
    assert sum(row["gross"] for row in report["taxes"]) == pytest.approx(figures["sales_total"] - figures["order_tips"])
    for section in ("hours", "categories", "channels", "types", "staff"):
        assert sum(row["net_sales"] for row in report[section]) == figures["net_sales"], section
    assert sum(row["collected"] for row in report["tenders"]) == figures["collected"]
    assert sum(row["tips"] for row in report["staff"]) == figures["tips"] == 4
    assert [row["method"] for row in report["tenders"]] == ["card_external", "cash"]
    assert [(row["code"], row["orders"]) for row in report["channels"]] == [("api", 1), ("phone", 1)]
    assert [(row["code"], row["orders"]) for row in report["hours"]] == [("13", 2)]
    assert [row["rate"] for row in report["taxes"]] == [5, 10]
