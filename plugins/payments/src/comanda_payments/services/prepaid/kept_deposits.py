"""Deposits that stores have kept, for plugins that add them up."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from comanda.platform.db import sql

from comanda_payments.models import PrepaymentStatus

SELECT_KEPT: Final = f"""
    SELECT q.id, q.owner_id, q.store_id, q.closed_at,
        CASE q.status WHEN '{PrepaymentStatus.KEPT}' THEN q.paid_minor - q.refunded_minor ELSE 0 END AS kept_minor
    FROM unnest($1::bigint[], $2::bigint[]) AS requested (id, owner_id)
    JOIN payments_prepayment q ON q.id = requested.id AND q.owner_id = requested.owner_id
    ORDER BY q.id
"""


@dataclass(frozen=True, slots=True)
class KeptDeposit:
    """What a store keeps of a deposit, 0 if it is not kept, or was lost in a dispute later."""

    id: int
    owner_id: int
    store_id: int
    closed_at: datetime | None
    kept_minor: int


async def list_kept_deposits(deposit_ids: Sequence[int], owner_ids: Sequence[int]) -> list[KeptDeposit]:
    """Return what stores keep of deposits, given as their ids and owners."""
    return [KeptDeposit(**dict(row)) for row in await sql.fetch(SELECT_KEPT, list(deposit_ids), list(owner_ids))]
