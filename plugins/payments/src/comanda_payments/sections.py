"""The payment URL in the public record of an order."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import OrderState, Record, Section, Status
from comanda.orders import AMOUNT_DUE
from comanda.platform.db import sql
from pydantic import BaseModel

from comanda_payments.services import available_methods
from comanda_payments.services.payment_links import get_payment_url

SELECT_PAYABLE_ORDERS: Final = f"""
    SELECT o.id, o.track_token FROM core_order_v1 o
    WHERE o.owner_id = $1 AND o.id = ANY($2::bigint[]) AND {AMOUNT_DUE} > 0
"""


class Payable(BaseModel):
    """``pay_url`` is the payment page for anyone with the track token; absent if there is nothing to pay."""

    pay_url: str | None = None


def _is_payable(order: OrderState) -> bool:
    return order.status is not Status.CANCELLED and bool(available_methods.list_online_methods())


async def _load_payment_urls(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    rows = await sql.fetch(SELECT_PAYABLE_ORDERS, owner_id, list(order_ids))
    return {row["id"]: {"pay_url": get_payment_url(row["track_token"])} for row in rows}


PAY_URL_SECTION: Final = Section("payments_pay_url", Record.TRACKING, Payable, _load_payment_urls, _is_payable)
