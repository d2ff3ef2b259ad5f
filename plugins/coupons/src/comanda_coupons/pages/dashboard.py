"""Coupons in the dashboard: listed, created, changed and deleted."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from comanda.basics import money
from comanda.contracts import NavigationEntry
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

dashboard: Final = DashboardPages("coupons", __name__)

COUPONS: Final = "/restaurants/{id}/coupons"
COUPON: Final = f"{COUPONS}/{{couponId}}"
MENU: Final = "/restaurants/{id}/menu"
# The lists of a coupon, which checkboxes choose from.
FILTERS: Final = ("modes", "category_ids", "item_ids")
STATUSES: Final = {
    "active": (N_("Active"), "good"),
    "scheduled": (N_("Scheduled"), "info"),
    "used_up": (N_("Used up"), "warn"),
    "expired": (N_("Expired"), "neutral"),
    "inactive": (N_("Switched off"), "neutral"),
}
NAVIGATION: Final = (
    NavigationEntry(N_("Coupons"), "/stores/{store_id}/coupons", "selling", "orders:read", icon="tag", position=30),
)


@dashboard.get("/stores/<int:store_id>/coupons", scope="orders:read")
async def list_coupons(visit: Visit, store_id: int) -> Response:
    """List coupons with how often they were used; filtered by code and by whether they are switched on."""
    filters = visit.query("search", "is_active")
    coupons = await visit.api.get(COUPONS, id=store_id, query=visit.query("page", *filters))
    current = filters.get("is_active", "")
    path = f"/dashboard/stores/{store_id}/coupons"
    tabs = [
        (_("All"), path, current == ""),
        (_("Switched on"), f"{path}?is_active=true", current == "true"),
        (_("Switched off"), f"{path}?is_active=false", current == "false"),
    ]
    return await visit.render(
        "coupons/dashboard/coupons.html", coupons=coupons, filters=filters, tabs=tabs, statuses=list_statuses()
    )


@dashboard.get("/stores/<int:store_id>/coupons/new", scope="orders:write")
async def show_new_coupon(visit: Visit, store_id: int) -> Response:
    """Show an empty form."""
    return await _render(visit, visit.form("POST", COUPONS), None)


@dashboard.post("/stores/<int:store_id>/coupons/new", scope="orders:write")
async def create_coupon(visit: Visit, store_id: int) -> Response:
    form = await visit.read_form("POST", COUPONS, id=store_id)
    if (coupon := await form.submit()) is None:
        return await _render(visit, form, None)
    return visit.redirect(f"/stores/{store_id}/coupons", notice=_("Coupon %(code)s created.", code=coupon["code"]))


@dashboard.get("/stores/<int:store_id>/coupons/<int:coupon_id>", scope="orders:read")
async def show_coupon(visit: Visit, store_id: int, coupon_id: int) -> Response:
    """Show a coupon and its form."""
    coupon = await visit.api.get(COUPON, id=store_id, couponId=coupon_id)
    return await _render(visit, visit.form("PATCH", COUPON, _to_shown(coupon, visit.store.currency)), coupon)


@dashboard.post("/stores/<int:store_id>/coupons/<int:coupon_id>", scope="orders:write")
async def update_coupon(visit: Visit, store_id: int, coupon_id: int) -> Response:
    coupon = await visit.api.get(COUPON, id=store_id, couponId=coupon_id)
    form = await visit.read_form("PATCH", COUPON, id=store_id, couponId=coupon_id)
    sent = dict(form.values)
    form.values = _get_changes(sent, coupon)
    saved = await form.submit()
    form.values = sent
    if saved is None:
        return await _render(visit, form, coupon)
    return visit.redirect(f"/stores/{store_id}/coupons", notice=_("Coupon %(code)s saved.", code=saved["code"]))


@dashboard.post("/stores/<int:store_id>/coupons/<int:coupon_id>/active", scope="orders:write")
async def switch_coupon(visit: Visit, store_id: int, coupon_id: int) -> Response:
    """Switch a coupon on or off."""
    is_active = (await visit.read_texts()).get("is_active") == "true"
    return await visit.act(
        "PATCH", COUPON, body={"is_active": is_active}, to=f"/stores/{store_id}/coupons", id=store_id,
        couponId=coupon_id, notice=_("Coupon switched on.") if is_active else _("Coupon switched off."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/coupons/<int:coupon_id>/delete", scope="orders:write")
async def delete_coupon(visit: Visit, store_id: int, coupon_id: int) -> Response:
    to = f"/stores/{store_id}/coupons"
    return await visit.act("DELETE", COUPON, to=to, notice=_("Coupon deleted."), id=store_id, couponId=coupon_id)


async def _render(visit: Visit, form: Form, coupon: Mapping[str, Any] | None) -> Response:
    return await visit.render(
        "coupons/dashboard/coupon.html", form=form, coupon=coupon, choices=await list_choices(visit, form),
        statuses=list_statuses(), types=[("percentage", _("Percentage")), ("fixed", _("Amount"))],
    )  # fmt: skip


async def list_choices(visit: Visit, form: Form) -> dict[str, list[tuple[str, str]]]:
    """Return what the filters of a coupon or promotion can be chosen from, and set those that the form has chosen."""
    choices = {"modes": visit.store.list_modes()}
    if visit.may("menu:read"):
        choices |= await _list_menu_choices(visit)
    for name in FILTERS:
        chosen = [str(value) for value in form.values.get(name) or ()]
        # An item that is deleted stays in the coupon, which else would be for the whole menu.
        known = {value for value, _label in choices.get(name, ())}
        if name in choices:
            choices[name] += [(value, _("Deleted (%(id)s)", id=value)) for value in chosen if value not in known]
        form.values[name] = chosen
    return choices


def _to_shown(coupon: Mapping[str, Any], currency: str) -> dict[str, Any]:
    """Return a coupon with its amounts as texts of all decimals of the currency."""
    amounts = ("min_subtotal", "max_discount", *(["value"] if coupon["type"] == "fixed" else []))
    return {**coupon, "value": f"{coupon['value']:g}", **format_amounts(coupon, amounts, currency)}


def format_amounts(shown: Mapping[str, Any], names: Iterable[str], currency: str) -> dict[str, str]:
    """Return those of the amounts that are there as texts of all decimals of the currency."""
    decimals = money.get_exponent(currency)
    return {name: f"{shown[name]:.{decimals}f}" for name in names if shown[name] is not None}


def _get_changes(sent: Mapping[str, Any], coupon: Mapping[str, Any]) -> dict[str, Any]:
    """Return what changes the coupon. Null would leave code and value as they are, so empty ones are refused."""
    same = {name for name in FILTERS if set(sent.get(name) or ()) == set(coupon[name])}
    changes = {name: value for name, value in sent.items() if name not in same}
    return {**changes, **{name: "" for name in ("code", "value") if name in changes and changes[name] is None}}


def list_statuses() -> dict[str, tuple[str, str]]:
    """Return the label and the tone of each status."""
    return {status: (_(label), tone) for status, (label, tone) in STATUSES.items()}


async def _list_menu_choices(visit: Visit) -> dict[str, list[tuple[str, str]]]:
    categories = await visit.api.get(MENU, id=visit.store.id)
    return {
        "category_ids": [(str(each["id"]), each["name"]) for each in categories],
        "item_ids": [(str(item["id"]), item["name"]) for each in categories for item in each["items"]],
    }
