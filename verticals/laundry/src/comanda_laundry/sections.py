"""What the tracking page of an order says of its garments."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import OrderState, Record, Section, Status
from comanda.platform.db import sql
from comanda.web import format_day
from comanda.web import gettext as _
from pydantic import BaseModel

from comanda_laundry.models import GarmentState
from comanda_laundry.pages.dashboard import STATE_LABELS

MODES: Final = frozenset({"pickup_slot", "appointment", "in_store", "delivery"})

SELECT_FACTS: Final = """
    SELECT o.order_id, o.ready_on, g.name, g.state, count(g.id) AS pieces,
        array_agg(g.tag ORDER BY g.tag) FILTER (WHERE g.id IS NOT NULL) AS tags
    FROM laundry_order o LEFT JOIN laundry_garment g ON g.order_id = o.order_id AND g.owner_id = o.owner_id
    WHERE o.owner_id = $1 AND o.order_id = ANY($2::bigint[])
    GROUP BY o.order_id, o.ready_on, g.name, g.state ORDER BY o.order_id, min(g.tag)
"""


class LaundryFacts(BaseModel):
    """The promised day and the garments of an order, as labels with texts in the language of the page."""

    laundry_facts: list[tuple[str, str]] = []
    has_promised_day: bool = False


async def load_facts(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return the promised day and the garments of orders by the order's id."""
    found: dict[int, list[tuple[str, str]]] = {}
    for row in await sql.fetch(SELECT_FACTS, owner_id, list(order_ids)):
        facts = found.setdefault(row["order_id"], [(_("Ready on"), format_day(row["ready_on"]))])
        if row["pieces"]:
            state = _(STATE_LABELS[GarmentState(row["state"])][0])
            facts.append((row["name"], f"{state}: {', '.join(f'#{tag}' for tag in row['tags'])}"))
    return {order_id: {"laundry_facts": facts, "has_promised_day": True} for order_id, facts in found.items()}


def may_be_cleaned(order: OrderState) -> bool:
    """Return whether an order may be one of a laundry."""
    return order.type in MODES and order.status is not Status.CANCELLED


SECTIONS: Final = (Section("laundry_tracking", Record.TRACKING_PAGE, LaundryFacts, load_facts, may_be_cleaned),)
