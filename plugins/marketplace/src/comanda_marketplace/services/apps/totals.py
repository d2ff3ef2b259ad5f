"""What a developer may know of an app's installations: numbers only."""

from typing import Final

from comanda.basics import Money
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda_oauth import api as oauth

from comanda_marketplace.models import App
from comanda_marketplace.records import AppTotals
from comanda_marketplace.services.apps.app_rows import get_own_row

# The installations of an app belong to its users.
SELECT_TOTALS: Final = """
    SELECT count(*) FILTER (WHERE uninstalled_at IS NULL) AS active,
        count(uninstalled_at) AS uninstalled,
        count(*) FILTER (WHERE billing_status IN ('past_due', 'lapsed')) AS past_due
    FROM marketplace_installation WHERE app_id = $1
"""
SELECT_ANY: Final = "SELECT 1 FROM marketplace_installation WHERE app_id = $1 LIMIT 1"
SUM_USAGE: Final = """
    SELECT coalesce(sum(amount_minor), 0)::bigint FROM marketplace_usage WHERE app_id = $1 AND currency = $2
"""
SUM_CHARGES: Final = """
    SELECT coalesce(sum(amount_minor), 0)::bigint FROM marketplace_charge WHERE app_id = $1 AND currency = $2
"""


async def get_totals(caller: Caller, app_id: int) -> AppTotals:
    """Return the totals of a developer's app in its present currency. Raises ``NotFound``."""
    row = await get_own_row(caller.owner_id, app_id)
    counted = await sql.one(SELECT_TOTALS, app_id)
    usage = await sql.fetch_value(SUM_USAGE, app_id, row.currency)
    charged = await sql.fetch_value(SUM_CHARGES, app_id, row.currency)
    return AppTotals(
        counted["active"],
        counted["uninstalled"],
        counted["past_due"],
        Money(usage, row.currency),
        Money(charged, row.currency),
    )


async def was_installed(app: App) -> bool:
    """Return whether anyone has ever installed an app."""
    if await sql.fetch_one(SELECT_ANY, app.id) is not None:
        return True
    return await oauth.count_installations(app.client_row_id) > 0
