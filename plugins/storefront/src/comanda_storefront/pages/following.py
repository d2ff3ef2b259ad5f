"""What is told to those who follow an order, and what tells that it has moved."""

from collections.abc import Mapping
from typing import Final

from comanda.db import sql
from comanda.errors import NotFound
from comanda.http.live_updates import LiveMessage, Watch
from quart import render_template

from comanda_storefront.pages import tracked

# Where a driver is changes without the order, so the page of one that is brought is drawn anew now and then.
STATES: Final = """
    SELECT o.track_hash, o.updated_at, o.status, o.delivery_status, o.payment_status,
           CASE WHEN o.delivery_status IN ('picked_up', 'out_for_delivery')
                THEN floor(extract(epoch FROM clock_timestamp()) / 15) END AS tick
    FROM core_order o WHERE o.track_hash = ANY($1::bytea[])
"""
STATE: Final = ("updated_at", "status", "delivery_status", "payment_status", "tick")


async def _states(track_hashes: list[bytes]) -> Mapping[bytes, object]:
    rows = await sql.fetch(STATES, track_hashes)
    return {row["track_hash"]: tuple(row[name] for name in STATE) for row in rows}


watch: Final = Watch("tracking", _states)


async def progress(token: str) -> LiveMessage:
    """Tell the part of an order's page that changes, as ``html``, and whether it ``is_finished``; in an app context."""
    try:
        view = await tracked.order_view(token)
    except NotFound:
        return LiveMessage("progress", {"html": "", "is_finished": True}, is_last=True)
    html = await render_template("storefront/_progress.html", **view)
    is_finished = view["is_finished"]
    return LiveMessage("progress", {"html": html, "is_finished": is_finished}, is_last=is_finished)
