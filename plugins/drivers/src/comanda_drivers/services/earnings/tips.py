"""Tips that are paid with an order's payments, beside the tip of the order itself."""

from typing import Any, Final

from comanda.basics import to_minor
from comanda.platform.db import sql

UPSERT_TIP: Final = """
    INSERT INTO drivers_tip (order_id, owner_id, tip_minor)
    SELECT o.id, o.owner_id, $3 FROM core_order_v1 o
    WHERE o.id = $1 AND o.owner_id = $2 AND o.delivery_status IS NOT NULL
    ON CONFLICT (order_id, owner_id) DO UPDATE SET tip_minor = EXCLUDED.tip_minor
"""


async def record_tips(owner_id: int, data: Any) -> None:
    """Store the sum of the tips in the data of an ``order.paid`` event, if its order is a delivery."""
    tip_minor = sum(to_minor(payment["tip"], data["currency"]) for payment in data["payments"])
    if tip_minor:
        await sql.execute(UPSERT_TIP, data["order_id"], owner_id, tip_minor)
