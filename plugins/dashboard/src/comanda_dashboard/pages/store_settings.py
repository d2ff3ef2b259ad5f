"""Settings of a store: general ones, order intake, taxes, and those that plugins add."""

from base64 import b64encode
from typing import Any, Final

from comanda.basics import NotFound
from comanda.platform import runtime
from comanda.web import N_, current_language, list_countries, list_time_zones
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_dashboard.pages import dashboard

SETTINGS: Final = "/restaurants/{id}/settings"
PICTURE: Final = "/restaurants/{id}/pictures/{kind}"
INTAKE: Final = "/restaurants/{id}/intake-status"
FORMS: Final = "/restaurants/{id}/settings-forms"
CUSTOMERS: Final = "/restaurants/{id}/customers"

TABS: Final = (
    ("", N_("General")),
    ("/orders", N_("Taking orders")),
    ("/hours", N_("Opening hours")),
    ("/taxes", N_("Taxes and charges")),
)
# Texts that the API leaves as they are when they are null; a person who empties the field wants them gone.
CLEARED_TEXTS: Final = ("phone", "address")
CLEARED_RATES: Final = ("tax_rate", "service_charge_rate", "service_charge_amount", "cash_rounding")


async def list_tabs(visit: Visit, current: str) -> list[tuple[str, str, bool]]:
    """List the tabs of a store's settings: core's, one for each plugin with settings, and privacy."""
    base = f"/stores/{visit.store.id}/settings"
    plugins = await visit.api.get(FORMS, id=visit.store.id)
    entries = [(_(label), path) for path, label in TABS]
    entries += [(_(form["title"]), f"/plugins/{form['plugin']}") for form in plugins]
    if visit.api.has("GET", CUSTOMERS):
        entries.append((_("Privacy"), "/privacy"))
    return [(label, f"/dashboard{base}{path}", path == current) for label, path in entries]


def list_modes(visit: Visit) -> list[tuple[str, str]]:
    """List the fulfillment modes of the store's type with their labels."""
    registry = runtime.registry()
    vertical = registry.verticals.get(visit.store.store_type)
    codes = vertical.fulfillment_modes if vertical is not None else ()
    return [(code, _(registry.fulfillment_modes[code].label)) for code in codes if code in registry.fulfillment_modes]


@dashboard.get("/stores/<int:store_id>/settings", scope="restaurants:read")
async def show_settings(visit: Visit, store_id: int) -> Response:
    """Show what the store is called, where it is, and who sees it."""
    values = await visit.api.get(SETTINGS, id=store_id)
    return await _render_general(visit, visit.form("PUT", SETTINGS, values), values)


@dashboard.post("/stores/<int:store_id>/settings", scope="restaurants:write")
async def update_settings(visit: Visit, store_id: int) -> Response:
    """Save what the store is called, where it is, and who sees it."""
    form = await visit.read_form("PUT", SETTINGS, id=store_id)
    for name in CLEARED_TEXTS:
        form.values[name] = form.values.get(name) or ""
    if await form.submit() is None:
        return await _render_general(visit, form, await visit.api.get(SETTINGS, id=store_id))
    return visit.redirect(f"/stores/{store_id}/settings", notice=_("Settings saved."))


@dashboard.post("/stores/<int:store_id>/settings/pictures/<kind>", scope="restaurants:write")
async def set_picture(visit: Visit, store_id: int, kind: str) -> Response:
    """Replace the logo or the cover by the file that was sent."""
    to = f"/stores/{store_id}/settings#pictures"
    files = await visit.read_files("photo")
    if not files:
        return visit.redirect(to, problem=_("Choose a picture."))
    body = {"image_base64": b64encode(files[0].read()).decode()}
    return await visit.act("POST", PICTURE, body=body, to=to, notice=_("Picture saved."), id=store_id, kind=kind)


@dashboard.post("/stores/<int:store_id>/settings/pictures/<kind>/remove", scope="restaurants:write")
async def remove_picture(visit: Visit, store_id: int, kind: str) -> Response:
    """Remove the logo or the cover."""
    to, notice = f"/stores/{store_id}/settings#pictures", _("Picture removed.")
    return await visit.act("DELETE", PICTURE, to=to, notice=notice, id=store_id, kind=kind)


@dashboard.get("/stores/<int:store_id>/settings/taxes", scope="restaurants:read")
async def show_taxes(visit: Visit, store_id: int) -> Response:
    """Show taxes, service charge and rounding."""
    values = await visit.api.get(SETTINGS, id=store_id)
    return await _render_taxes(visit, visit.form("PUT", SETTINGS, _round_whole(values)))


@dashboard.post("/stores/<int:store_id>/settings/taxes", scope="restaurants:write")
async def update_taxes(visit: Visit, store_id: int) -> Response:
    """Save taxes, service charge and rounding; an empty rate is zero."""
    form = await visit.read_form("PUT", SETTINGS, id=store_id)
    for name in CLEARED_RATES:
        if form.values.get(name) is None:
            form.values[name] = 0
    if await form.submit() is None:
        return await _render_taxes(visit, form)
    return visit.redirect(f"/stores/{store_id}/settings/taxes", notice=_("Taxes and charges saved."))


@dashboard.get("/stores/<int:store_id>/settings/orders", scope="restaurants:read")
async def show_order_settings(visit: Visit, store_id: int) -> Response:
    """Show whether the store takes orders now, its modes, and when its day begins."""
    return await _render_orders(visit, visit.form("PUT", INTAKE))


@dashboard.post("/stores/<int:store_id>/settings/orders", scope="restaurants:write")
async def update_intake_status(visit: Visit, store_id: int) -> Response:
    """Take orders as usual, more slowly, or not at all."""
    form = await visit.read_form("PUT", INTAKE, id=store_id)
    if form.values.get("delay_minutes") is None:
        form.values.pop("delay_minutes", None)
    if await form.submit() is None:
        return await _render_orders(visit, form)
    return visit.redirect(f"/stores/{store_id}/settings/orders", notice=_("Order intake updated."))


@dashboard.post("/stores/<int:store_id>/settings/day", scope="restaurants:write")
async def update_day_start(visit: Visit, store_id: int) -> Response:
    """Save when the business day begins."""
    fields = await visit.read_texts()
    body = {"day_start": fields.get("day_start", "")[:5]}
    page = f"/stores/{store_id}/settings/orders"
    return await visit.act("PUT", SETTINGS, body=body, to=page, notice=_("Settings saved."), id=store_id)


@dashboard.get("/stores/<int:store_id>/settings/plugins/<plugin>", scope="restaurants:read")
async def show_plugin_settings(visit: Visit, store_id: int, plugin: str) -> Response:
    """Show the settings that a plugin adds to the store."""
    declared = await _get_declared(visit, plugin)
    return await _render_plugin(visit, declared, visit.form("PUT", _get_path(plugin), _round_whole(declared["values"])))


@dashboard.post("/stores/<int:store_id>/settings/plugins/<plugin>", scope="restaurants:write")
async def update_plugin_settings(visit: Visit, store_id: int, plugin: str) -> Response:
    """Save the settings that a plugin adds to the store."""
    declared = await _get_declared(visit, plugin)
    form = await visit.read_form("PUT", _get_path(plugin), id=store_id)
    if await form.submit() is None:
        return await _render_plugin(visit, declared, form)
    notice = _("Settings saved.")
    return visit.redirect(f"/stores/{store_id}/settings/plugins/{plugin}", notice=notice)


def _round_whole(value: Any) -> Any:
    """Return values with 13.0 as 13, as a person writes it."""
    if isinstance(value, dict):
        return {name: _round_whole(each) for name, each in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


async def _get_declared(visit: Visit, plugin: str) -> Any:
    for declared in await visit.api.get(FORMS, id=visit.store.id):
        if declared["plugin"] == plugin:
            return declared
    raise NotFound


def _get_path(plugin: str) -> str:
    return f"{SETTINGS}/{plugin}"


async def _render_general(visit: Visit, form: Form, settings: Any) -> Response:
    return await visit.render(
        "dashboard/settings/general.html",
        form=form,
        settings=settings,
        tabs=await list_tabs(visit, ""),
        countries=list_countries(current_language().code),
        time_zones=list_time_zones(),
    )


async def _render_taxes(visit: Visit, form: Form) -> Response:
    tabs = await list_tabs(visit, "/taxes")
    return await visit.render("dashboard/settings/taxes.html", form=form, tabs=tabs, modes=list_modes(visit))


async def _render_orders(visit: Visit, form: Form) -> Response:
    return await visit.render(
        "dashboard/settings/orders.html",
        form=form,
        intake=await visit.api.get(INTAKE, id=visit.store.id),
        settings=await visit.api.get(SETTINGS, id=visit.store.id),
        tabs=await list_tabs(visit, "/orders"),
        modes=list_modes(visit),
    )


async def _render_plugin(visit: Visit, declared: Any, form: Form) -> Response:
    # Translated here, as a text of a plugin may have a percent sign, which templates take for a placeholder.
    fields = [
        {
            "name": name,
            "label": _(field.get("title") or name),
            "hint": _(field["description"]) if field.get("description") else "",
            "unit": _(field["x-unit"]) if field.get("x-unit") else None,
            "choices": [(each["value"], _(each["label"])) for each in field.get("x-choices", ())] or None,
        }
        for name, field in declared["form"].get("properties", {}).items()
    ]
    return await visit.render(
        "dashboard/settings/plugin.html",
        form=form,
        heading=_(declared["title"]),
        fields=fields,
        tabs=await list_tabs(visit, f"/plugins/{declared['plugin']}"),
    )
