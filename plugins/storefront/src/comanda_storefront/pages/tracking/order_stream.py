"""The event stream of an order's page."""

from typing import Final

from comanda.basics import NotFound
from comanda.platform.http import LiveMessage, Watch
from quart import render_template

from comanda_storefront.pages.tracking import order_tracking
from comanda_storefront.services import order_changes

watch: Final = Watch("tracking", order_changes.get_order_states)


async def get_progress_message(token: str, _state: object) -> LiveMessage:
    """Return the changing part of an order's page as ``html``, and ``is_finished``. Needs an app context."""
    try:
        view = await order_tracking.get_order_view(token)
    except NotFound:
        return LiveMessage("progress", {"html": "", "is_finished": True}, is_last=True)
    html = await render_template("storefront/_progress.html", **view)
    is_finished = view["is_finished"]
    return LiveMessage("progress", {"html": html, "is_finished": is_finished}, is_last=is_finished)
