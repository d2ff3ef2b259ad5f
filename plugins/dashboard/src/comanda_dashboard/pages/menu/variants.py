"""Variants of an item with what shops need of them: SKU, barcode, options, stock and the price before."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.menu.items import ITEM_PATH

VARIANTS_PATH: Final = f"{ITEM_PATH}/variants"
VARIANT_PATH: Final = f"{VARIANTS_PATH}/{{variantId}}"


@dashboard.get("/stores/<int:store_id>/menu/items/<int:item_id>/variants", scope="menu:read")
async def list_variants(visit: Visit, store_id: int, item_id: int) -> Response:
    """Show the variants of an item and a form for a new one."""
    return await _render_list(visit, item_id, visit.form("POST", VARIANTS_PATH, {"is_active": True}))


@dashboard.post("/stores/<int:store_id>/menu/items/<int:item_id>/variants", scope="menu:write")
async def create_variant(visit: Visit, store_id: int, item_id: int) -> Response:
    """Create a variant after the others."""
    form = await _read_form(visit, "POST", VARIANTS_PATH, id=store_id, itemId=item_id)
    known = await visit.api.get(VARIANTS_PATH, id=store_id, itemId=item_id, query={"per_page": 100})
    form.values["position"] = max((each["position"] for each in known["data"]), default=0) + 1
    if await form.submit() is None:
        return await _render_list(visit, item_id, form)
    return visit.redirect(f"/stores/{store_id}/menu/items/{item_id}/variants", notice=_("Variant created."))


@dashboard.get("/stores/<int:store_id>/menu/items/<int:item_id>/variants/<int:variant_id>", scope="menu:read")
async def show_variant(visit: Visit, store_id: int, item_id: int, variant_id: int) -> Response:
    """Show a variant and its form."""
    variant = await visit.api.get(VARIANT_PATH, id=store_id, itemId=item_id, variantId=variant_id)
    return await _render_one(visit, item_id, variant, visit.form("PUT", VARIANT_PATH, variant))


@dashboard.post("/stores/<int:store_id>/menu/items/<int:item_id>/variants/<int:variant_id>", scope="menu:write")
async def update_variant(visit: Visit, store_id: int, item_id: int, variant_id: int) -> Response:
    parameters: dict[str, Any] = {"id": store_id, "itemId": item_id, "variantId": variant_id}
    variant = await visit.api.get(VARIANT_PATH, **parameters)
    form = await _read_form(visit, "PUT", VARIANT_PATH, **parameters)
    if await form.submit() is None:
        return await _render_one(visit, item_id, variant, form)
    return visit.redirect(f"/stores/{store_id}/menu/items/{item_id}/variants", notice=_("Variant saved."))


@dashboard.post("/stores/<int:store_id>/menu/items/<int:item_id>/variants/<int:variant_id>/delete", scope="menu:write")
async def delete_variant(visit: Visit, store_id: int, item_id: int, variant_id: int) -> Response:
    return await visit.act(
        "DELETE", VARIANT_PATH, to=f"/stores/{store_id}/menu/items/{item_id}/variants", notice=_("Variant deleted."),
        id=store_id, itemId=item_id, variantId=variant_id,
    )  # fmt: skip


def parse_options(text: str) -> dict[str, str]:
    """Return options of lines such as ``size: XL``; a line without a colon is an option without a value."""
    pairs = (line.partition(":") for line in text.splitlines() if line.strip())
    return {name.strip(): value.strip() for name, _colon, value in pairs}


async def _read_form(visit: Visit, method: str, path: str, **parameters: Any) -> Form:
    form = await visit.read_form(method, path, **parameters)
    form.values["options"] = parse_options((await visit.read_texts()).get("_options", ""))
    for name in ("name", "price"):
        # Null would leave the field of a variant as it is.
        form.values[name] = "" if form.values.get(name) is None else form.values[name]
    return form


async def _render_list(visit: Visit, item_id: int, form: Form) -> Response:
    item = await visit.api.get(ITEM_PATH, id=visit.store.id, itemId=item_id)
    variants = await visit.api.get(
        VARIANTS_PATH, id=visit.store.id, itemId=item_id, query={"per_page": 100, **visit.query("page")}
    )
    return await visit.render("dashboard/menu_variants.html", item=item, variants=variants, form=form)


async def _render_one(visit: Visit, item_id: int, variant: Mapping[str, Any], form: Form) -> Response:
    item = await visit.api.get(ITEM_PATH, id=visit.store.id, itemId=item_id)
    return await visit.render("dashboard/menu_variant.html", item=item, variant=variant, form=form)
