"""A new store."""

from typing import Any, Final

from comanda.web import N_, current_language, list_countries, list_currencies, list_time_zones
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_dashboard.pages import dashboard

STORES: Final = "/restaurants"
CAPABILITY_LABELS: Final = {
    "modifiers": N_("Extras and options"),
    "dietary": N_("Diets and calories"),
    "food_information": N_("Allergens and diets"),
    "nutrition": N_("Nutrition facts"),
    "packaging": N_("Unit prices and container deposits"),
    "by_weight": N_("Goods sold by weight"),
    "product_safety": N_("Manufacturers and warnings"),
    "kds": N_("Kitchen display"),
    "tables": N_("Tables"),
    "variants": N_("Variants"),
    "stock": N_("Stock"),
    "brand": N_("Brands"),
    "fitment": N_("Parts by vehicle"),
    "age_gate": N_("Age check"),
    "expiry": N_("Best-before dates"),
    "reservations": N_("Reservations"),
    "rooms": N_("Rooms and stays"),
    "shipping": N_("Shipping"),
    "appointments": N_("Appointments"),
}


@dashboard.get("/stores/new", scope="restaurants:write")
async def show_new_store(visit: Visit) -> Response:
    """Show the form of a new store, with the country and currency of the newest one."""
    values: dict[str, Any] = {}
    if visit.stores:
        last = max(visit.stores, key=lambda store: store.id)
        values = {"currency": last.currency, "timezone": last.timezone, "country": last.country}
    return await _render(visit, visit.form("POST", STORES, values))


@dashboard.post("/stores/new", scope="restaurants:write")
async def create_store(visit: Visit) -> Response:
    """Create a store and go to its settings."""
    form = await visit.read_form("POST", STORES)
    if not form.values.get("slug"):
        form.values.pop("slug", None)
    if (store := await form.submit()) is None:
        return await _render(visit, form)
    return visit.redirect(f"/stores/{store['id']}/settings", notice=_("%(title)s created.", title=store["title"]))


async def _render(visit: Visit, form: Form) -> Response:
    types = await visit.api.get("/store-types")
    for each in types:
        each["label"] = _(each["label"])
        each["abilities"] = [
            _(CAPABILITY_LABELS.get(code, code.replace("_", " ").capitalize()))
            for code, has in each["capabilities"].items()
            if has
        ]
    return await visit.render(
        "dashboard/settings/new_store.html",
        form=form,
        types=types,
        countries=list_countries(current_language().code),
        currencies=list_currencies(current_language().code),
        time_zones=list_time_zones(),
    )
