"""Reading of subscriptions, with the names of their plans and customers."""

from collections.abc import Sequence
from typing import Final

from comanda.basics import Money
from comanda.contracts import PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_reseller.models import Interval, SubscriptionStatus
from comanda_reseller.records.subscriptions import Subscription, SubscriptionChange
from comanda_reseller.schemas.subscriptions import SubscriptionQuery

COLUMNS: Final = """
    s.id, s.customer_owner_id, o.name AS customer_name, p.code AS plan_code, p.name AS plan_name,
    n.code AS pending_plan_code, s.status, s.price_minor, s.currency, s.interval, s.current_period_start,
    s.current_period_end, s.trial_ends_at, s.cancelled_at, s.paused_at, s.past_due_at, s.open_invoice_id,
    s.activated_at, s.ended_at, s.created_at
"""
SOURCE: Final = """
    FROM reseller_subscription s JOIN reseller_plan p ON p.id = s.plan_id AND p.owner_id = s.owner_id
    JOIN core_owner_v1 o ON o.id = s.customer_owner_id
    LEFT JOIN reseller_plan n ON n.id = s.pending_plan_id AND n.owner_id = s.owner_id
    WHERE s.owner_id = $1
"""
MATCHES: Final = """
    AND ($2::text IS NULL OR s.status = $2) AND ($3::bigint IS NULL OR s.customer_owner_id = $3)
    AND ($4::text IS NULL OR p.code = $4)
"""
SELECT_PAGE: Final = f"SELECT {COLUMNS} {SOURCE} {MATCHES} ORDER BY s.id DESC LIMIT $5 OFFSET $6"
COUNT: Final = f"SELECT count(*) {SOURCE} {MATCHES}"
SELECT_ONE: Final = f"SELECT {COLUMNS} {SOURCE} AND s.id = $2"
SELECT_LATEST: Final = f"""
    SELECT DISTINCT ON (s.customer_owner_id) {COLUMNS} {SOURCE} AND s.customer_owner_id = ANY($2::bigint[])
    ORDER BY s.customer_owner_id, s.id DESC
"""
SELECT_CHANGES: Final = """
    SELECT c.action, c.status, c.previous_status, p.code AS plan_code, c.invoice_id, c.occurred_at
    FROM reseller_change c JOIN reseller_plan p ON p.id = c.plan_id AND p.owner_id = c.owner_id
    WHERE c.owner_id = $1 AND c.subscription_id = $2 ORDER BY c.version
"""


async def list_page(owner_id: int, query: SubscriptionQuery, page: PageRequest) -> RecordPage[Subscription]:
    """Return a page of a reseller's subscriptions, newest first."""
    wanted = (query.status, query.customer_id, query.plan_code)
    rows = await sql.fetch(SELECT_PAGE, owner_id, *wanted, page.size(), page.offset())
    return page.of([_to_subscription(row) for row in rows], await sql.fetch_value(COUNT, owner_id, *wanted))


async def get_subscription(owner_id: int, subscription_id: int) -> Subscription:
    """Return a subscription of a reseller. Raises ``NotFound``."""
    row = await sql.require_one(SELECT_ONE, owner_id, subscription_id)
    return _to_subscription(row)


async def list_latest(owner_id: int, customer_ids: Sequence[int]) -> list[Subscription]:
    """Return the latest subscription of each of some customers that has one."""
    rows = await sql.fetch(SELECT_LATEST, owner_id, list(customer_ids))
    return [_to_subscription(row) for row in rows]


async def list_changes(owner_id: int, subscription_id: int) -> list[SubscriptionChange]:
    """Return the changes of a subscription, oldest first."""
    return [
        SubscriptionChange(
            action=row["action"],
            status=SubscriptionStatus(row["status"]),
            previous_status=None if row["previous_status"] is None else SubscriptionStatus(row["previous_status"]),
            plan_code=row["plan_code"],
            invoice_id=row["invoice_id"],
            at=row["occurred_at"],
        )
        for row in await sql.fetch(SELECT_CHANGES, owner_id, subscription_id)
    ]


def _to_subscription(row: sql.Row) -> Subscription:
    status = SubscriptionStatus(row["status"])
    return sql.to_record(
        Subscription,
        row,
        customer_id=row["customer_owner_id"],
        status=status,
        price=Money(row["price_minor"], row["currency"]),
        interval=Interval(row["interval"]),
        cancel_at_period_end=status is SubscriptionStatus.CANCELLED,
    )
