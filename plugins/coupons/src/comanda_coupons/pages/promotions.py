"""Promotions in the dashboard: listed, created, changed and deleted."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.contracts import NavigationEntry
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit, list_weekdays, take_windows
from quart import Response

from comanda_coupons.models import PromotionChannel, PromotionType
from comanda_coupons.pages.dashboard import FILTERS, dashboard, format_amounts, list_choices, list_statuses

PROMOTIONS: Final = "/restaurants/{id}/promotions"
PROMOTION: Final = f"{PROMOTIONS}/{{promotionId}}"
NAVIGATION: Final = (
    NavigationEntry(
        N_("Promotions"), "/stores/{store_id}/promotions", "selling", "orders:read", icon="percent", position=31
    ),
)
AMOUNTS: Final = ("min_subtotal", "max_discount", "budget")
TYPES: Final = {
    PromotionType.PERCENTAGE: N_("Percent off"),
    PromotionType.PRICE_CUT: N_("Amount off each item"),
    PromotionType.FIXED: N_("Amount off all of it"),
    PromotionType.NTH_FREE: N_("Every second, third … is free"),
    PromotionType.BUNDLE: N_("Several for one price"),
}
CHANNELS: Final = {
    PromotionChannel.STOREFRONT: N_("Your page and guests' agents"),
    PromotionChannel.CUSTOMER: N_("App of customers"),
    PromotionChannel.STAFF: N_("Till"),
    PromotionChannel.OWNER: N_("Your own programs"),
}


@dashboard.get("/stores/<int:store_id>/promotions", scope="orders:read")
async def list_promotions(visit: Visit, store_id: int) -> Response:
    """List promotions with what they do, whether they are on and until when."""
    filters = visit.query("is_active")
    promotions = await visit.api.get(PROMOTIONS, id=store_id, query=visit.query("page", *filters))
    current = filters.get("is_active", "")
    path = f"/dashboard/stores/{store_id}/promotions"
    tabs = [
        (_("All"), path, current == ""),
        (_("Switched on"), f"{path}?is_active=true", current == "true"),
        (_("Switched off"), f"{path}?is_active=false", current == "false"),
    ]
    return await visit.render(
        "coupons/dashboard/promotions.html", promotions=promotions, tabs=tabs, types=dict(_list_choices(TYPES)),
        statuses=list_statuses(), filters=filters,
    )  # fmt: skip


@dashboard.get("/stores/<int:store_id>/promotions/new", scope="orders:write")
async def show_new_promotion(visit: Visit, store_id: int) -> Response:
    """Show an empty form."""
    return await _render(visit, visit.form("POST", PROMOTIONS), None)


@dashboard.post("/stores/<int:store_id>/promotions/new", scope="orders:write")
async def create_promotion(visit: Visit, store_id: int) -> Response:
    form = await visit.read_form("POST", PROMOTIONS, id=store_id)
    if (promotion := await _submit(form)) is None:
        return await _render(visit, form, None)
    notice = _("Promotion %(name)s created.", name=promotion["name"])
    return visit.redirect(f"/stores/{store_id}/promotions", notice=notice)


@dashboard.get("/stores/<int:store_id>/promotions/<int:promotion_id>", scope="orders:read")
async def show_promotion(visit: Visit, store_id: int, promotion_id: int) -> Response:
    """Show a promotion and its form."""
    promotion = await visit.api.get(PROMOTION, id=store_id, promotionId=promotion_id)
    return await _render(visit, visit.form("PATCH", PROMOTION, _to_shown(promotion, visit.store.currency)), promotion)


@dashboard.post("/stores/<int:store_id>/promotions/<int:promotion_id>", scope="orders:write")
async def update_promotion(visit: Visit, store_id: int, promotion_id: int) -> Response:
    promotion = await visit.api.get(PROMOTION, id=store_id, promotionId=promotion_id)
    form = await visit.read_form("PATCH", PROMOTION, id=store_id, promotionId=promotion_id)
    if (saved := await _submit(form, promotion)) is None:
        return await _render(visit, form, promotion)
    notice = _("Promotion %(name)s saved.", name=saved["name"])
    return visit.redirect(f"/stores/{store_id}/promotions", notice=notice)


@dashboard.post("/stores/<int:store_id>/promotions/<int:promotion_id>/active", scope="orders:write")
async def switch_promotion(visit: Visit, store_id: int, promotion_id: int) -> Response:
    """Switch a promotion on or off."""
    is_active = (await visit.read_texts()).get("is_active") == "true"
    return await visit.act(
        "PATCH", PROMOTION, body={"is_active": is_active}, to=f"/stores/{store_id}/promotions", id=store_id,
        promotionId=promotion_id,
        notice=_("Promotion switched on.") if is_active else _("Promotion switched off."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/promotions/<int:promotion_id>/delete", scope="orders:write")
async def delete_promotion(visit: Visit, store_id: int, promotion_id: int) -> Response:
    return await visit.act(
        "DELETE", PROMOTION, to=f"/stores/{store_id}/promotions", notice=_("Promotion deleted."), id=store_id,
        promotionId=promotion_id,
    )  # fmt: skip


async def _submit(form: Form, promotion: Mapping[str, Any] | None = None) -> Any:
    """Send what the form says: the windows that were filled in, and filters that are the same are not checked again."""
    sent = dict(form.values)
    form.values = {
        name: value
        for name, value in sent.items()
        if promotion is None or name not in FILTERS or set(value or ()) != set(promotion[name])
    }
    form.values["valid_at"] = take_windows(sent.get("valid_at"))
    saved = await form.submit()
    form.values = sent
    return saved


async def _render(visit: Visit, form: Form, promotion: Mapping[str, Any] | None) -> Response:
    return await visit.render(
        "coupons/dashboard/promotion.html", form=form, promotion=promotion, choices=await list_choices(visit, form),
        statuses=list_statuses(), types=_list_choices(TYPES), channels=_list_choices(CHANNELS),
        weekdays=list_weekdays(), windows=max(1, len(form.values.get("valid_at") or ())),
    )  # fmt: skip


def _to_shown(promotion: Mapping[str, Any], currency: str) -> dict[str, Any]:
    """Return a promotion with its amounts as texts of all decimals of the currency."""
    value = promotion["value"]
    amounts = (*AMOUNTS, *([] if promotion["type"] == PromotionType.PERCENTAGE else ["value"]))
    return {
        **promotion,
        "value": None if value is None else f"{value:g}",
        **format_amounts(promotion, amounts, currency),
    }


def _list_choices(labels: Mapping[Any, str]) -> list[tuple[str, str]]:
    return [(str(value), _(label)) for value, label in labels.items()]
