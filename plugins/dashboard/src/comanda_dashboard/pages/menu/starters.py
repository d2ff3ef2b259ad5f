"""Starter menus: complete menus that an empty store can begin with."""

from typing import Final

from comanda.basics import ComandaError
from comanda.web import gettext as _
from comanda.web.dashboard import REFUSALS, Visit, get_sentence
from quart import Response

from comanda_dashboard.pages import dashboard

STARTER_PATH: Final = "/restaurants/{id}/menu/starter"


@dashboard.get("/stores/<int:store_id>/menu/starters", scope="menu:write")
async def show_starters(visit: Visit, store_id: int) -> Response:
    """Show the starter menus, or one of them with its items."""
    try:
        found = await visit.api.get(STARTER_PATH, id=store_id, query=visit.query("preset"))
    except ComandaError as error:
        if error.status not in REFUSALS:
            raise
        return visit.redirect(f"/stores/{store_id}/menu", problem=get_sentence(error))
    starter = found["menus"][0] if visit.query("preset") else None
    form = visit.form("POST", STARTER_PATH, {"price_factor": 1})
    return await visit.render("dashboard/menu_starters.html", starters=found["menus"], starter=starter, form=form)


@dashboard.post("/stores/<int:store_id>/menu/starters", scope="menu:write")
async def install_starter(visit: Visit, store_id: int) -> Response:
    """Install a starter menu in an empty menu."""
    form = await visit.read_form("POST", STARTER_PATH, id=store_id)
    if (installed := await form.submit()) is None:
        preset = str(form.values.get("preset", ""))
        found = await visit.api.get(STARTER_PATH, id=store_id)
        known = any(each["preset"] == preset for each in found["menus"])
        shown = await visit.api.get(STARTER_PATH, id=store_id, query={"preset": preset}) if known else found
        starter = shown["menus"][0] if known else None
        return await visit.render("dashboard/menu_starters.html", starters=found["menus"], starter=starter, form=form)
    notice = _("%(count)s items added. Change names and prices to yours.", count=installed["items_count"])
    return visit.redirect(f"/stores/{store_id}/menu", notice=notice)
