"""The living page of the design system: every part in all its states, for people who build pages.

Only in development mode, since it shows no data and helps nobody who runs stores.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from quart import Blueprint, abort, render_template

from comanda.basics import clock
from comanda.contracts.web.pages import Pages
from comanda.platform import runtime
from comanda.web.dashboard.charts import Series, bar_chart, line_chart, sparkline
from comanda.web.dashboard.forms import FormField

blueprint = Blueprint("design", __name__)

pages = Pages(blueprint)

STATIC: Final = Path(__file__).parent / "static"
TOKEN: Final = re.compile(r"^  --([a-z0-9-]+): (.+);$", re.MULTILINE)
ICON: Final = re.compile(r'<symbol id="([a-z-]+)"')
DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HOURS: Final = tuple(f"{hour:02}:00" for hour in range(10, 24))
THIS_WEEK: Final = (812.5, 640, 905, 870.25, 1480, 1920, 1333)
WEEK_BEFORE: Final = (760, 702, 811, 799, 1312, 2050, 1190)
BY_HOUR: Final = (4, 9, 31, 44, 18, 7, 6, 12, 38, 61, 57, 33, 14, 3)
PAGE_OF_LIST: Final = {"current_page": 2, "last_page": 7, "total": 131}
STORES: Final = ({"id": 1, "title": "Trattoria Bella Vista"}, {"id": 2, "title": "Corner Shop"})


@dataclass(slots=True)
class SampleForm:
    """A form without a route, for the page of the design system."""

    fields: Mapping[str, FormField]
    problem: str | None = None
    errors_left: list[tuple[str, str]] = field(default_factory=list)
    is_refused: bool = False

    def get_field(self, name: str) -> FormField:
        """Return a field by its name."""
        return self.fields[name]


@blueprint.get("/docs/design")
async def show_design() -> str:
    """Show every part of the design system; 404 outside of development mode."""
    if not runtime.settings().development:
        abort(404)
    return await render_template("comanda/design.html", **_get_frame(), **_get_live_part(), **_list_samples())


@blueprint.get("/docs/design/live")
async def show_live_part() -> str:
    """Show the part of the page that is kept current; 404 outside of development mode."""
    if not runtime.settings().development:
        abort(404)
    return await render_template("comanda/design/live.html", **_get_live_part())


@cache
def list_tokens() -> dict[str, str]:
    """List the tokens of the design system with their values by day."""
    first_block = (STATIC / "comanda.css").read_text().split("@media", 1)[0]
    return dict(TOKEN.findall(first_block))


@cache
def list_icons() -> tuple[str, ...]:
    """List the names of the icons."""
    return tuple(ICON.findall((STATIC / "icons.svg").read_text()))


def _get_frame() -> dict[str, Any]:
    """Return what a page of the dashboard has around it, as of a person with two stores."""

    def group(name: str, label: str, *entries: tuple[str, str, str, int | None]) -> dict[str, Any]:
        links = [
            {
                "label": text,
                "href": f"/docs/design?page={icon}",
                "icon": icon,
                "is_current": place == "here",
                "badge": badge,
            }
            for text, icon, place, badge in entries
        ]
        return {"name": name, "label": label, "entries": links}

    return {
        "navigation": [
            group("today", "Home", ("Today", "home", "", None)),
            group("orders", "Orders", ("Orders", "receipt", "here", 12), ("Live board", "board", "", None)),
            group("menu", "Menu", ("Items", "book", "", None), ("Stock", "box", "", 3)),
            group("selling", "Selling", ("Coupons", "tag", "", None), ("Gift cards", "gift", "", None)),
            group("settings", "Settings", ("Hours", "clock", "", None), ("Access tokens", "key", "", None)),
        ],
        "stores": STORES,
        "store": STORES[0],
        "frame_store": STORES[0],
        "person": {"name": "Ada Bianchi", "email": "ada@example.com", "kind": "owner"},
        "notices": (),
    }


def _get_live_part() -> dict[str, Any]:
    return {"now": clock.now()}


def _list_samples() -> dict[str, Any]:
    tokens = list_tokens()
    colours = [name for name, value in tokens.items() if value.startswith("#")]
    return {
        "colours": colours,
        "spaces": [name for name in tokens if name.startswith("space-")],
        "sizes": [name for name in tokens if name.startswith("text-")],
        "icons": list_icons(),
        "form": _create_form(),
        "wrong_form": _create_wrong_form(),
        "page_of_list": PAGE_OF_LIST,
        "sales": line_chart(
            "Sales",
            DAYS,
            Series("This week", THIS_WEEK),
            Series("Week before", WEEK_BEFORE),
            texts=[[f"€{now:,.2f}", f"€{before:,.2f}"] for now, before in zip(THIS_WEEK, WEEK_BEFORE, strict=True)],
        ),
        "by_hour": bar_chart("Orders by hour", HOURS, Series("Orders", BY_HOUR)),
        "spark": sparkline("Sales of seven days", THIS_WEEK),
    }


def _create_form() -> SampleForm:
    weekdays = tuple((day.lower(), day) for day in DAYS)
    types = (("delivery", "Delivery"), ("takeaway", "Takeaway"), ("on-table", "On table"))
    samples: tuple[tuple[str, str, Any, Mapping[str, Any]], ...] = (
        ("title", "text", "Margherita", {"is_required": True, "max_length": 80}),
        ("description", "textarea", "Tomato, mozzarella, basil.", {}),
        ("price", "money", 9.5, {"is_required": True}),
        ("rate", "number", 7.25, {}),
        ("stock", "integer", 24, {}),
        ("is_popular", "boolean", True, {}),
        ("is_hidden", "boolean", False, {}),
        ("type", "choice", "takeaway", {"choices": types}),
        ("mode", "radio", "delivery", {"choices": types}),
        ("days", "choices", ["fri", "sat"], {"choices": weekdays}),
        ("day", "date", "2026-11-03", {}),
        ("opens_at", "time", "18:00", {}),
        ("starts_at", "datetime", "2026-11-03T18:00", {}),
        ("email", "email", "ada@example.com", {}),
        ("url", "url", "", {}),
        ("phone", "tel", "", {}),
        ("password", "password", "", {}),
        ("colour", "color", "#b83a0a", {}),
        ("photo", "file", None, {}),
    )
    return SampleForm({name: _create_field(name, kind, value, **options) for name, kind, value, options in samples})


def _create_wrong_form() -> SampleForm:
    fields = {
        "code": _create_field("code", "text", "SUMMER 20", errors=("Must contain letters and digits only.",)),
        "amount": _create_field("amount", "money", "-5", errors=("Must be greater than 0.",)),
        "kind": _create_field("kind", "choice", "", choices=(("percent", "Percent"),), errors=("Choose one.",)),
    }
    return SampleForm(fields, "A coupon with this code exists already.", [("valid_until", "Must be later.")], True)


def _create_field(name: str, kind: str, value: object, **options: Any) -> FormField:
    return FormField(**{"errors": (), "is_required": False, **options, "name": name, "kind": kind, "value": value})
