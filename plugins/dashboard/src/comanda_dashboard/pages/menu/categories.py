"""Categories of a menu: created, renamed, hidden, deleted, and routed to a station of the kitchen."""

from typing import Any, Final

from comanda.basics import NotFound
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.menu import stations

CATEGORIES_PATH: Final = "/restaurants/{id}/menu/categories"
CATEGORY_PATH: Final = f"{CATEGORIES_PATH}/{{categoryId}}"


@dashboard.get("/stores/<int:store_id>/menu/categories/new", scope="menu:write")
async def show_new_category(visit: Visit, store_id: int) -> Response:
    """Show an empty form."""
    return await visit.render("dashboard/menu_category.html", form=visit.form("POST", CATEGORIES_PATH), category=None)


@dashboard.post("/stores/<int:store_id>/menu/categories/new", scope="menu:write")
async def create_category(visit: Visit, store_id: int) -> Response:
    """Create a category at the end of the menu."""
    form = await visit.read_form("POST", CATEGORIES_PATH, id=store_id)
    known = await visit.api.get(CATEGORIES_PATH, id=store_id)
    form.values.setdefault("position", max((each["position"] for each in known), default=0) + 1)
    if (created := await form.submit()) is None:
        return await visit.render("dashboard/menu_category.html", form=form, category=None)
    return visit.redirect(f"/stores/{store_id}/menu#category-{created['id']}", notice=_("Category created."))


@dashboard.get("/stores/<int:store_id>/menu/categories/<int:category_id>", scope="menu:read")
async def show_category(visit: Visit, store_id: int, category_id: int) -> Response:
    """Show a category and its form."""
    category = await _get_category(visit, category_id)
    form = visit.form("PUT", CATEGORY_PATH, category)
    return await visit.render(
        "dashboard/menu_category.html", form=form, category=category,
        kitchen=await stations.load_stations(visit, "category", category_id),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/menu/categories/<int:category_id>", scope="menu:write")
async def update_category(visit: Visit, store_id: int, category_id: int) -> Response:
    """Rename a category, show or hide it."""
    category = await _get_category(visit, category_id)
    form = await visit.read_form("PUT", CATEGORY_PATH, id=store_id, categoryId=category_id)
    # Null would leave the name as it is.
    form.values["name"] = form.values.get("name") or ""
    if await form.submit() is None:
        return await visit.render("dashboard/menu_category.html", form=form, category=category, kitchen=None)
    return visit.redirect(f"/stores/{store_id}/menu#category-{category_id}", notice=_("Category saved."))


@dashboard.post("/stores/<int:store_id>/menu/categories/<int:category_id>/delete", scope="menu:write")
async def delete_category(visit: Visit, store_id: int, category_id: int) -> Response:
    """Delete an empty category."""
    return await visit.act(
        "DELETE", CATEGORY_PATH, to=f"/stores/{store_id}/menu", notice=_("Category deleted."), id=store_id,
        categoryId=category_id,
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/menu/categories/<int:category_id>/station", scope="restaurants:write")
async def route_category(visit: Visit, store_id: int, category_id: int) -> Response:
    """Choose the station of the kitchen that makes the items of a category."""
    return await stations.save_station(
        visit, "category", category_id, f"/stores/{store_id}/menu/categories/{category_id}"
    )


async def _get_category(visit: Visit, category_id: int) -> dict[str, Any]:
    for category in await visit.api.get(CATEGORIES_PATH, id=visit.store.id):
        if category["id"] == category_id:
            return dict(category)
    raise NotFound
