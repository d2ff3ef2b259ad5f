"""What prepayments come to in the books, for plugins that add them up: money that is owed, and what it ends as."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from comanda.platform.db import sql

from comanda_payments.models import PrepaymentKind, PrepaymentStatus, RefundStatus, TenderStatus


class PrepaidEntryKind(StrEnum):
    """What an entry is of: money that is owed to a payer, or what the store has of a deposit without an order."""

    HELD = "held"
    KEPT = "kept"
    USED = "used"


# What was applied to an order is money of that order from then on, so it is held no longer. A deposit that was kept
# or used may be lost in a dispute later, and a refund of what was too much of it may be pending.
SELECT_ENTRIES: Final = f"""
    SELECT q.id AS prepayment_id, q.owner_id, q.store_id, q.kind AS of_kind, each.*
    FROM unnest($1::bigint[], $2::bigint[]) AS requested (id, owner_id)
    JOIN payments_prepayment q ON q.id = requested.id AND q.owner_id = requested.owner_id
    CROSS JOIN LATERAL (
        SELECT 'p' || p.id AS key, '{PrepaidEntryKind.HELD}' AS kind, p.method, p.amount_minor,
            p.finished_at AS moved_at
        FROM payments_payment p
        WHERE p.prepayment_id = q.id AND p.owner_id = q.owner_id AND p.status = '{TenderStatus.SUCCEEDED}'
        UNION ALL
        SELECT 'a' || p.id, '{PrepaidEntryKind.HELD}', p.method, -p.amount_minor, p.applied_at FROM payments_payment p
        WHERE p.prepayment_id = q.id AND p.owner_id = q.owner_id AND p.status = '{TenderStatus.SUCCEEDED}'
            AND p.order_id IS NOT NULL
        UNION ALL
        SELECT 'r' || r.id, '{PrepaidEntryKind.HELD}', p.method, -r.amount_minor, f.completed_at
        FROM payments_refund f
        JOIN payments_refund_part r ON r.refund_id = f.id AND r.owner_id = f.owner_id
        JOIN payments_payment p ON p.id = r.payment_id AND p.owner_id = r.owner_id
        WHERE f.prepayment_id = q.id AND f.owner_id = q.owner_id AND f.status = '{RefundStatus.COMPLETED}'
            AND r.status = '{RefundStatus.COMPLETED}'
        UNION ALL
        SELECT q.status, CASE q.status WHEN '{PrepaymentStatus.KEPT}' THEN '{PrepaidEntryKind.KEPT}'
                ELSE '{PrepaidEntryKind.USED}' END, NULL,
            q.paid_minor - q.refunded_minor - (SELECT coalesce(sum(f.amount_minor), 0)::bigint FROM payments_refund f
                WHERE f.prepayment_id = q.id AND f.owner_id = q.owner_id AND f.status = '{RefundStatus.PENDING}'),
            q.closed_at
        WHERE q.status IN ('{PrepaymentStatus.KEPT}', '{PrepaymentStatus.APPLIED}') AND q.order_id IS NULL
    ) AS each
    ORDER BY q.id, each.key
"""


@dataclass(frozen=True, slots=True)
class PrepaidEntry:
    """What a payment, a refund, or the end of a prepayment counts for. ``key`` identifies it within the prepayment.

    ``method`` is of money that is held; the amount of what went back, or onto an order, is below 0. Held money never
    changes; what is kept or used may.
    """

    prepayment_id: int
    owner_id: int
    store_id: int
    of_kind: PrepaymentKind
    key: str
    kind: PrepaidEntryKind
    method: str | None
    amount_minor: int
    moved_at: datetime


async def list_prepaid_entries(prepayment_ids: Sequence[int], owner_ids: Sequence[int]) -> list[PrepaidEntry]:
    """Return the entries of prepayments, given as their ids and owners."""
    rows = await sql.fetch(SELECT_ENTRIES, list(prepayment_ids), list(owner_ids))
    return [
        PrepaidEntry(**{**dict(row), "of_kind": PrepaymentKind(row["of_kind"]), "kind": PrepaidEntryKind(row["kind"])})
        for row in rows
    ]
