"""Reading of customers, with their accounts, subscriptions and wallets."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import PageRequest, RecordPage
from comanda.platform.db import sql
from comanda_wallet import api as wallet

from comanda_reseller.models import CollectionMethod
from comanda_reseller.records.accounts import Customer, CustomerStatus
from comanda_reseller.schemas.customers import CustomerQuery
from comanda_reseller.services.subscriptions import subscription_rows

COLUMNS: Final = """
    o.id, o.name, o.email, o.is_suspended, c.collection_method, c.language, c.legal_name, c.address, c.tax_number,
    c.created_at, c.invited_at, c.accepted_at, o.suspended_at, o.suspend_reason
"""
SOURCE: Final = """
    FROM reseller_customer c JOIN core_owner_v1 o ON o.id = c.customer_owner_id WHERE c.owner_id = $1
"""
MATCHES: Final = """
    AND ($2::boolean IS NULL OR o.is_suspended = $2)
    AND ($3::text IS NULL OR strpos(lower(o.name), $3) > 0 OR strpos(o.email, $3) > 0)
"""
SELECT_PAGE: Final = f"SELECT {COLUMNS} {SOURCE} {MATCHES} ORDER BY c.id DESC LIMIT $4 OFFSET $5"
COUNT: Final = f"SELECT count(*) {SOURCE} {MATCHES}"
SELECT_ONE: Final = f"SELECT {COLUMNS} {SOURCE} AND c.customer_owner_id = $2"
COUNT_STORES: Final = """
    SELECT owner_id, count(*)::int AS stores FROM core_store_v1 WHERE owner_id = ANY($1::bigint[]) GROUP BY owner_id
"""


async def list_page(owner_id: int, query: CustomerQuery, page: PageRequest) -> RecordPage[Customer]:
    """Return a page of a reseller's customers, newest first."""
    is_suspended = None if query.status is None else query.status is CustomerStatus.SUSPENDED
    search = query.search.strip().casefold() if query.search else None
    rows = await sql.fetch(SELECT_PAGE, owner_id, is_suspended, search, page.size(), page.offset())
    total = await sql.fetch_value(COUNT, owner_id, is_suspended, search)
    return page.of(await _to_customers(owner_id, rows), total)


async def get_customer(owner_id: int, customer_id: int) -> Customer:
    """Return a customer of a reseller. Raises ``NotFound``."""
    row = await sql.require_one(SELECT_ONE, owner_id, customer_id)
    return (await _to_customers(owner_id, [row]))[0]


async def _to_customers(owner_id: int, rows: Sequence[sql.Row]) -> list[Customer]:
    ids = [row["id"] for row in rows]
    stores = {row["owner_id"]: row["stores"] for row in await sql.fetch(COUNT_STORES, ids)}
    subscriptions = {found.customer_id: found for found in await subscription_rows.list_latest(owner_id, ids)}
    customers = []
    for row in rows:
        balance = (await wallet.get_wallet(row["id"])).balance
        subscription = subscriptions.get(row["id"])
        customers.append(
            sql.to_record(
                Customer,
                row,
                status=CustomerStatus.SUSPENDED if row["is_suspended"] else CustomerStatus.ACTIVE,
                stores_count=stores.get(row["id"], 0),
                plan=None if subscription is None else subscription.plan_code,
                subscription_status=None if subscription is None else subscription.status,
                balance=balance,
                currency=balance.currency,
                collection_method=CollectionMethod(row["collection_method"]),
            )
        )
    return customers
