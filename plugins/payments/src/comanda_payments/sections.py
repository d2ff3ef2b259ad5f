"""What the public record of an order says of payments: where to pay, and that a refund is on its way."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from comanda.contracts import OrderState, Record, Section, Status
from comanda.orders import AMOUNT_DUE, AWAITS_PAYMENT, PAY_BY
from comanda.platform.db import sql
from pydantic import BaseModel

from comanda_payments.models import RefundStatus
from comanda_payments.services.bills import available_methods
from comanda_payments.services.providers.payment_links import get_payment_url

SELECT_PAYABLE_ORDERS: Final = f"""
    SELECT o.id, o.store_id, o.type, o.track_token,
        CASE WHEN {AWAITS_PAYMENT} THEN o.attributes ->> '{PAY_BY}' END AS pay_by
    FROM core_order_v1 o
    WHERE o.owner_id = $1 AND o.id = ANY($2::bigint[]) AND {AMOUNT_DUE} > 0
"""
SELECT_PENDING_REFUNDS: Final = f"""
    SELECT DISTINCT order_id FROM payments_refund
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) AND status = '{RefundStatus.PENDING}'
"""


class Payable(BaseModel):
    """``pay_url`` is the payment page for anyone with the track token; absent if there is nothing to pay online.

    ``pay_by`` is until when an order has to be paid that is not made before; absent for others.
    """

    pay_url: str | None = None
    pay_by: datetime | None = None


def _is_payable(order: OrderState) -> bool:
    return order.status is not Status.CANCELLED


async def _load_payment_urls(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    rows = await sql.fetch(SELECT_PAYABLE_ORDERS, owner_id, list(order_ids))
    online = {
        key: await available_methods.list_guest_methods(owner_id, *key)
        for key in {(row["store_id"], row["type"]) for row in rows}
    }
    return {row["id"]: _to_links(row) for row in rows if online[row["store_id"], row["type"]]}


def _to_links(row: sql.Row) -> Mapping[str, str]:
    pay_by = {"pay_by": row["pay_by"]} if row["pay_by"] else {}
    return {"pay_url": get_payment_url(row["store_id"], row["track_token"]), **pay_by}


class Refunding(BaseModel):
    """``refund_pending`` is true while a refund of a cancelled order is on its way; absent otherwise."""

    refund_pending: bool | None = None


def _is_cancelled(order: OrderState) -> bool:
    return order.status is Status.CANCELLED


async def _load_pending_refunds(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    rows = await sql.fetch(SELECT_PENDING_REFUNDS, owner_id, list(order_ids))
    return {row["order_id"]: {"refund_pending": True} for row in rows}


REFUND_SECTION: Final = Section(
    "payments_refund_pending", Record.TRACKING, Refunding, _load_pending_refunds, _is_cancelled
)
PAY_URL_SECTION: Final = Section("payments_pay_url", Record.TRACKING, Payable, _load_payment_urls, _is_payable)
