"""The payments of the demo's past orders."""

from typing import Final

from comanda.contracts import Showcase
from comanda.operations.demo_data import HISTORY_SOURCE, fill_once
from comanda.platform.db import sql

from comanda_payments.models import TenderStatus
from comanda_payments.payment_methods import CARD, CASH

INSERT_PAYMENTS: Final = f"""
    INSERT INTO payments_payment
        (owner_id, store_id, order_id, method, status, amount_minor, actor, created_at, finished_at)
    SELECT o.owner_id, o.store_id, o.id, CASE WHEN o.id % 3 = 0 THEN '{CASH}' ELSE '{CARD}' END,
        '{TenderStatus.SUCCEEDED.value}', o.paid_minor, '{HISTORY_SOURCE}', o.paid_at, o.paid_at
    FROM core_order_v1 o
    WHERE o.owner_id = $1 AND o.store_id = ANY($2::bigint[]) AND o.source = '{HISTORY_SOURCE}' AND o.paid_minor > 0
"""


async def create_payments(showcase: Showcase) -> None:
    """Insert the payment of each past order once: two of three by card."""
    owner_id, store_ids = showcase.owners["owner"], [store["id"] for store in showcase.stores]
    await fill_once("history_payments", lambda: sql.execute(INSERT_PAYMENTS, owner_id, store_ids))
