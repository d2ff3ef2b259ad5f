"""The tables of a store, and the rules of its reservations."""

from typing import Any

from comanda.platform import runtime
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_reservations.pages.dashboard import READ, SETTINGS, TABLES, WRITE, dashboard
from comanda_reservations.services.reservation_rules import REMOVABLE

TABLE = f"{TABLES}/{{tableId}}"


@dashboard.get("/stores/<int:store_id>/reservations/tables", scope=READ)
async def list_tables(visit: Visit, store_id: int) -> Response:
    """Show the tables, and the rules by which they are reserved."""
    return await _render_tables(visit, None)


@dashboard.post("/stores/<int:store_id>/reservations/tables", scope=WRITE)
async def update_settings(visit: Visit, store_id: int) -> Response:
    """Save the rules of reservations."""
    form = await visit.read_form("PUT", SETTINGS, id=store_id)
    # Only the number of seats and the deposit may be removed; what else is left empty stays.
    form.values = {name: value for name, value in form.values.items() if value is not None or name in REMOVABLE}
    if await form.submit() is None:
        return await _render_tables(visit, form)
    return visit.redirect(f"/stores/{store_id}/reservations/tables", notice=_("Rules saved."))


@dashboard.get("/stores/<int:store_id>/reservations/tables/new", scope=WRITE)
async def show_new_table(visit: Visit, store_id: int) -> Response:
    return await _render_table(visit, visit.form("POST", TABLES, {"seats": 4}), None)


@dashboard.post("/stores/<int:store_id>/reservations/tables/new", scope=WRITE)
async def create_table(visit: Visit, store_id: int) -> Response:
    form = await visit.read_form("POST", TABLES, id=store_id)
    if await form.submit() is None:
        return await _render_table(visit, form, None)
    return visit.redirect(f"/stores/{store_id}/reservations/tables", notice=_("Table created."))


@dashboard.get("/stores/<int:store_id>/reservations/tables/<int:table_id>", scope=READ)
async def show_table(visit: Visit, store_id: int, table_id: int) -> Response:
    """Show a table to change it."""
    table = await visit.api.get(TABLE, id=store_id, tableId=table_id)
    return await _render_table(visit, visit.form("PUT", TABLE, table), table)


@dashboard.post("/stores/<int:store_id>/reservations/tables/<int:table_id>", scope=WRITE)
async def update_table(visit: Visit, store_id: int, table_id: int) -> Response:
    form = await visit.read_form("PUT", TABLE, id=store_id, tableId=table_id)
    if await form.submit() is None:
        return await _render_table(visit, form, await visit.api.get(TABLE, id=store_id, tableId=table_id))
    return visit.redirect(f"/stores/{store_id}/reservations/tables", notice=_("Table saved."))


@dashboard.post("/stores/<int:store_id>/reservations/tables/<int:table_id>/delete", scope=WRITE)
async def delete_table(visit: Visit, store_id: int, table_id: int) -> Response:
    """Delete a table that is not reserved."""
    notice = _("Table deleted.")
    return await visit.act(
        "DELETE", TABLE, to=f"/stores/{store_id}/reservations/tables", notice=notice, id=store_id, tableId=table_id
    )


async def _render_tables(visit: Visit, form: Form | None) -> Response:
    settings = await visit.api.get(SETTINGS, id=visit.store.id)
    site = runtime.registry().guest_site_url(runtime.settings().site_url, visit.store.id)
    return await visit.render(
        "reservations/dashboard/tables.html",
        form=form or visit.form("PUT", SETTINGS, settings),
        waitlist_url=f"{site}/s/{visit.store.slug}/waitlist",
        tables=await visit.api.get(TABLES, id=visit.store.id, query=visit.query("page")),
    )


async def _render_table(visit: Visit, form: Form, table: dict[str, Any] | None) -> Response:
    return await visit.render("reservations/dashboard/table.html", form=form, table=table)
