"""Opening hours of a store: a week of intervals, and dates that differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from comanda.contracts import DAYS, parse_id
from comanda.web import WEEKDAY_LABELS
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.store_settings import SETTINGS, list_tabs

WEEKDAYS: Final = DAYS[:5]
WEEKEND: Final = DAYS[5:]
COPY_TARGETS: Final[Mapping[str, tuple[str, ...]]] = {"all": DAYS, "weekdays": WEEKDAYS, "weekend": WEEKEND}
MIDNIGHT: Final = "24:00"
NEW_WEEK: Final[Mapping[str, str]] = {"open": "09:00", "close": "18:00"}


@dataclass(frozen=True, slots=True)
class HoursRow:
    """A weekday or a date of the editor: the names of its inputs, its intervals, and what is wrong with it."""

    key: str
    prefix: str
    interval_prefix: str
    label: str
    intervals: list[dict[str, str]]
    errors: list[str]
    date: str = ""
    note: str = ""


@dashboard.get("/stores/<int:store_id>/settings/hours", scope="restaurants:read")
async def show_hours(visit: Visit, store_id: int) -> Response:
    """Show when the store is open."""
    settings = await visit.api.get(SETTINGS, id=store_id)
    return await _render(visit, visit.form("PUT", SETTINGS, {"hours": settings["hours"]}))


@dashboard.post("/stores/<int:store_id>/settings/hours", scope="restaurants:write")
async def update_hours(visit: Visit, store_id: int) -> Response:
    """Save when the store is open, or change the rows of the editor without saving them."""
    form = await visit.read_form("PUT", SETTINGS, id=store_id)
    sent = await visit.read_texts()
    hours = _clean_hours(form.values.get("hours"))
    edit, _separator, subject = sent.get("_edit", "").partition(":")
    if edit:
        form.values = {"hours": _edit_hours(hours, edit, subject)}
        return await _render(visit, form, is_changed=True)
    form.values = {"hours": None if sent.get("_mode") == "always" else hours}
    if await form.submit() is None:
        return await _render(visit, form)
    return visit.redirect(f"/stores/{store_id}/settings/hours", notice=_("Opening hours saved."))


def _clean_hours(sent: Any) -> dict[str, Any]:
    """Return hours without the rows that were left empty."""
    given = sent if isinstance(sent, Mapping) else {}
    hours: dict[str, Any] = {day: _clean_intervals(given.get(day)) for day in DAYS}
    exceptions = given.get("exceptions")
    hours["exceptions"] = [
        {**row, "intervals": _clean_intervals(row.get("intervals"))}
        for row in (exceptions if isinstance(exceptions, list) else [])
        if isinstance(row, Mapping) and (row.get("date") or row.get("note"))
    ]
    return hours


def _clean_intervals(sent: Any) -> list[dict[str, str]]:
    rows = [row for row in sent if isinstance(row, Mapping)] if isinstance(sent, list) else []
    texts = [{name: str(row.get(name) or "") for name in ("open", "close")} for row in rows]
    return [row for row in texts if row["open"] or row["close"]]


def _edit_hours(hours: dict[str, Any], edit: str, subject: str) -> dict[str, Any]:
    """Return hours with a row added or removed, or a day copied to others."""
    match edit:
        case "add" if subject in DAYS:
            hours[subject] = [*hours[subject], dict(NEW_WEEK) if not hours[subject] else {"open": "", "close": ""}]
        case "close" if subject in DAYS:
            hours[subject] = []
        case "copy":
            day, _separator, target = subject.partition(":")
            if day in DAYS:
                hours |= {other: [dict(row) for row in hours[day]] for other in COPY_TARGETS.get(target, ())}
        case "add-date":
            hours["exceptions"] = [*hours["exceptions"], {"date": "", "note": "", "intervals": []}]
        case "add-interval" if (position := parse_id(subject)) is not None and position < len(hours["exceptions"]):
            hours["exceptions"][position]["intervals"].append(dict(NEW_WEEK))
        case "remove-date":
            hours["exceptions"] = [row for number, row in enumerate(hours["exceptions"]) if number != parse_id(subject)]
    return hours


async def _render(visit: Visit, form: Form, *, is_changed: bool = False) -> Response:
    hours = form.values.get("hours") or {}
    week = [
        _to_row(form, day, f"hours.{day}", _(label), hours.get(day) or [])
        for day, label in zip(DAYS, WEEKDAY_LABELS, strict=True)
    ]
    dates = [
        _to_row(
            form,
            str(number),
            f"hours.exceptions.{number}",
            str(row.get("date") or _("New date")),
            row.get("intervals") or [],
            date=str(row.get("date") or ""),
            note=str(row.get("note") or ""),
        )
        for number, row in enumerate(hours.get("exceptions") or [])
    ]
    return await visit.render(
        "dashboard/settings/hours.html",
        form=form,
        week=week,
        dates=dates,
        exception_errors=_take_errors(form, "hours.exceptions", is_exact=True),
        is_always=form.values.get("hours") is None,
        is_changed=is_changed,
        tabs=await list_tabs(visit, "/hours"),
    )


def _to_row(
    form: Form, key: str, prefix: str, label: str, intervals: list[dict[str, str]], *, date: str = "", note: str = ""
) -> HoursRow:
    shown = [{**row, "close": "00:00" if row.get("close") == MIDNIGHT else row.get("close", "")} for row in intervals]
    interval_prefix = prefix if key in DAYS else f"{prefix}.intervals"
    return HoursRow(key, prefix, interval_prefix, label, shown, _take_errors(form, prefix), date, note)


def _take_errors(form: Form, prefix: str, *, is_exact: bool = False) -> list[str]:
    """Return the errors of a row and its inputs once each; they are shown there and nowhere else."""
    names = [name for name in form.errors if name == prefix or (not is_exact and name.startswith(f"{prefix}."))]
    for name in names:
        form.get_field(name)
    return list(dict.fromkeys(text for name in names for text in form.errors[name]))
