"""Tips that come with payments, beside those of orders: heard when an order is paid, before or after it arrives."""

from collections.abc import Sequence
from typing import Any, Final

from comanda.contracts.events import StoredEvent
from comanda.db import sql
from comanda.money import to_minor

# By its name, as the plugin that announces it need not be installed.
PAID: Final = "order.paid"
KEEP: Final = """
    INSERT INTO drivers_tip (order_id, owner_id, tip_minor)
    SELECT o.id, o.owner_id, $3 FROM core_order o WHERE o.id = $1 AND o.owner_id = $2 AND o.delivery_status IS NOT NULL
    ON CONFLICT (order_id, owner_id) DO UPDATE SET tip_minor = EXCLUDED.tip_minor
"""


async def hear(events: Sequence[StoredEvent]) -> None:
    """Note what tips were given with the payments of deliveries; a repeated event changes nothing."""
    for event in events:
        tip = _tip_minor(event.data)
        if tip:
            await sql.execute(KEEP, event.data["order_id"], event.owner_id, tip)


def _tip_minor(data: Any) -> int:
    return sum(to_minor(payment["tip"], data["currency"]) for payment in data["payments"])
