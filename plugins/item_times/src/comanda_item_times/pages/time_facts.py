"""What guests read about when an item is sold, in the language of the page."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from comanda.contracts import Values, Weekday
from comanda.web import format_day
from comanda.web import gettext as _

from comanda_item_times.schemas import DAY_LABELS


def list_times(values: Values) -> Sequence[str]:
    """Return the windows of an item, and its first and its last day."""
    facts = [_describe_window(each) for each in values.get("sold_at") or ()]
    if first := values.get("sold_from"):
        facts.append(_("From %(day)s", day=format_day(date.fromisoformat(first))))
    if last := values.get("sold_until"):
        facts.append(_("Until %(day)s", day=format_day(date.fromisoformat(last))))
    return facts


def _describe_window(window: Mapping[str, Any]) -> str:
    times = f"{window['from']}\u2013{window['until']}"
    days = [_(DAY_LABELS[Weekday(day)]) for day in window.get("days") or ()]
    return f"{', '.join(days)}: {times}" if days else times
