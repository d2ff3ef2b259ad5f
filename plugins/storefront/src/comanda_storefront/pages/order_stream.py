"""The event stream of an order's page, and the detection of changes."""

from collections.abc import Mapping
from typing import Final

from comanda.basics import NotFound
from comanda.orders import TrackKey
from comanda.platform.db import sql
from comanda.platform.http import LiveMessage, Watch
from quart import render_template

from comanda_storefront.pages import order_tracking

# The driver's location changes without the order, so the page of an order on its way is refreshed periodically.
SELECT_ORDER_STATES: Final = """
    SELECT o.owner_id, o.track_hash, o.updated_at, o.status, o.delivery_status, o.payment_status,
           CASE WHEN o.delivery_status IN ('picked_up', 'out_for_delivery')
                THEN floor(extract(epoch FROM clock_timestamp()) / 15) END AS tick
    FROM unnest($1::bigint[], $2::bytea[]) AS watched (owner_id, track_hash)
    JOIN core_order_v1 o ON o.owner_id = watched.owner_id AND o.track_hash = watched.track_hash
"""
STATE_FIELDS: Final = ("updated_at", "status", "delivery_status", "payment_status", "tick")


async def _get_states(keys: list[TrackKey]) -> Mapping[TrackKey, object]:
    rows = await sql.fetch(SELECT_ORDER_STATES, [key.owner_id for key in keys], [key.track_hash for key in keys])
    return {TrackKey(row["owner_id"], row["track_hash"]): tuple(row[name] for name in STATE_FIELDS) for row in rows}


watch: Final = Watch("tracking", _get_states)


async def get_progress_message(token: str, _state: object) -> LiveMessage:
    """Return the changing part of an order's page as ``html``, and ``is_finished``. Needs an app context."""
    try:
        view = await order_tracking.get_order_view(token)
    except NotFound:
        return LiveMessage("progress", {"html": "", "is_finished": True}, is_last=True)
    html = await render_template("storefront/_progress.html", **view)
    is_finished = view["is_finished"]
    return LiveMessage("progress", {"html": html, "is_finished": is_finished}, is_last=is_finished)
