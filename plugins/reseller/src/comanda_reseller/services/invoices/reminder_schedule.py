"""When the customer of an unpaid invoice is reminded."""

from datetime import datetime, timedelta

from comanda_reseller.settings import get_settings


def get_next_reminder(due_at: datetime, after: datetime) -> datetime | None:
    """Return the next time for a reminder after a moment, or None if there is no other."""
    times = (due_at + timedelta(days=days) for days in get_settings().reminder_days)
    return min((time for time in times if time > after), default=None)
