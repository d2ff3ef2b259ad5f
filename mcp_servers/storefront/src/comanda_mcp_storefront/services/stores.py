"""The store of a token and its public menu."""

from comanda.basics import require_found
from comanda.contracts import Caller, ToolCall, Vertical
from comanda.menu import MenuSnapshot, PriceChannel, get_at_prices, public_view
from comanda.orders import hash_track_token
from comanda.platform import runtime
from comanda.platform.db import sql

from comanda_mcp_storefront.schemas import Mode

SELECT_TRACKED_ORDER = "SELECT 1 FROM core_order_v1 WHERE track_hash = $1 AND owner_id = $2 AND store_id = $3"


def get_store_id(call: ToolCall) -> int:
    """Return the id of the token's store. Raises ``NotFound`` for a token without one."""
    return require_found(call.known_caller.store_id)


async def load_menu(call: ToolCall, mode: str | None = None) -> MenuSnapshot:
    """Return the current menu of the token's store, at the prices of a mode for agents.

    Raises ``NotFound`` while the store is not published.
    """
    return await get_at_prices(await public_view.get_public_menu(get_store_id(call)), mode, PriceChannel.AGENT)


def list_guest_modes(vertical: Vertical | None) -> list[Mode]:
    """List the fulfillment modes that a storefront offers to guests."""
    declared = runtime.registry().fulfillment_modes
    offered = [declared[code] for code in vertical.fulfillment_modes] if vertical else []
    return [
        Mode(code=mode.code, label=mode.label, required_fields=[name for name, _ in mode.required_fields])
        for mode in offered
        if mode.is_for_guests
    ]


async def is_order_of_store(caller: Caller, store_id: int, track_token: str) -> bool:
    """Return whether a track token belongs to an order of the store."""
    digest = hash_track_token(track_token)
    return await sql.fetch_value(SELECT_TRACKED_ORDER, digest, caller.owner_id, store_id) is not None
