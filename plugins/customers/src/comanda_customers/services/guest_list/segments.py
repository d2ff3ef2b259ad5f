"""Guest segments, computed at query time so that they are never stale.

A guest is in the first segment that matches, or in none. Days are business days in the store's time zone. Absence is
checked first, since a good guest who stays away is the one to contact, then spending, frequency and newness.
"""

from enum import StrEnum


class Segment(StrEnum):
    """A group of guests, by recency, spending and frequency."""

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
REGULAR_DAYS = 90  # for the last three orders
NEW_DAYS = 30

# The lowest total among the top-spending tenth of guests; with fewer than ten guests, the highest total. The counts say
# in which range of totals it is, so that only guests of this range are read.
VIP_THRESHOLD = """spending AS (
    SELECT spending_range, sum(guests) AS guests FROM customers_guest_count
    WHERE store_id = $1 AND owner_id = $2 GROUP BY spending_range),
ranked AS (
    SELECT spending_range, sum(guests) OVER (ORDER BY spending_range DESC) AS last_place,
        sum(guests) OVER (ORDER BY spending_range DESC) - guests AS guests_above,
        greatest(ceil(sum(guests) OVER () / 10.0), 1) AS place
    FROM spending),
bar AS (
    SELECT total_spent_minor AS vip_minor FROM customers_guest
    WHERE store_id = $1 AND owner_id = $2 AND orders > 0
        AND total_spent_minor <= (
            SELECT customers_spending_limit(spending_range) FROM ranked
            WHERE guests_above < place AND place <= last_place)
    ORDER BY total_spent_minor DESC LIMIT 1
    OFFSET (
        SELECT (place - guests_above - 1)::bigint FROM ranked WHERE guests_above < place AND place <= last_place))"""

# For the guest ``g`` and the single row of ``bar``; $3 is the store's business day.
SEGMENT_CASE = f"""CASE
    WHEN $3::date - g.last_visit_on > {LAPSED_DAYS} THEN '{Segment.LAPSED}'
    WHEN $3::date - g.last_visit_on >= {AT_RISK_DAYS} THEN '{Segment.AT_RISK}'
    WHEN g.orders >= {MIN_VIP_ORDERS} AND g.total_spent_minor >= greatest(bar.vip_minor, 1) THEN '{Segment.VIP}'
    WHEN $3::date - g.third_last_on < {REGULAR_DAYS} THEN '{Segment.REGULAR}'
    WHEN $3::date - g.first_visit_on <= {NEW_DAYS} THEN '{Segment.NEW}'
    END"""
