"""Path parameters and bodies of the routes of closings, for the tests of all routes."""

from datetime import date, timedelta

from comanda.platform.db import sql

LAST_DAY = "SELECT closed_to FROM closings_store WHERE store_id = $1 AND owner_id = $2"
# Days that are closed for tests of all routes; none of the stores had orders then.
LONG_AGO = date(2001, 1, 1)


async def build_closing_body(workshop, store_id, *_):
    closed_to = await sql.fetch_value(LAST_DAY, store_id, workshop.owner.id)
    await sql.execute(
        """INSERT INTO core_store_setting (owner_id, store_id, plugin, values, updated_at)
           VALUES ($1, $2, 'closings', '{"allows_open_checks": true, "allows_open_drawers": true}', now())
           ON CONFLICT (owner_id, store_id, plugin) DO UPDATE SET values = excluded.values""",
        workshop.owner.id,
        store_id,
    )
    return {"day": ((closed_to or LONG_AGO) + timedelta(days=1)).isoformat()}


async def create_closing(workshop, store_id):
    body = await build_closing_body(workshop, store_id)
    return await workshop.post(f"/restaurants/{store_id}/closings", body)


async def create_own_closing(workshop):
    return await create_closing(workshop, workshop.home)


FACTORIES = {
    "/restaurants/{id}/closings/{closingId}": create_closing,
    "/staff/closings/{closingId}": create_own_closing,
}
BODIES = {"ClosingBody": build_closing_body}
