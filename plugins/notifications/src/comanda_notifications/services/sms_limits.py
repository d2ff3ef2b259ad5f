"""What an owner's SMS may cost, and when they may ring: a limit for each month, and quiet hours of each store."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics import RateLimited, ValidationFailed, clock
from comanda.contracts import Caller, time_windows
from comanda.platform.db import sql
from comanda.web import N_

from comanda_notifications import settings
from comanda_notifications.models import Urgency
from comanda_notifications.records import SmsLimits
from comanda_notifications.schemas import SmsLimitsBody

# Codes beyond the limit: nobody should be locked out because of other texts, and nobody may order codes without end.
MIN_EXTRA_CODES: Final = 50
EXTRA_CODES_SHARE: Final = 5
NOTICE_PERCENTAGES: Final = (100, 80)
ONE_TIME_ALONE: Final = N_("Give both times, or neither.")
SAME_TIMES: Final = N_("Must differ from the other time.")

SELECT_TERMS: Final = """
    SELECT l.monthly_limit, l.quiet_from, l.quiet_until, s.timezone, coalesce(m.sent, 0) AS sent
    FROM (SELECT) AS one
    LEFT JOIN notifications_sms_limits l ON l.owner_id = $1
    LEFT JOIN notifications_sms_month m ON m.owner_id = $1 AND m.month = $3
    LEFT JOIN core_store_v1 s ON s.owner_id = $1 AND s.id = $2
"""
SELECT_LIMITS: Final = """
    SELECT l.monthly_limit, l.quiet_from, l.quiet_until, coalesce(m.sent, 0) AS sent,
        coalesce(m.withheld, 0) AS withheld
    FROM (SELECT) AS one
    LEFT JOIN notifications_sms_limits l ON l.owner_id = $1
    LEFT JOIN notifications_sms_month m ON m.owner_id = $1 AND m.month = $2
"""
# One statement counts and compares, so that texts at the same moment cannot exceed the limit together.
COUNT_MESSAGE: Final = """
    INSERT INTO notifications_sms_month AS m (owner_id, month, sent) SELECT $1, $2, 1 WHERE coalesce($3::int, 1) > 0
    ON CONFLICT (owner_id, month) DO UPDATE SET sent = m.sent + 1 WHERE $3::int IS NULL OR m.sent < $3
    RETURNING sent
"""
COUNT_WITHHELD: Final = """
    INSERT INTO notifications_sms_month AS m (owner_id, month, withheld) VALUES ($1, $2, 1)
    ON CONFLICT (owner_id, month) DO UPDATE SET withheld = m.withheld + 1
"""
# A notice is due once for each month and percentage, and again after the limit was changed.
CLAIM_NOTICE: Final = """
    UPDATE notifications_sms_month SET noticed_percent = $3 WHERE owner_id = $1 AND month = $2 AND noticed_percent < $3
"""
UPSERT_LIMITS: Final = """
    INSERT INTO notifications_sms_limits (owner_id, monthly_limit, quiet_from, quiet_until) VALUES ($1, $2, $3, $4)
    ON CONFLICT (owner_id) DO UPDATE SET monthly_limit = EXCLUDED.monthly_limit, quiet_from = EXCLUDED.quiet_from,
        quiet_until = EXCLUDED.quiet_until
"""
FORGET_NOTICES: Final = """
    UPDATE notifications_sms_month SET noticed_percent = 0 WHERE owner_id = $1 AND month = $2
"""


@dataclass(frozen=True, slots=True)
class SmsTerms:
    """What counts for an SMS of an owner at a moment; ``quiet_until`` is None outside of quiet hours."""

    owner_id: int
    month: date
    limit: int | None
    sent: int
    quiet_until: datetime | None

    def allows_now(self, urgency: Urgency) -> bool:
        """Return whether an SMS of this urgency would be sent at once."""
        limit = self.limit_for(urgency)
        return (limit is None or self.sent < limit) and self.get_held_until(urgency) is None

    def limit_for(self, urgency: Urgency) -> int | None:
        """Return how many SMS there may be in the month before one of this urgency is refused."""
        if self.limit is None or urgency is not Urgency.CODE:
            return self.limit
        return self.limit + max(MIN_EXTRA_CODES, self.limit // EXTRA_CODES_SHARE)

    def get_held_until(self, urgency: Urgency) -> datetime | None:
        """Return until when an SMS of this urgency waits, or None."""
        return self.quiet_until if urgency is Urgency.LATER else None

    def list_due_notices(self, sent: int) -> list[int]:
        """List the percentages of the limit that are reached, the highest first."""
        if not self.limit:
            return []
        return [percent for percent in NOTICE_PERCENTAGES if sent * 100 >= self.limit * percent]


async def get_limits(caller: Caller) -> SmsLimits:
    """Return the owner's limits, and this month's numbers."""
    month = _get_month(clock.now())
    row = await sql.one(SELECT_LIMITS, caller.owner_id, month)
    limit = _get_limit(row)
    return SmsLimits(**dict(row), month=month, limit=limit, is_reached=limit is not None and row["sent"] >= limit)


@sql.transaction()
async def update_limits(caller: Caller, body: SmsLimitsBody) -> SmsLimits:
    """Set the owner's limits; a new limit is told of again when it is near. Raises ``ValidationFailed``."""
    if (body.quiet_from is None) is not (body.quiet_until is None):
        raise ValidationFailed({"quiet_until" if body.quiet_until is None else "quiet_from": [ONE_TIME_ALONE]})
    if body.quiet_from is not None and body.quiet_from == body.quiet_until:
        raise ValidationFailed(quiet_until=[SAME_TIMES])
    values = (body.monthly_limit, body.quiet_from, body.quiet_until)
    await sql.execute(UPSERT_LIMITS, caller.owner_id, *values)
    await sql.execute(FORGET_NOTICES, caller.owner_id, _get_month(clock.now()))
    return await get_limits(caller)


async def get_terms(owner_id: int, store_id: int | None) -> SmsTerms:
    """Return what counts for an SMS at this moment."""
    moment = clock.now()
    month = _get_month(moment)
    row = await sql.one(SELECT_TERMS, owner_id, store_id, month)
    return SmsTerms(owner_id, month, _get_limit(row), row["sent"], _get_quiet_until(row, moment))


async def count_message(terms: SmsTerms, urgency: Urgency) -> int | None:
    """Count an SMS in the open transaction and return its number in the month, or None beyond the limit.

    Raises ``RateLimited`` for a code beyond its own limit: whoever asked for it should know that none comes.
    """
    sent: int | None = await sql.fetch_value(COUNT_MESSAGE, terms.owner_id, terms.month, terms.limit_for(urgency))
    if sent is None and urgency is Urgency.CODE:
        raise RateLimited(3600)
    if sent is None:
        await sql.execute(COUNT_WITHHELD, terms.owner_id, terms.month)
    return sent


async def claim_notice(terms: SmsTerms, sent: int) -> int | None:
    """Return the percentage of the limit of which the owner has to be told now, or None; each is returned once."""
    for percent in terms.list_due_notices(sent)[:1]:
        if await sql.execute(CLAIM_NOTICE, terms.owner_id, terms.month, percent):
            return percent
    return None


def _get_month(moment: datetime) -> date:
    return moment.date().replace(day=1)


def _get_limit(row: sql.Row) -> int | None:
    given = [each for each in (row["monthly_limit"], settings.get_settings().max_sms_per_month) if each is not None]
    return min(given, default=None)


def _get_quiet_until(row: sql.Row, moment: datetime) -> datetime | None:
    if row["quiet_from"] is None or row["timezone"] is None:
        return None
    times = time_windows.to_weekly_times([{"from": row["quiet_from"], "until": row["quiet_until"]}])
    state = time_windows.find_state(times, ZoneInfo(row["timezone"]), moment)
    return state.changes_at if state.is_orderable else None
