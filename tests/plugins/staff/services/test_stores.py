"""Stores that staff can log in to."""

from comanda.platform.db import sql


async def test_store_of_suspended_owner_returns_404(waiter, owner):
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert ((await waiter.log_in()).status, (await waiter.log_in_by_pin(pin="1234")).status) == (404, 404)
    held = await waiter.send("GET", "/me")
    assert (held.status, held["reason"]) == (403, "account_suspended")


async def test_unknown_store_returns_404(waiter):
    waiter.store.id = 987_654_321

    assert ((await waiter.log_in()).status, (await waiter.log_in_by_pin(pin="1234")).status) == (404, 404)
