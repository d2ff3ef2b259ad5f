"""Prices of many items: changed by percent or an amount, rounded, and shown before they are applied."""

from typing import Any, Final

from comanda.contracts import parse_id, parse_ids
from comanda.web import gettext as _
from comanda.web.dashboard import Visit, to_number
from quart import Response, request

from comanda_dashboard.pages import dashboard

PRICES_PATH: Final = "/restaurants/{id}/menu/prices"
MAX_CHOSEN: Final = 500
# What a person chooses: the step to round to, and what is taken off afterwards, in hundredths of the currency's unit.
ROUNDINGS: Final = {
    "none": None,
    "0.05": (0.05, 0),
    "0.10": (0.1, 0),
    "0.50": (0.5, 0),
    "1": (1, 0),
    "5": (5, 0),
    "10": (10, 0),
    "0.99": (1, 0.01),
    "0.95": (1, 0.05),
    "0.90": (1, 0.1),
}


@dashboard.get("/stores/<int:store_id>/menu/prices", scope="menu:write")
async def show_prices(visit: Visit, store_id: int) -> Response:
    """Show the form for a category, for selected items, or for the whole menu."""
    item_ids = parse_ids(request.args.getlist("item")[:MAX_CHOSEN])
    values = {"_scope": "items" if item_ids else visit.query("category").get("category", "all"), "_kind": "percent"}
    return await _render(visit, values, item_ids, None)


@dashboard.post("/stores/<int:store_id>/menu/prices", scope="menu:write")
async def change_prices(visit: Visit, store_id: int) -> Response:
    """Show what would change, or apply what was shown."""
    sent = await request.form
    values, item_ids = await visit.read_texts(), parse_ids(sent.getlist("item")[:MAX_CHOSEN])
    is_applied = "checksum" in sent
    form = await visit.read_form("POST", PRICES_PATH, id=store_id)
    form.values = {**to_body(values, item_ids, visit.decimals), "preview": not is_applied}
    if is_applied:
        form.values["checksum"] = values["checksum"]
    report = await form.submit()
    if report is None:
        return await _render(visit, values, item_ids, None, form=form)
    if is_applied:
        notice = _("%(count)s prices changed.", count=report["prices_count"])
        return visit.redirect(f"/stores/{store_id}/menu", notice=notice)
    return await _render(visit, values, item_ids, report)


def to_body(values: dict[str, str], item_ids: list[int], decimals: int = 2) -> dict[str, Any]:
    """Return the body of the price change that a person has chosen."""
    body: dict[str, Any] = {"variations": "_variations" in values, "extras": "_extras" in values}
    scope = values.get("_scope", "all")
    if scope == "items":
        body["item_ids"] = item_ids
    elif (category_id := parse_id(scope)) is not None:
        body["category_ids"] = [category_id]
    rounding = ROUNDINGS.get(values.get("_rounding", ""))
    if rounding is not None:
        body["round_to"], body["minus"] = rounding
    kind = "amount" if values.get("_kind") == "amount" else "percent"
    if text := values.get("_value", "").strip():
        body[kind] = to_number(text, 100 if kind == "percent" else None, decimals)
    return body


async def _render(visit: Visit, values: dict[str, str], item_ids: list[int], report: Any, **context: Any) -> Response:
    categories = await visit.api.get("/restaurants/{id}/menu/categories", id=visit.store.id)
    scopes = [("all", _("The whole menu")), *((str(each["id"]), each["name"]) for each in categories)]
    if item_ids:
        scopes.insert(0, ("items", _("%(count)s selected items", count=len(item_ids))))
    return await visit.render(
        "dashboard/menu_prices.html", values=values, item_ids=item_ids, report=report, scopes=scopes,
        roundings=_list_roundings(), **context,
    )  # fmt: skip


def _list_roundings() -> list[tuple[str, str]]:
    steps = [
        (code, _("To %(step)s", step=code)) for code, rule in ROUNDINGS.items() if rule is not None and not rule[1]
    ]
    endings = [(code, _("To end in %(ending)s", ending=code)) for code, rule in ROUNDINGS.items() if rule and rule[1]]
    return [("none", _("Do not round")), *steps, *endings]
