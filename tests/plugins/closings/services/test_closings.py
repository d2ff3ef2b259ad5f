"""Closings: numbered without gaps, frozen, and adding up to the books whatever happens around them."""

import asyncio
import random
from collections import Counter
from datetime import date

import asyncpg
import pytest
from comanda.accounts.owners.owner_erasure import erase_owner
from comanda.devkit.testing import line
from comanda.orders import AMOUNT_DUE
from comanda.platform.db import sql
from comanda_closings.api import list_closed_days
from comanda_closings.services import closings

TODAY = "2030-05-15"
SALES = """
    SELECT coalesce(sum(total_minor) FILTER (WHERE status <> 'cancelled'), 0)::bigint AS sales_total,
        coalesce(sum(tax_total_minor) FILTER (WHERE status <> 'cancelled'), 0)::bigint AS tax,
        coalesce(sum(rounding_minor), 0)::bigint AS rounding
    FROM core_order WHERE store_id = $1
"""
MONEY = """
    SELECT (SELECT coalesce(sum(amount_minor), 0)::bigint FROM payments_payment
            WHERE store_id = $1 AND status = 'succeeded') AS payments,
        (SELECT coalesce(sum(tip_minor), 0)::bigint FROM payments_payment
            WHERE store_id = $1 AND status = 'succeeded') AS payment_tips,
        (SELECT coalesce(sum(amount_minor), 0)::bigint FROM payments_refund
            WHERE store_id = $1 AND status = 'completed') AS refunds
"""
# What was refunded of orders that still cost it, and is not due again.
ALLOWED = f"""
    SELECT coalesce(sum(greatest(0, total_minor - paid_minor + refunded_minor - {AMOUNT_DUE})), 0)::bigint
    FROM core_order o WHERE store_id = $1 AND status <> 'cancelled'
"""
FIRST_DAY, LAST_DAY = date(2030, 5, 1), date(2030, 6, 30)


async def test_closing_freezes_the_day_and_starts_the_next(shop):
    await shop.pay(await shop.order(line(shop.soup)))

    reply = await shop.close()

    assert reply.status == 201
    closing = reply.document
    assert (closing["number"], closing["from"], closing["to"]) == (1, TODAY, TODAY)
    assert (closing["figures"]["net_sales"], closing["figures"]["collected"]) == (10, 10)
    opened = await shop.get("/closings/open")
    assert (opened["number"], opened["from"], opened["figures"]["net_sales"]) == (2, "2030-05-16", 0)
    assert (await shop.get(f"/closings/{closing['id']}")).document == closing
    listed = (await shop.get("/closings"))["data"]
    assert [(row["number"], row["net_sales"], row["refunds"]) for row in listed] == [(1, 10, 0)]


async def test_later_changes_belong_to_the_next_day(shop):
    order = await shop.order(line(shop.soup, 2))
    await shop.pay(order)
    closing = (await shop.close()).document
    await shop.refund(order, 5)
    await shop.order(line(shop.cake))

    opened = await shop.get("/closings/open")

    assert (await shop.get(f"/closings/{closing['id']}")).document == closing
    assert (opened["figures"]["refunds"], opened["figures"]["net_sales"]) == (5, 4)


async def test_open_checks_and_drawers_keep_a_day_open(shop):
    order = await shop.order(line(shop.soup))
    refused = await shop.close()
    await shop.pay(order)
    shift = (await shop.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 100})).document
    with_drawer = await shop.close()
    await shop.send("POST", f"/shifts/{shift['id']}/close", {"counted": 100})

    assert (refused.status, refused["reason"], refused["open_checks"]) == (409, "open_checks", 1)
    assert (with_drawer.status, with_drawer["reason"], with_drawer["open_drawers"]) == (409, "open_drawers", ["Bar"])
    assert (await shop.close()).document["number"] == 1


async def test_store_may_close_with_open_checks_and_drawers(shop):
    await shop.order(line(shop.soup))
    await shop.send("POST", "/shifts", {"drawer": "Bar", "opening_float": 100})
    await shop.send("PUT", "/settings/closings", {"allows_open_checks": True, "allows_open_drawers": True})

    assert (await shop.close()).status == 201


async def test_forgotten_days_close_together_or_one_by_one(shop, clock):
    await shop.pay(await shop.order(line(shop.soup)))
    clock.advance(days=2)
    await shop.pay(await shop.order(line(shop.cake)))

    first = (await shop.close("2030-05-15")).document
    second = (await shop.close()).document

    assert [(each["from"], each["to"], each["figures"]["net_sales"]) for each in (first, second)] == [
        ("2030-05-15", "2030-05-15", 10),
        ("2030-05-16", "2030-05-17", 4),
    ]


async def test_closed_day_and_day_to_come_are_refused(shop):
    await shop.close()

    again, to_come = await shop.close(), await shop.close("2030-05-16")

    assert (again.status, again["reason"]) == (409, "day_closed")
    assert (to_come.status, to_come["errors"]) == (422, {"day": ["This day has not begun."]})


async def test_two_who_close_at_once_make_one_closing(shop):
    await shop.pay(await shop.order(line(shop.soup)))

    replies = await asyncio.gather(*(shop.close() for _ in range(4)))

    assert sorted(reply.status for reply in replies) == [201, 409, 409, 409]
    assert (await shop.get("/closings"))["total"] == 1


async def test_repeated_request_returns_the_first_closing(shop):
    replies = [await shop.close(**{"Idempotency-Key": "tonight"}) for _ in range(2)]

    assert replies[0].document["id"] == replies[1].document["id"]
    assert (await shop.get("/closings"))["total"] == 1


async def test_what_fails_leaves_no_gap(shop, monkeypatch, clock):
    async def fail(*_, **__):
        raise ConnectionResetError

    with monkeypatch.context() as patched:
        patched.setattr(closings, "publish", fail)
        failed = await shop.close()
    numbers = [(await shop.close()).document["number"]]
    clock.advance(days=1)
    numbers.append((await shop.close()).document["number"])

    assert failed.status == 503
    assert numbers == [1, 2]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE closings_closing SET totals = '{}' WHERE store_id = $1",
        "DELETE FROM closings_closing WHERE store_id = $1",
    ],
)
async def test_database_refuses_to_change_a_closing(shop, statement):
    await shop.close()

    with pytest.raises(asyncpg.RaiseError, match="closing 1 was made and cannot be changed"):
        await sql.execute(statement, shop.id)


async def test_closings_go_with_their_erased_owner(shop, owner):
    await shop.close()

    plan = await erase_owner(owner.email)

    assert plan.deleted["closings_closing"] == 1
    assert await sql.fetch_value("SELECT count(*) FROM closings_closing WHERE owner_id = $1", owner.id) == 0


async def test_closing_is_announced(shop, published):
    await shop.pay(await shop.order(line(shop.soup)))

    closing = (await shop.close()).document

    name, data = (await published())[-1]
    assert name == "day.closed"
    assert (data["closing_id"], data["from"], data["to"], data["net_sales"]) == (closing["id"], TODAY, TODAY, "10.00")


@pytest.mark.parametrize("seed", range(4))
async def test_closed_days_and_the_open_one_add_up_to_the_books(shop, clock, seed):
    """Random orders, amendments, payments, refunds and closings; some of it counted, some of it pending."""
    await shop.allow_open_checks()
    await shop.send("PUT", "/settings", {"tax_rate": 19, "is_tax_included": seed % 2 == 0, "cash_rounding": 0.05})
    await shop.send("PUT", f"/menu/items/{shop.cake['id']}", {"tax_rate": 7, "price": 3.33})
    chance = random.Random(seed)
    orders, frozen = [], {}
    for _ in range(40):
        await _do_something(shop, chance, orders)
        if chance.random() < 0.3:
            await shop.count_orders()
        if chance.random() < 0.15:
            reply = await shop.close()
            if reply.status == 201:
                frozen[reply.document["id"]] = reply.document
        if chance.random() < 0.2:
            clock.advance(hours=chance.choice([1, 5, 13]))

    reports = [*frozen.values(), (await shop.get("/closings/open")).document]
    found = Counter()
    for report in reports:
        for name in ("sales_total", "rounding", "payments", "payment_tips", "refunds"):
            found[name] += round(report["figures"][name] * 100)
        found["tax"] += round(sum(row["tax"] for row in report["taxes"]) * 100)
        assert sum(row["refunded_gross"] for row in report["taxes"]) == pytest.approx(report["figures"]["refunds"])
    books = {**await _read_row(SALES, shop), **await _read_row(MONEY, shop)}
    assert {name: found[name] for name in books} == books
    clock.advance(days=2)
    assert (await shop.close()).status == 201
    closed = await list_closed_days(shop.owner.caller, shop.id, FIRST_DAY, LAST_DAY)
    allowed = [amounts for each in closed for key, amounts in each.sums.by_key.items() if key[0] == "allowance"]
    assert sum(net + tax for _, net, tax in allowed) == await sql.fetch_value(ALLOWED, shop.id)
    assert frozen
    for id, closing in frozen.items():
        assert (await shop.get(f"/closings/{id}")).document == closing
    assert sorted(closing["number"] for closing in frozen.values()) == list(range(1, len(frozen) + 1))


async def _do_something(shop, chance, orders):
    if not orders or chance.random() < 0.35:
        items = [line(chance.choice([shop.soup, shop.cake]), chance.randint(1, 4)) for _ in range(2)]
        orders.append(await shop.order(*items, tip_amount=chance.choice([0, 1])))
        return
    order = (await shop.get(f"/orders/{chance.choice(orders)['id']}")).document
    path = f"/orders/{order['id']}"
    known = chance.choice(order["items"]) if order["items"] else {"id": 0}
    other = chance.choice(orders)
    method, path, body = chance.choice(
        [
            ("POST", f"{path}/payments", {"method": "cash", "tip": chance.choice([0, 0.5])}),
            ("POST", f"{path}/payments", {"method": "card_external", "amount": 1.01}),
            ("POST", f"{path}/refunds", {"amount": 0.5, "reason": "Cold"}),
            ("POST", f"{path}/lines/{known['id']}/void", {"quantity": 1, "reason": "Cold"}),
            ("POST", f"{path}/lines", {"items": [line(shop.cake)]}),
            ("POST", f"{path}/discounts", {"percent": chance.choice([10, 100]), "reason": "Late"}),
            ("POST", f"{path}/split", {"lines": [{"line_id": known["id"], "quantity": 1}]}),
            ("POST", f"{path}/merge", {"order_id": other["id"]}),
            ("PUT", f"{path}/status", {"status": chance.choice(["cancelled", "completed", "new"])}),
        ]
    )
    reply = await shop.send(method, path, body)
    assert reply.status < 500, reply
    if path.endswith("/split") and reply.status == 201:
        orders.append(reply.document)


async def _read_row(statement, shop):
    return dict(await sql.one(statement, shop.id))
