"""The link from the tracking page of an order to the form that withdraws from it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import Record, Section
from comanda.platform.db import sql
from comanda.web import gettext as _
from pydantic import BaseModel

from comanda_legal.services import guest_withdrawals
from comanda_legal.store_settings import WITHDRAW_LABEL

SELECT_ORDERS: Final = """
    SELECT id, store_id, track_token FROM core_order_v1
    WHERE owner_id = $1 AND id = ANY($2::bigint[]) AND status <> 'cancelled'
"""


class WithdrawalLinks(BaseModel):
    """Links of the tracking page, as labels with paths, in the language of the page."""

    withdrawal_links: list[tuple[str, str]] = []


async def load_links(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return the links of orders whose stores offer the withdrawal, by the order's id."""
    return {
        row["id"]: {
            "withdrawal_links": [(_(WITHDRAW_LABEL), guest_withdrawals.ORDER_PATH.format(token=row["track_token"]))]
        }
        for row in await sql.fetch(SELECT_ORDERS, owner_id, list(order_ids))
        if await guest_withdrawals.is_offered(owner_id, row["store_id"])
    }


SECTION: Final = Section("legal_tracking", Record.TRACKING_PAGE, WithdrawalLinks, load_links)
