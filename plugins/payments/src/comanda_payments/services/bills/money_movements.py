"""The payments and refunds of orders, for plugins that add them up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import orjson
from comanda.platform.db import sql

from comanda_payments.models import RefundStatus, TenderStatus

SELECT_MOVEMENTS: Final = f"""
    SELECT 'p' || p.id AS key, p.order_id, p.owner_id, false AS is_refund, p.method, p.amount_minor, p.tip_minor,
        p.rounding_minor, p.actor, coalesce(p.applied_at, p.finished_at) AS moved_at, NULL::jsonb AS lines_by_rate
    FROM unnest($1::bigint[], $2::bigint[]) AS requested (order_id, owner_id)
    JOIN payments_payment p ON p.order_id = requested.order_id AND p.owner_id = requested.owner_id
    WHERE p.status = '{TenderStatus.SUCCEEDED}'
    UNION ALL
    SELECT 'r' || r.id, f.order_id, f.owner_id, true, coalesce(r.method, p.method), r.amount_minor, 0, 0, f.actor,
        f.completed_at,
        (SELECT jsonb_object_agg(each.tax_rate_ppm, each.amount_minor) FROM (
            SELECT l.tax_rate_ppm, sum(x.amount_minor)::bigint AS amount_minor
            FROM payments_refund_line x JOIN core_order_line_v1 l ON l.id = x.line_id AND l.owner_id = x.owner_id
            WHERE x.refund_id = f.id AND x.owner_id = f.owner_id GROUP BY l.tax_rate_ppm) AS each)
    FROM unnest($1::bigint[], $2::bigint[]) AS requested (order_id, owner_id)
    JOIN payments_refund f ON f.order_id = requested.order_id AND f.owner_id = requested.owner_id
    JOIN payments_refund_part r ON r.refund_id = f.id AND r.owner_id = f.owner_id
    JOIN payments_payment p ON p.id = r.payment_id AND p.owner_id = r.owner_id
    WHERE f.status = '{RefundStatus.COMPLETED}' AND r.status = '{RefundStatus.COMPLETED}'
    ORDER BY key
"""


@dataclass(frozen=True, slots=True)
class MoneyMovement:
    """A payment that succeeded, or the part of a completed refund that went back to one tender. It never changes.

    That of a prepayment moves when it is applied to the order. ``key`` identifies it among all of the owner.
    ``amount_minor`` is without tip and rounding. ``lines_by_rate`` has what the lines of the whole refund cost, by tax
    rate in parts per million; it is empty if only an amount was given.
    """

    key: str
    order_id: int
    owner_id: int
    is_refund: bool
    method: str
    amount_minor: int
    tip_minor: int
    rounding_minor: int
    actor: str
    moved_at: datetime
    lines_by_rate: Mapping[int, int] = field(default_factory=dict)


async def list_money_movements(order_ids: Sequence[int], owner_ids: Sequence[int]) -> dict[int, list[MoneyMovement]]:
    """Return the payments and refunds of orders by order, given as their ids and owners."""
    found: dict[int, list[MoneyMovement]] = {}
    for row in await sql.fetch(SELECT_MOVEMENTS, list(order_ids), list(owner_ids)):
        by_rate = {int(rate): amount for rate, amount in orjson.loads(row["lines_by_rate"] or "{}").items()}
        movement = MoneyMovement(**{**dict(row), "lines_by_rate": by_rate})
        found.setdefault(row["order_id"], []).append(movement)
    return found
