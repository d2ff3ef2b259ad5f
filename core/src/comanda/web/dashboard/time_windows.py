"""Windows of time in a form of the dashboard, which the macro ``time_windows`` of comanda/parts.html shows."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import Weekday
from comanda.web.languages.locale_choices import WEEKDAY_LABELS
from comanda.web.languages.translations import gettext

MIDNIGHT: Final = "00:00"


def list_weekdays() -> list[tuple[str, str]]:
    """List the days of the week as choices, in the language of the page."""
    return [(str(day), gettext(label)) for day, label in zip(Weekday, WEEKDAY_LABELS, strict=True)]


def take_windows(given: Sequence[Mapping[str, Any]] | None) -> list[Mapping[str, Any]]:
    """Return the windows that a person has filled in; one with days alone lasts from midnight to midnight."""
    return [
        window if window.get("from") or window.get("until") else {**window, "from": MIDNIGHT, "until": MIDNIGHT}
        for window in given or ()
        if any(window.values())
    ]
