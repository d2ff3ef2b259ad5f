"""The menu of a store: its categories and items on one page, with search, and what is done there in one tap."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from comanda.basics import ComandaError, clock
from comanda.contracts import parse_id, parse_ids
from comanda.web import gettext as _
from comanda.web import ngettext
from comanda.web.dashboard import REFUSALS, Visit, get_sentence
from quart import Response, request

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.menu.fields import list_bulk_fields

# A menu up to this size is shown whole, a larger one by category.
MAX_WHOLE_MENU: Final = 100
PER_PAGE: Final = 50
FILTERS: Final = ("search", "category", "availability", "page")
AVAILABILITIES: Final = ("available", "sold_out", "hidden")
# What is sold out today is back at this hour of the store, after the last guests of the night.
RETURN_HOUR: Final = 5
ITEM_PATH: Final = "/restaurants/{id}/menu/items/{itemId}"


@dataclass(frozen=True, slots=True)
class MenuSection:
    """Items below the name of their category; without a category they are what a search found."""

    category: Mapping[str, Any] | None
    items: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class MenuPage:
    """What the page shows of a menu: sections, and the envelope of the list that they come from."""

    categories: Sequence[Mapping[str, Any]]
    sections: Sequence[MenuSection]
    envelope: Mapping[str, Any]
    items_count: int
    category_id: int | None


@dashboard.get("/stores/<int:store_id>/menu", scope="menu:read")
async def show_menu(visit: Visit, store_id: int) -> Response:
    """Show categories and items, all of them or those of a category or a search."""
    filters = visit.query(*FILTERS)
    menu = await _load_menu(visit, store_id, filters)
    if not menu.categories:
        return await visit.render("dashboard/menu_empty.html", **await _load_starters(visit, store_id))
    form = visit.form("POST", "/restaurants/{id}/menu/categories") if visit.may("menu:write") else None
    return await visit.render(
        "dashboard/menu.html", menu=menu, filters=filters, availabilities=AVAILABILITIES, category_form=form,
        item_states=list_item_states(), bulk_fields=list_bulk_fields(visit.store.store_type),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/menu/positions", scope="menu:write")
async def sort_menu(visit: Visit, store_id: int) -> Response:
    """Put categories or items into the order that was sent, with one of them moved up or down."""
    sent = await request.form
    for field in ("category_ids", "item_ids"):
        ids = move(parse_ids(sent.getlist(field)), sent.get("move", ""))
        if ids:
            to = await get_menu_path(visit)
            return await visit.act("PUT", "/restaurants/{id}/menu/positions", body={field: ids}, to=to, id=store_id)
    return visit.redirect(await get_menu_path(visit))


@dashboard.post("/stores/<int:store_id>/menu/items/<int:item_id>/sold-out", scope="menu:write")
async def set_sold_out(visit: Visit, store_id: int, item_id: int) -> Response:
    """Mark an item as sold out, today or until it is changed, or as available."""
    body = get_sold_out_body((await visit.read_texts()).get("sold_out", ""), visit.zone)
    notice = _("Sold out.") if body["is_sold_out"] else _("Available again.")
    return await visit.act(
        "PATCH", f"{ITEM_PATH}/sold-out", body=body, to=await get_menu_path(visit), notice=notice, id=store_id,
        itemId=item_id,
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/menu/bulk", scope="menu:write")
async def change_items(visit: Visit, store_id: int) -> Response:
    """Do the same with all selected items."""
    sent, to = await request.form, await get_menu_path(visit)
    ids = parse_ids(sent.getlist("selected"))
    if not ids:
        return visit.redirect(to, problem=_("Select at least one item."))
    match sent.get("action", "").partition(":"):
        case ("prices", *_rest):
            return visit.redirect(f"/stores/{store_id}/menu/prices?{urlencode([('item', id) for id in ids])}")
        case ("fields", *_rest):
            code = quote(sent.get("capability", ""), safe="")
            return visit.redirect(f"/stores/{store_id}/menu/fields/{code}?{urlencode([('item', id) for id in ids])}")
        case ("delete", *_rest):
            return await visit.act(
                "POST", "/restaurants/{id}/menu/items/delete", body={"item_ids": ids}, to=to, id=store_id,
                notice=_("%(count)s items deleted.", count=len(ids)),
            )  # fmt: skip
        case (action, _separator, value):
            changes = get_changes(action, value or sent.get("category_id", ""), visit.zone)
    if not changes:
        return visit.redirect(to, problem=_("Choose what to do with the selected items."))
    return await visit.act(
        "PATCH", "/restaurants/{id}/menu/items", body={"item_ids": ids, **changes}, to=to, id=store_id,
        notice=ngettext("%(num)s item changed.", "%(num)s items changed.", len(ids)),
    )  # fmt: skip


@dashboard.get("/stores/<int:store_id>/menu/export.<form>", scope="menu:read")
async def export_menu(visit: Visit, store_id: int, form: str) -> Response:
    """Send the whole menu as a file, CSV or JSON."""
    answer = await visit.api.send("GET", "/restaurants/{id}/menu/export", query={"format": form}, id=store_id)
    name = f"{visit.store.slug}-menu.{form}"
    return Response(
        answer.body,
        content_type=answer.content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )


def move(ids: Sequence[int], direction: str) -> list[int]:
    """Return ids with one of them moved by a place: ``up:7`` or ``down:7``."""
    way, _separator, text = direction.partition(":")
    moved = list(ids)
    if (id := parse_id(text)) in moved:
        at = moved.index(id)
        to = min(max(at + (-1 if way == "up" else 1), 0), len(moved) - 1)
        moved.insert(to, moved.pop(at))
    return moved


def get_sold_out_body(choice: str, zone: ZoneInfo) -> dict[str, Any]:
    """Return the body for a choice: ``today``, ``on`` until it is changed, or ``off``."""
    if choice == "today":
        return {"is_sold_out": True, "until": get_return_time(clock.now(), zone).isoformat()}
    return {"is_sold_out": choice != "off"}


def get_return_time(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return the next morning in a store's time zone, when what is sold out today is available again."""
    local = moment.astimezone(zone)
    morning = local.replace(hour=RETURN_HOUR, minute=0, second=0, microsecond=0)
    return morning if local < morning else morning + timedelta(days=1)


def get_changes(action: str, value: str, zone: ZoneInfo) -> dict[str, Any]:
    """Return the fields that an action on selected items changes, or none for an unknown action."""
    match action:
        case "sold_out":
            return get_sold_out_body(value, zone)
        case "show" | "hide":
            return {"is_active": action == "show"}
        case "popular":
            return {"is_popular": value != "off"}
        case "move" if (category_id := parse_id(value)) is not None:
            return {"category_id": category_id}
    return {}


def list_item_states() -> Mapping[str, str]:
    """Return the names of availabilities."""
    return {"available": _("Available"), "sold_out": _("Sold out"), "hidden": _("Hidden")}


async def get_menu_path(visit: Visit) -> str:
    """Return the path of the menu with the filters that the form was sent from."""
    sent = await visit.read_texts()
    filters = {name: value for name in FILTERS if (value := sent.get(f"_{name}", ""))}
    return f"/stores/{visit.store.id}/menu{'?' if filters else ''}{urlencode(filters)}"


async def _load_menu(visit: Visit, store_id: int, filters: Mapping[str, str]) -> MenuPage:
    categories = await visit.api.get("/restaurants/{id}/menu/categories", id=store_id)
    total = sum(category["items_count"] for category in categories)
    is_search = bool(filters.get("search") or filters.get("availability"))
    by_id = {category["id"]: category for category in categories}
    category = by_id.get(parse_id(filters.get("category")) or 0)
    if category is None and not is_search and total > MAX_WHOLE_MENU:
        category = categories[0]
    is_whole = category is None and not is_search
    query = {
        "search": filters.get("search"),
        "availability": filters.get("availability"),
        "category_id": category["id"] if category else None,
        "page": filters.get("page"),
        "per_page": MAX_WHOLE_MENU if is_whole else PER_PAGE,
    }
    envelope = await visit.api.get("/restaurants/{id}/menu/items", id=store_id, query=query)
    items = envelope["data"]
    if is_whole:
        sections = [
            MenuSection(each, [item for item in items if item["category_id"] == each["id"]]) for each in categories
        ]
    else:
        sections = [MenuSection(None if is_search else category, items)]
    return MenuPage(categories, sections, envelope, total, category["id"] if category else None)


async def _load_starters(visit: Visit, store_id: int) -> Mapping[str, Any]:
    path = "/restaurants/{id}/menu/starter"
    if not (visit.api.has("GET", path) and visit.api.has("POST", path)):
        return {"starters": []}
    try:
        return {"starters": (await visit.api.get(path, id=store_id))["menus"]}
    except ComandaError as error:
        # Stores that serve no food have none.
        if error.status not in REFUSALS:
            raise
        return {"starters": [], "sentence": get_sentence(error)}
