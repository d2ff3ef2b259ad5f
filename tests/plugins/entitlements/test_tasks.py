"""Old counts are deleted; expiry is tested with the sources."""

from datetime import UTC, date, datetime

from comanda.platform.db import sql

MOMENT = datetime(2030, 1, 15, tzinfo=UTC)


async def test_counts_of_old_months_are_deleted(owner, clock, run_task):
    for month in (date(2028, 11, 1), date(2029, 12, 1)):
        insert = "INSERT INTO entitlements_monthly_orders (owner_id, month, orders) VALUES ($1, $2, 7)"
        await sql.execute(insert, owner.id, month)
    clock.set(MOMENT)

    await run_task("entitlements_prune")

    rows = await sql.fetch("SELECT month FROM entitlements_monthly_orders WHERE owner_id = $1", owner.id)
    assert [row["month"] for row in rows] == [date(2029, 12, 1)]
