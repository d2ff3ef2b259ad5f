"""When an item's last day is over."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from comanda.contracts.verticals import Values


def sold_out_from(values: Values, zone: ZoneInfo) -> datetime | None:
    """Tell the moment at which the day after ``expires_on`` begins in the store's zone, in UTC."""
    last_day = values.get("expires_on")
    if last_day is None:
        return None
    next_day = date.fromisoformat(last_day) + timedelta(days=1)
    return datetime.combine(next_day, time.min, tzinfo=zone).astimezone(UTC)
