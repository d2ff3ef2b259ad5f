"""Segments of guests: worked out whenever they are read, so that they never go stale.

A guest is in the first of these that fits, or in none. Days are business days in the store's time zone. Silence comes
first, since a good guest who stays away is the one to write to; then worth, habit and novelty.
"""

from datetime import date, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo


class Segment(StrEnum):
    """What a store's owner tells guests apart by."""

    NEW = "new"
    REGULAR = "regular"
    VIP = "vip"
    AT_RISK = "at_risk"
    LAPSED = "lapsed"


SEGMENT_LABELS = {
    Segment.NEW: "New",
    Segment.REGULAR: "Regular",
    Segment.VIP: "VIP",
    Segment.AT_RISK: "At risk",
    Segment.LAPSED: "Lapsed",
}

AT_RISK_DAYS = 60
LAPSED_DAYS = 120
MIN_VIP_ORDERS = 5
REGULAR_DAYS = 90  # within which the third last order lies
NEW_DAYS = 30

# What the least of the tenth that spends most has spent; of fewer than ten guests, what the first one has.
VIP_THRESHOLD = """bar AS (
    SELECT total_spent_minor AS vip_minor FROM customers_guest
    WHERE store_id = $1 AND owner_id = $2 AND orders > 0 ORDER BY total_spent_minor DESC LIMIT 1
    OFFSET (SELECT greatest(ceil(count(*) / 10.0)::int, 1) - 1 FROM customers_guest
            WHERE store_id = $1 AND owner_id = $2 AND orders > 0))"""

# Of the guest g, beside the one row of ``bar``; $3 is the store's business day.
SEGMENT_CASE = f"""CASE
    WHEN $3::date - g.last_visit_on > {LAPSED_DAYS} THEN '{Segment.LAPSED}'
    WHEN $3::date - g.last_visit_on >= {AT_RISK_DAYS} THEN '{Segment.AT_RISK}'
    WHEN g.orders >= {MIN_VIP_ORDERS} AND g.total_spent_minor >= bar.vip_minor THEN '{Segment.VIP}'
    WHEN $3::date - g.third_last_on < {REGULAR_DAYS} THEN '{Segment.REGULAR}'
    WHEN $3::date - g.first_visit_on <= {NEW_DAYS} THEN '{Segment.NEW}'
    END"""


def get_business_day(moment: datetime, timezone: str, day_start_minutes: int) -> date:
    """Tell a store's business day: its local day, which starts at ``day_start_minutes``."""
    return (moment.astimezone(ZoneInfo(timezone)) - timedelta(minutes=day_start_minutes)).date()
