"""Fields of a capability, changed in many items at once."""

from typing import Final

from comanda.contracts import parse_ids
from comanda.web import ngettext
from comanda.web.dashboard import Form, Visit
from quart import Response, request

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.menu import fields
from comanda_dashboard.pages.menu.prices import MAX_CHOSEN

PATH: Final = "/stores/<int:store_id>/menu/fields/<capability>"


@dashboard.get(PATH, scope="menu:write")
async def show_fields(visit: Visit, store_id: int, capability: str) -> Response:
    """Show an empty form of a capability for selected items. Raises ``NotFound`` for one of another store type."""
    return await _render(visit, capability, fields.create_fields_form(visit, capability), request.args.getlist("item"))


@dashboard.post(PATH, scope="menu:write")
async def change_fields(visit: Visit, store_id: int, capability: str) -> Response:
    """Give all selected items these values."""
    chosen = (await request.form).getlist("_item")
    form = await fields.read_fields_form(visit, capability, parse_ids(chosen[:MAX_CHOSEN]))
    if (changed := await form.submit()) is None:
        return await _render(visit, capability, form, chosen)
    notice = ngettext("%(num)s item changed.", "%(num)s items changed.", changed["items_count"])
    return visit.redirect(f"/stores/{store_id}/menu", notice=notice)


async def _render(visit: Visit, code: str, form: Form, chosen: list[str]) -> Response:
    (found,) = (each for each in fields.list_bulk_fields(visit.store.store_type) if each.code == code)
    item_ids = parse_ids(chosen[:MAX_CHOSEN])
    return await visit.render("dashboard/menu_fields.html", capability=found, form=form, item_ids=item_ids)
