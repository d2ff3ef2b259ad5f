"""What happens after the fact: gifts become occasions, and occasions are told of before they come round."""

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from comanda import clock
from comanda.db import sql
from comanda.events.outbox import publish
from comanda.events.types import StoredEvent

from comanda_florist import settings, shops
from comanda_florist.calendar import DAY, comes_round, reminded_at
from comanda_florist.events import OccasionNear
from datetime import date

LAST_YEAR = "Gift last year"
CHUNK = 100

# An event may come twice, and the gift that it tells of is remembered once.
REMEMBER = """
    INSERT INTO florist_occasion (owner_id, store_id, recipient_name, what, month, day, remind_days_before, remind_at,
        order_id, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (order_id, owner_id) DO NOTHING
"""
DUE = f"""
    SELECT o.id, o.owner_id, o.store_id, o.recipient_name, o.what, o.month, o.day, o.remind_days_before, o.remind_at,
        s.timezone
    FROM florist_occasion o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE o.remind_at <= $1 ORDER BY o.remind_at LIMIT {CHUNK} FOR UPDATE OF o SKIP LOCKED
"""
NEXT = "UPDATE florist_occasion SET remind_at = $3 WHERE id = $1 AND owner_id = $2"
