"""The order that a statement of withdrawal is of, if the sender proves that it is theirs."""

import re
from typing import Final

from comanda.basics import normalize_phone
from comanda.orders import Order
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.web import GuestStore

from comanda_legal.schemas import WithdrawalForm

NUMBER: Final = re.compile(r"[0-9]+", re.ASCII)
MAX_NUMBER: Final = 2**31 - 1
# Numbers begin anew each day, and strangers decide how often this is asked: older orders are for the store to find.
MAX_ORDERS: Final = 20_000
SELECT_ORDERS: Final = f"""
    SELECT id, phone, customer_id FROM (
        SELECT id, number, phone, customer_id FROM core_order_v1
        WHERE store_id = $1 AND owner_id = $2 ORDER BY id DESC LIMIT {MAX_ORDERS}) AS recent
    WHERE number = $3 ORDER BY id DESC
"""
# Requires the plugin customers.
SELECT_CUSTOMERS: Final = """
    SELECT id FROM customers_customer_v1
    WHERE owner_id = $1 AND store_id = $2 AND id = ANY($3::bigint[]) AND lower(email) = lower($4)
"""


async def find_order(store: GuestStore, stated: WithdrawalForm, order: Order | None) -> int | None:
    """Return the id of the order with the stated number that is certainly the sender's, or None.

    It is ``order``, whose page the sender came from, or the newest one with the same phone number or the e-mail address
    of its customer.
    """
    number = _parse_number(stated.contract)
    if number is None:
        return None
    if order is not None and order.number == number:
        return order.id
    rows = await sql.fetch(SELECT_ORDERS, store.id, store.owner_id, number)
    customer_ids = await _find_customers(store, stated.email, [row["customer_id"] for row in rows])
    phone = normalize_phone(stated.phone, store.country) if stated.phone else None
    for row in rows:
        has_phone = phone is not None and row["phone"] and normalize_phone(row["phone"], store.country) == phone
        if has_phone or row["customer_id"] in customer_ids:
            return int(row["id"])
    return None


async def _find_customers(store: GuestStore, email: str, ids: list[int | None]) -> set[int]:
    known = [id for id in ids if id is not None]
    if not known or all(plugin.name != "customers" for plugin in runtime.registry().plugins):
        return set()
    return {row["id"] for row in await sql.fetch(SELECT_CUSTOMERS, store.owner_id, store.id, known, email)}


def _parse_number(contract: str) -> int | None:
    """Return the one number in a text such as ``#42``, or None."""
    found = NUMBER.findall(contract)
    number = int(found[0]) if len(found) == 1 and len(found[0]) <= len(str(MAX_NUMBER)) else None
    return number if number is not None and number <= MAX_NUMBER else None
