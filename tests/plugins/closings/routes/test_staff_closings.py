"""Closings by managers, in their store."""

from comanda.accounts.services import issue_token
from comanda.devkit.testing import line
from comanda_staff.caller_kinds import STAFF


async def send(shop, method, path, permissions, body=None):
    of = {"name": "till", "store_id": shop.id, "subject_id": 1}
    token = await issue_token(STAFF, shop.owner.id, permissions, **of)
    headers = {"Authorization": f"Bearer {token.secret}"}
    return await shop.send_to(f"/api/v1/staff{path}", method, body, **headers)


async def test_manager_looks_at_the_day_and_closes_it(shop):
    await shop.pay(await shop.order(line(shop.soup)))
    manager = ["analytics", "coupons"]

    looked_at = await send(shop, "GET", "/closings/open", manager)
    closed = await send(shop, "POST", "/closings", manager, {})
    read = await send(shop, "GET", f"/closings/{closed['id']}", manager)
    listed = await send(shop, "GET", "/closings", manager)
    report = await send(shop, "GET", "/day-report", manager)

    assert looked_at["figures"]["net_sales"] == 10
    assert (closed.status, closed["closed_by"]) == (201, "staff:1")
    assert read.document == closed.document
    assert listed["total"] == 1
    assert report["figures"]["net_sales"] == 10


async def test_who_may_only_see_reports_closes_nothing(shop):
    reply = await send(shop, "POST", "/closings", ["analytics"], {})

    assert (reply.status, reply["required"]) == (403, "coupons")
    assert (await shop.get("/closings"))["total"] == 0
