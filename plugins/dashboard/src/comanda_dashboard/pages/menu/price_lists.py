"""Price lists: other prices for some order types, channels or times, listed, created, changed and deleted."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from comanda.basics import money
from comanda.contracts import parse_id
from comanda.menu import PriceChannel
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit, list_weekdays, take_windows, to_number
from quart import Response

from comanda_dashboard.pages import dashboard

LISTS: Final = "/restaurants/{id}/menu/price-lists"
LIST: Final = f"{LISTS}/{{priceListId}}"
# Inputs of prices that a page has at most; those of a larger menu are of one category at a time.
MAX_PRICES: Final = 400
MAX_WINDOWS: Final = 10
PRICE: Final = "_price."
AMOUNTS: Final = ("amount", "round_to", "minus")
CHANNELS: Final = {
    PriceChannel.STOREFRONT: N_("Your page"),
    PriceChannel.AGENT: N_("Guests' agents"),
    PriceChannel.CUSTOMER: N_("App of customers"),
    PriceChannel.STAFF: N_("Till"),
    PriceChannel.OWNER: N_("Your own programs"),
}


@dashboard.get("/stores/<int:store_id>/menu/price-lists", scope="menu:read")
async def list_price_lists(visit: Visit, store_id: int) -> Response:
    """List the price lists in the order in which they count."""
    lists = await visit.api.get(LISTS, id=store_id)
    labels = dict([*visit.store.list_modes(), *_list_choices(CHANNELS)])
    return await visit.render("dashboard/price_lists.html", lists=lists, labels=labels)


@dashboard.get("/stores/<int:store_id>/menu/price-lists/new", scope="menu:write")
async def show_new_price_list(visit: Visit, store_id: int) -> Response:
    """Show an empty form."""
    return await _render(visit, visit.form("POST", LISTS), None)


@dashboard.post("/stores/<int:store_id>/menu/price-lists/new", scope="menu:write")
async def create_price_list(visit: Visit, store_id: int) -> Response:
    form = await visit.read_form("POST", LISTS, id=store_id)
    if (found := await _submit(visit, form, None)) is None:
        return await _render(visit, form, None)
    notice = _("Price list %(name)s created.", name=found["name"])
    return visit.redirect(f"/stores/{store_id}/menu/price-lists", notice=notice)


@dashboard.get("/stores/<int:store_id>/menu/price-lists/<int:list_id>", scope="menu:read")
async def show_price_list(visit: Visit, store_id: int, list_id: int) -> Response:
    """Show a price list and its form."""
    found = await visit.api.get(LIST, id=store_id, priceListId=list_id)
    return await _render(visit, visit.form("PATCH", LIST, _to_shown(found, visit.store.currency)), found)


@dashboard.post("/stores/<int:store_id>/menu/price-lists/<int:list_id>", scope="menu:write")
async def update_price_list(visit: Visit, store_id: int, list_id: int) -> Response:
    found = await visit.api.get(LIST, id=store_id, priceListId=list_id)
    form = await visit.read_form("PATCH", LIST, id=store_id, priceListId=list_id)
    if (saved := await _submit(visit, form, found)) is None:
        return await _render(visit, form, found)
    notice = _("Price list %(name)s saved.", name=saved["name"])
    return visit.redirect(f"/stores/{store_id}/menu/price-lists", notice=notice)


@dashboard.post("/stores/<int:store_id>/menu/price-lists/<int:list_id>/active", scope="menu:write")
async def switch_price_list(visit: Visit, store_id: int, list_id: int) -> Response:
    """Switch a price list on or off."""
    is_active = (await visit.read_texts()).get("is_active") == "true"
    return await visit.act(
        "PATCH", LIST, body={"is_active": is_active}, to=f"/stores/{store_id}/menu/price-lists", id=store_id,
        priceListId=list_id,
        notice=_("Price list switched on.") if is_active else _("Price list switched off."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/menu/price-lists/<int:list_id>/delete", scope="menu:write")
async def delete_price_list(visit: Visit, store_id: int, list_id: int) -> Response:
    return await visit.act(
        "DELETE", LIST, to=f"/stores/{store_id}/menu/price-lists", notice=_("Price list deleted."), id=store_id,
        priceListId=list_id,
    )  # fmt: skip


async def _submit(visit: Visit, form: Form, before: Mapping[str, Any] | None) -> Any:
    """Send what the form says: the windows that were filled in, and prices that the page did not show stay."""
    sent = dict(form.values)
    texts = {name: text.strip() for name, text in (await visit.read_texts()).items() if name.startswith(PRICE)}
    prices = [
        each for each in (before or {}).get("prices", ()) if _to_name(each["item_id"], each["variation"]) not in texts
    ]
    prices += [
        {"item_id": parse_id(item), "variation": parse_id(variant), "price": to_number(text, None, visit.decimals)}
        for name, text in texts.items()
        for item, _dot, variant in [name.removeprefix(PRICE).partition(".")]
        if text
    ]
    form.values = {**sent, "prices": prices, "valid_at": take_windows(sent.get("valid_at"))}
    saved = await form.submit()
    form.values = {**sent, "prices": prices}
    return saved


def _to_name(item_id: int, variant_id: int | None) -> str:
    return f"{PRICE}{item_id}.{variant_id or ''}"


async def _render(visit: Visit, form: Form, found: Mapping[str, Any] | None) -> Response:
    menu = await visit.api.get("/restaurants/{id}/menu", id=visit.store.id)
    windows = form.values.get("valid_at") or ()
    for name in ("modes", "category_ids"):
        form.values[name] = [str(each) for each in form.values.get(name) or ()]
    prices = {_to_name(each["item_id"], each["variation"]): each["price"] for each in form.values.get("prices") or ()}
    return await visit.render(
        "dashboard/price_list.html", form=form, price_list=found, modes=visit.store.list_modes(),
        channels=_list_choices(CHANNELS), weekdays=list_weekdays(), windows=min(MAX_WINDOWS, len(windows) + 1),
        categories=[(str(each["id"]), each["name"]) for each in menu],
        sections=list(_list_sections(menu, prices, visit.query("category").get("category"))), decimals=visit.decimals,
    )  # fmt: skip


def _list_sections(menu: Sequence[Any], prices: Mapping[str, Any], chosen: str | None) -> Iterator[Mapping[str, Any]]:
    """Yield each category with the prices of its items: name of the input, label, price on the menu and in the list."""
    sections = [(category, list(_list_prices(category, prices))) for category in menu]
    is_small = sum(len(rows) for _category, rows in sections) <= MAX_PRICES
    for category, rows in sections:
        is_open = any(row["price"] is not None for row in rows)
        is_shown = is_small or str(category["id"]) == chosen
        shown = rows if is_shown else [row for row in rows if row["price"] is not None]
        yield {
            "id": category["id"],
            "name": category["name"],
            "rows": shown[:MAX_PRICES],
            "is_open": is_open or (not is_small and is_shown),
            "is_left_out": not is_shown,
        }


def _list_prices(category: Mapping[str, Any], prices: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for item in category["items"]:
        choices = [(None, item["name"], item["price"])] if not item["variations"] else []
        choices += [(each["id"], f"{item['name']}, {each['name']}", each["price"]) for each in item["variations"]]
        for variant_id, label, price in choices:
            name = _to_name(item["id"], variant_id)
            yield {"name": name, "label": label, "menu_price": price, "price": prices.get(name)}


def _to_shown(found: Mapping[str, Any], currency: str) -> dict[str, Any]:
    """Return a price list with its amounts as texts of all decimals of the currency."""
    decimals = money.get_exponent(currency)
    amounts = {name: f"{found[name]:.{decimals}f}" for name in AMOUNTS if found[name]}
    return {
        **found,
        **amounts,
        "percent": None if found["percent"] is None else f"{found['percent']:g}",
        "minus": amounts.get("minus"),
        "prices": [{**each, "price": f"{each['price']:.{decimals}f}"} for each in found["prices"]],
    }


def _list_choices(labels: Mapping[Any, str]) -> list[tuple[str, str]]:
    return [(str(value), _(label)) for value, label in labels.items()]
