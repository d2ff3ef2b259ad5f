"""Search of orders."""

import re
from datetime import datetime
from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.orders.queries import PER_PAGE
from comanda.orders.records import ORDER_COLUMNS, to_order_summary
from comanda.text_search import FOLDED, escape_like, fold

# Shorter sequences of digits are part of most phone numbers.
MIN_PHONE_DIGITS = 4

FROM_MATCHING_ORDERS = f"""
    FROM core_order o
    WHERE o.store_id = $1 AND o.owner_id = $2 AND o.created_at >= $3 AND o.created_at < $4
      AND ($5::text IS NULL OR o.status = $5)
      AND ($6::text IS NULL OR {FOLDED.format("o.customer_name")} LIKE $6
           OR o.number = $7::bigint OR o.id = $7::bigint
           OR regexp_replace(o.phone, '[^0-9]', '', 'g') LIKE $8::text)
"""
COUNT_ORDERS = f"SELECT count(*) {FROM_MATCHING_ORDERS}"
SELECT_ORDERS = f"SELECT {ORDER_COLUMNS} {FROM_MATCHING_ORDERS} ORDER BY o.id DESC LIMIT $9 OFFSET $10"


async def search_orders(
    caller: Caller,
    store_id: int,
    since: datetime,
    before: datetime,
    status: str | None,
    search: str | None,
    page: PageRequest,
) -> dict[str, Any]:
    """Return a page of the orders placed between two moments, newest first.

    The caller has checked the ownership of the store. ``search`` None matches every order.
    """
    sought: tuple[object, ...] = (None, None, None) if search is None else _parse_search(search)
    values = (store_id, caller.owner_id, since, before, status, *sought)
    total = await sql.fetch_value(COUNT_ORDERS, *values)
    rows = await sql.fetch(SELECT_ORDERS, *values, page.size(PER_PAGE), page.offset(PER_PAGE))
    return page.envelope([to_order_summary(row) for row in rows], total, PER_PAGE)


def _parse_search(search: str) -> tuple[str, int | None, str | None]:
    """Return a search as a pattern for names, a number or id, and a pattern for the digits of phone numbers."""
    number = search.removeprefix("#")
    digits = re.sub("[^0-9]", "", search).lstrip("0") if re.fullmatch(r"[0-9\s()+./-]+", search) else ""
    return (
        f"%{escape_like(fold(search))}%",
        int(number) if re.fullmatch("[0-9]{1,15}", number) else None,
        f"%{digits}%" if len(digits) >= MIN_PHONE_DIGITS else None,
    )
