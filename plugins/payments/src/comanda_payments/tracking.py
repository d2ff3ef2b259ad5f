"""Where an order can be paid online, in what the public sees of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts.order_status import Status
from comanda.contracts.sections import Record, Section
from comanda.db import sql
from comanda.orders.balance import AMOUNT_DUE
from comanda.orders.records import Row
from pydantic import BaseModel

from comanda_payments import methods
from comanda_payments.links import pay_url

PAYABLE: Final = f"""
    SELECT o.id, o.track_token FROM core_order o
    WHERE o.owner_id = $1 AND o.id = ANY($2::bigint[]) AND {AMOUNT_DUE} > 0
"""


class Payable(BaseModel):
    """``pay_url`` is a page on which anybody who holds the track token pays; absent where there is nothing to pay."""

    pay_url: str | None = None


def _may_be(row: Row) -> bool:
    return row["status"] != Status.CANCELLED and bool(methods.online())


async def _load(owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    rows = await sql.fetch(PAYABLE, owner_id, list(order_ids))
    return {row["id"]: {"pay_url": pay_url(row["track_token"])} for row in rows}


PAY_URL: Final = Section("payments_pay_url", Record.TRACKING, Payable, _load, _may_be)
