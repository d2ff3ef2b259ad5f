"""Reseller stats: customers, recurring revenue, churn."""

from datetime import timedelta
from typing import Final

from comanda.basics import Money, clock, round_half_up
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_reseller.models import Interval
from comanda_reseller.records.accounts import ResellerStats
from comanda_reseller.services.resellers.accounts import require_account
from comanda_reseller.services.subscriptions.periods import MONTHS_PER_YEAR, scale_to_month

WINDOW: Final = timedelta(days=30)

SELECT_CUSTOMERS: Final = """
    SELECT count(*) AS customers, count(*) FILTER (WHERE o.is_suspended) AS suspended
    FROM reseller_customer c JOIN core_owner_v1 o ON o.id = c.customer_owner_id WHERE c.owner_id = $1
"""
# A cancelled subscription runs until its period ends, so it still counts if it was ever paid for.
SELECT_SUBSCRIPTIONS: Final = """
    SELECT count(*) FILTER (WHERE status = 'active' OR status = 'cancelled' AND activated_at IS NOT NULL) AS active,
        count(*) FILTER (WHERE status = 'trialing') AS trialing,
        count(*) FILTER (WHERE status = 'past_due') AS past_due,
        count(*) FILTER (WHERE activated_at > $2 AND activated_at <= $3) AS new_30d,
        count(*) FILTER (WHERE activated_at IS NOT NULL AND ended_at > $2 AND ended_at <= $3) AS churn_30d,
        count(*) FILTER (WHERE activated_at <= $2 AND (ended_at IS NULL OR ended_at > $2)) AS before_30d,
        count(*) FILTER (WHERE activated_at <= $2 AND ended_at > $2 AND ended_at <= $3) AS lost_30d
    FROM reseller_subscription WHERE owner_id = $1
"""
SELECT_PRICES: Final = """
    SELECT interval, sum(price_minor)::bigint AS price_minor FROM reseller_subscription
    WHERE owner_id = $1 AND currency = $2 AND activated_at IS NOT NULL
        AND status IN ('active', 'past_due', 'cancelled')
    GROUP BY interval
"""


async def get_stats(caller: Caller) -> ResellerStats:
    """Return the stats of the caller's account, in its currency. Raises ``Forbidden``."""
    account = await require_account(caller)
    now = clock.now()
    customers = await sql.one(SELECT_CUSTOMERS, caller.owner_id)
    counts = await sql.one(SELECT_SUBSCRIPTIONS, caller.owner_id, now - WINDOW, now)
    prices = await sql.fetch(SELECT_PRICES, caller.owner_id, account.currency)
    mrr_minor, arr_minor = compute_recurring_revenue({Interval(row["interval"]): row["price_minor"] for row in prices})
    return sql.to_record(
        ResellerStats,
        counts,
        customers=customers["customers"],
        suspended=customers["suspended"],
        mrr=Money(mrr_minor, account.currency),
        arr=Money(arr_minor, account.currency),
        currency=account.currency,
        churn_rate_ppm=_get_rate_ppm(counts["lost_30d"], counts["before_30d"]),
    )


def compute_recurring_revenue(prices_minor: dict[Interval, int]) -> tuple[int, int]:
    """Return MRR and ARR in minor units from price totals per billing interval, each rounded once."""
    scaled = [scale_to_month(price_minor, interval) for interval, price_minor in prices_minor.items()]
    common = 1
    for _, denominator in scaled:
        common *= denominator
    numerator = sum(part * (common // denominator) for part, denominator in scaled)
    return round_half_up(numerator, common), round_half_up(numerator * MONTHS_PER_YEAR, common)


def _get_rate_ppm(lost: int, before: int) -> int:
    # Percentages have four decimals everywhere.
    return round_half_up(lost * 1_000_000, before) if before else 0
