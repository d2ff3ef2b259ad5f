"""Guests in the dashboard: everybody who ordered, by segment, with tags and their own name."""

import re
from collections.abc import Mapping
from typing import Any, Final

from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_customers.pages.dashboard import LATEST_ORDERS, ORDERS, dashboard, list_tabs

GUESTS: Final = "/restaurants/{id}/guests"
GUEST: Final = f"{GUESTS}/{{guestId}}"
SEGMENTS: Final = {
    "new": (N_("New"), "info"),
    "regular": (N_("Regular"), "good"),
    "vip": (N_("VIP"), "good"),
    "at_risk": (N_("At risk"), "warn"),
    "lapsed": (N_("Lapsed"), "neutral"),
}
# Orders have numbers as guests typed them, with or without the code of the country.
NATIONAL_DIGITS: Final = 9


@dashboard.get("/stores/<int:store_id>/customers/guests", scope="customers:read")
async def list_guests(visit: Visit, store_id: int) -> Response:
    """List guests by their latest visit, filtered by segment and by a text."""
    filters = visit.query("segment", "search")
    guests = await visit.api.get(GUESTS, id=store_id, query=visit.query("page", *filters))
    segments = await visit.api.get(f"{GUESTS}/segments", id=store_id)
    return await visit.render(
        "customers/dashboard/guests.html", guests=guests, segments=segments["data"], filters=filters,
        labels=_list_segments(), tabs=list_tabs(store_id, "guests"),
    )  # fmt: skip


@dashboard.get("/stores/<int:store_id>/customers/guests/<int:guest_id>", scope="customers:read")
async def show_guest(visit: Visit, store_id: int, guest_id: int) -> Response:
    """Show a guest with totals, latest orders, and the form of name and tags."""
    guest = await visit.api.get(GUEST, id=store_id, guestId=guest_id)
    form = visit.form("PUT", GUEST, {"name": guest["name"], "tags": ", ".join(guest["tags"])})
    return await _render(visit, form, guest)


@dashboard.post("/stores/<int:store_id>/customers/guests/<int:guest_id>", scope="customers:write")
async def update_guest(visit: Visit, store_id: int, guest_id: int) -> Response:
    """Save a guest's name and tags."""
    guest = await visit.api.get(GUEST, id=store_id, guestId=guest_id)
    form = await visit.read_form("PUT", GUEST, id=store_id, guestId=guest_id)
    texts = await visit.read_texts()
    form.values["tags"] = [tag.strip() for tag in texts.get("tags", "").split(",") if tag.strip()]
    if form.values.get("name") == guest["name"]:
        # A name from the orders goes on following them.
        form.values.pop("name")
    saved = await form.submit()
    if saved is None:
        form.values = {"name": texts.get("name", ""), "tags": texts.get("tags", "")}
        return await _render(visit, form, guest)
    return visit.redirect(f"/stores/{store_id}/customers/guests/{guest_id}", notice=_("Guest saved."))


async def _render(visit: Visit, form: Form, guest: Mapping[str, Any]) -> Response:
    digits = re.sub("[^0-9]", "", guest["phone"] or "")[-NATIONAL_DIGITS:]
    orders = None
    if digits and visit.may("orders:read"):
        orders = await visit.api.get(ORDERS, id=visit.store.id, query={"search": digits, "per_page": LATEST_ORDERS})
    return await visit.render(
        "customers/dashboard/guest.html", form=form, guest=guest, orders=orders, digits=digits, labels=_list_segments()
    )


def _list_segments() -> dict[str, tuple[str, str]]:
    return {key: (_(label), tone) for key, (label, tone) in SEGMENTS.items()}
