"""The intake of an order of HubRise: placed with its prices there, or rejected with a reason; nothing in between."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from comanda.platform.db import sql
from comanda_foreign_orders.api import ForeignId, LinkState, take_order

from comanda_hubrise.participant import CHANNEL
from comanda_hubrise.records import KnownConnection, KnownLink
from comanda_hubrise.services.documents.orders import get_status, get_summary, parse_order

# The statuses of an order that nobody has taken yet.
OPEN_STATUSES: Final = frozenset({"new", "received"})

SAVE_SUMMARY: Final = """
    UPDATE hubrise_order SET channel = nullif($3, ''), ref = nullif($4, ''), total = nullif($5, ''), seen_status = $6
    WHERE owner_id = $1 AND id = $2
"""
DECIDE: Final = f"""
    UPDATE hubrise_order SET state = $3, reason = $4
    WHERE owner_id = $1 AND id = $2 AND state = '{LinkState.WAITING}'
"""


async def decide(connection: KnownConnection, link: KnownLink, document: Mapping[str, Any]) -> None:
    """Place an order that nobody has taken yet, or reject it; one that somebody has taken is ignored.

    Raises what another attempt may not raise, such as the failure of a plugin.
    """
    status = get_status(document)
    await sql.execute(SAVE_SUMMARY, link.owner_id, link.id, *get_summary(document), status)
    if status not in OPEN_STATUSES:
        await _save(link, LinkState.IGNORED, f"HubRise had it as {status or 'unknown'} already.")
        return
    foreign = ForeignId(link.owner_id, link.store_id, link.id, link.hubrise_id)
    refusal = await take_order(CHANNEL, foreign, partial(parse_order, document, cash_refs=connection.cash_refs))
    if refusal is not None:
        await _save(link, LinkState.REJECTED, refusal)


async def _save(link: KnownLink, state: LinkState, reason: str) -> None:
    await sql.execute(DECIDE, link.owner_id, link.id, state, reason)
