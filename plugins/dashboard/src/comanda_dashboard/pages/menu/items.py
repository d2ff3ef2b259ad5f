"""Items of a menu: created, changed, copied and deleted, with variations, extras and the fields of capabilities."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import parse_id
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.menu import stations
from comanda_dashboard.pages.menu.fields import LISTS, create_item_form, list_capability_fields, read_item_form

ITEMS_PATH: Final = "/restaurants/{id}/menu/items"
ITEM_PATH: Final = f"{ITEMS_PATH}/{{itemId}}"
# What belongs to one item and is not copied.
OWN_FIELDS: Final = frozenset(
    {"id", "is_sold_out", "sold_out_until", "is_sold_now", "sold_now_changes_at", "variants_count"}
)


@dashboard.get("/stores/<int:store_id>/menu/items/new", scope="menu:write")
async def show_new_item(visit: Visit, store_id: int) -> Response:
    """Show an empty form, or one with the values of the item that is copied."""
    query = visit.query("category", "copy")
    values: dict[str, Any] = {"is_active": True}
    if (copied_id := parse_id(query.get("copy"))) is not None:
        values = copy_item(await visit.api.get(ITEM_PATH, id=store_id, itemId=copied_id))
    elif (category_id := parse_id(query.get("category"))) is not None:
        values["category_id"] = category_id
    return await _render(visit, create_item_form(visit, values), None)


@dashboard.post("/stores/<int:store_id>/menu/items/new", scope="menu:write")
async def create_item(visit: Visit, store_id: int) -> Response:
    """Create an item; with the button "save and add another" show the next empty form."""
    form = await read_item_form(visit, "POST", ITEMS_PATH, id=store_id)
    # An item is created with what is not null only.
    form.values = {name: value for name, value in form.values.items() if value is not None}
    if (item := await form.submit()) is None:
        return await _render(visit, form, None)
    notice = _("%(name)s created.", name=item["name"])
    if "_another" in await visit.read_texts():
        return visit.redirect(f"/stores/{store_id}/menu/items/new?category={item['category_id']}", notice=notice)
    return visit.redirect(f"/stores/{store_id}/menu/items/{item['id']}", notice=notice)


@dashboard.get("/stores/<int:store_id>/menu/items/<int:item_id>", scope="menu:read")
async def show_item(visit: Visit, store_id: int, item_id: int) -> Response:
    """Show an item with its form, photos and what plugins know of it."""
    item = await visit.api.get(ITEM_PATH, id=store_id, itemId=item_id)
    return await _render(visit, create_item_form(visit, item), item)


@dashboard.post("/stores/<int:store_id>/menu/items/<int:item_id>", scope="menu:write")
async def update_item(visit: Visit, store_id: int, item_id: int) -> Response:
    item = await visit.api.get(ITEM_PATH, id=store_id, itemId=item_id)
    form = await read_item_form(visit, "PUT", ITEM_PATH, id=store_id, itemId=item_id)
    sent, stock_seen = dict(form.values), (await visit.read_texts()).get("_stock")
    form.values = get_item_changes(sent, item, stock_seen)
    saved = await form.submit()
    form.values = sent
    if saved is None:
        return await _render(visit, form, item)
    return visit.redirect(f"/stores/{store_id}/menu/items/{item_id}", notice=_("Item saved."))


@dashboard.post("/stores/<int:store_id>/menu/items/<int:item_id>/delete", scope="menu:write")
async def delete_item(visit: Visit, store_id: int, item_id: int) -> Response:
    to = f"/stores/{store_id}/menu"
    return await visit.act("DELETE", ITEM_PATH, to=to, notice=_("Item deleted."), id=store_id, itemId=item_id)


@dashboard.post("/stores/<int:store_id>/menu/items/<int:item_id>/extras", scope="menu:write")
async def copy_extras(visit: Visit, store_id: int, item_id: int) -> Response:
    """Add copies of another item's groups of extras."""
    to = f"/stores/{store_id}/menu/items/{item_id}"
    source_id = parse_id((await visit.read_texts()).get("source", "").rpartition("#")[2].strip())
    if source_id is None:
        return visit.redirect(to, problem=_("Choose an item from the list."))
    item = await visit.api.get(ITEM_PATH, id=store_id, itemId=item_id)
    source = await visit.api.get(ITEM_PATH, id=store_id, itemId=source_id)
    if not source["extra_groups"]:
        return visit.redirect(to, problem=_("%(name)s has no extras.", name=source["name"]))
    groups = [*item["extra_groups"], *without_ids(source["extra_groups"])]
    return await visit.act(
        "PUT", ITEM_PATH, body={"extra_groups": groups}, to=to, id=store_id, itemId=item_id,
        notice=_("Extras of %(name)s added.", name=source["name"]),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/menu/items/<int:item_id>/station", scope="restaurants:write")
async def route_item(visit: Visit, store_id: int, item_id: int) -> Response:
    """Choose the station of the kitchen that makes an item."""
    return await stations.save_station(visit, "item", item_id, f"/stores/{store_id}/menu/items/{item_id}")


@dashboard.get("/stores/<int:store_id>/menu/item-names", scope="menu:read")
async def list_item_names(visit: Visit, store_id: int) -> Response:
    """Send choices of items by name, and of their variations, for inputs that complete what is typed."""
    asked = visit.query("search", "variations")
    query = {"search": asked.get("search"), "per_page": 20}
    items = await visit.api.get(ITEMS_PATH, id=store_id, query=query)
    return await visit.answer_fragment(
        "dashboard/_menu_item_names.html", items=items["data"], has_variations="variations" in asked
    )


def get_item_changes(sent: Mapping[str, Any], item: Mapping[str, Any], stock_seen: str | None) -> dict[str, Any]:
    """Return what a form changes in an item.

    Lists that are the same are left out, because replacing extras would end their time of being sold out, and so is
    the stock that the page had shown, because orders may have reduced it since.
    """
    same = {name for name in LISTS if matches(sent.get(name), item.get(name))}
    if stock_seen is not None and stock_seen == ("" if sent.get("stock") is None else str(sent["stock"])):
        same.add("stock")
    return {name: value for name, value in sent.items() if name not in same}


def matches(sent: Any, current: Any) -> bool:
    """Return whether everything that was sent is so already; lists must have the same length."""
    if isinstance(sent, Mapping):
        return isinstance(current, Mapping) and all(matches(value, current.get(name)) for name, value in sent.items())
    if isinstance(sent, list):
        has_length = isinstance(current, list) and len(sent) == len(current)
        return has_length and all(map(matches, sent, current))
    return bool(sent == current)


def copy_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a new item that is like another one."""
    values = {name: value for name, value in item.items() if name not in OWN_FIELDS}
    values["name"] = _("%(name)s (copy)", name=item["name"])
    values["variations"] = without_ids(item["variations"])
    values["extra_groups"] = without_ids(item["extra_groups"])
    return values


def without_ids(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return variations or groups of extras as new ones."""
    return [
        {name: without_ids(value) if name == "extras" else value for name, value in row.items() if name != "id"}
        for row in rows
    ]


async def _render(visit: Visit, form: Form, item: Mapping[str, Any] | None) -> Response:
    store_id = visit.store.id
    categories = await visit.api.get("/restaurants/{id}/menu/categories", id=store_id)
    panels = [] if item is None else await visit.load_panels("item", item["id"])
    kitchen = None if item is None else await stations.load_stations(visit, "item", item["id"])
    sources = None
    if item is not None and visit.may("menu:write"):
        sources = await visit.api.get(ITEMS_PATH, id=store_id, query={"per_page": 100})
    return await visit.render(
        "dashboard/menu_item.html", form=form, item=item, categories=[(str(each["id"]), each["name"])
        for each in categories], capabilities=list_capability_fields(visit.store.store_type), panels=panels,
        kitchen=kitchen, sources=[each for each in sources["data"] if each["extra_groups"]] if sources else [],
    )  # fmt: skip
