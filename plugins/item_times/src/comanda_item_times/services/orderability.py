"""Whether an item is sold at a moment, and the first moment after it at which that changes."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from comanda.contracts import Orderability, Values, time_windows


def find_orderability(values: Values, zone: ZoneInfo, moment: datetime) -> Orderability:
    """Return whether an item with these values is sold at a moment, and when that changes."""
    first, last = values.get("sold_from"), values.get("sold_until")
    times = time_windows.to_weekly_times(
        values.get("sold_at") or (),
        date.fromisoformat(first) if first else date.min,
        date.fromisoformat(last) if last else date.max,
    )
    return time_windows.find_state(times, zone, moment.astimezone(UTC))
