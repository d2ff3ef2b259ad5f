"""A new order by the store, such as one by phone: lines are picked from the menu, priced at each step, then placed.

One form holds the whole order, and each of its buttons sends it: to add an item, remove a line, look something up,
or place the order. So it works without JavaScript too.
"""

import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.basics import ComandaError, ValidationFailed, fold
from comanda.contracts import FulfillmentMode, parse_id
from comanda.platform import runtime
from comanda.web import gettext as _
from comanda.web import list_inputs, translate_input
from comanda.web.dashboard import Form, Visit
from pydantic import BaseModel
from quart import Response, request

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.orders.order_list import ORDERS
from comanda_dashboard.pages.orders.texts import list_modes

QUOTE: Final = f"{ORDERS}/quote"
MENU: Final = "/restaurants/{id}/menu"
# Pages of larger menus would be slow to read; search finds the others.
MAX_ITEMS: Final = 120
# Fields of the order that each type may require.
MODE_FIELDS: Final = ("table_number", "room_number", "address")
# The path of a line in the errors of an order.
LINE: Final = re.compile(r"items\.\d+")
# The kinds of inputs that have another name in forms.
KINDS: Final = {"yes": "boolean"}


@dashboard.get("/stores/<int:store_id>/orders/new", scope="orders:write")
async def show_new_order(visit: Visit, store_id: int) -> Response:
    """Show an empty order, of the type and with the added fields that the link names."""
    asked = request.args.get("type", "")
    modes = [each.code for each in list_modes(visit.store)]
    code = asked if asked in modes else next(iter(modes), "")
    models = _list_models(visit, code)
    values = {"type": code, "items": [], "client_uuid": str(uuid.uuid4())}
    values |= {name: text for model in models for name in model.model_fields if (text := request.args.get(name))}
    return await _render(visit, visit.form("POST", QUOTE, values, added=models), {})


@dashboard.post("/stores/<int:store_id>/orders/new", scope="orders:write")
async def update_new_order(visit: Visit, store_id: int) -> Response:
    """Change the order as the pressed button says; ``_place`` places it."""
    texts = await visit.read_texts()
    models = _list_models(visit, texts.get("type", ""))
    form = await visit.read_form("POST", QUOTE, added=models, id=store_id)
    _edit_lines(form.values, texts)
    if "_place" in texts:
        placed = await _place(visit, form)
        if placed is not None:
            return visit.redirect(
                f"/stores/{store_id}/orders/{placed['id']}",
                notice=_("Order #%(number)s is placed.", number=placed["number"]),
            )
    return await _render(visit, form, texts)


def _edit_lines(values: dict[str, Any], texts: Mapping[str, str]) -> None:
    lines = [line for line in values.get("items", []) if isinstance(line, dict) and line.get("quantity") != 0]
    removed = parse_id(texts.get("_remove"))
    if removed is not None and removed < len(lines):
        del lines[removed]
    added = parse_id(texts.get("_add"))
    if added is not None:
        plain: dict[str, Any] = {"item_id": added, "quantity": 1, "variation": None, "note": None, "extras": []}
        same = next((line for line in lines if _is_plain(line, added)), None)
        if same is None:
            lines.append(plain)
        elif isinstance(same["quantity"], int):
            same["quantity"] += 1
    values["items"] = lines


def _is_plain(line: Mapping[str, Any], item_id: int) -> bool:
    return line.get("item_id") == item_id and not any(line.get(name) for name in ("variation", "extras", "note"))


async def _place(visit: Visit, form: Form) -> dict[str, Any] | None:
    """Place the order and return it; None if it is refused, with the errors in the form."""
    try:
        placed: dict[str, Any] = await visit.api.post(ORDERS, _get_sent(form.values), id=visit.store.id)
    except ValidationFailed as error:
        form.errors = {name: list(texts) for name, texts in error.errors.items()}
        form.problem = None if error.errors else error.message
    except ComandaError as error:
        if error.status not in {402, 409, 429, 503}:
            raise
        form.problem = error.message
    else:
        return placed
    return None


def _get_sent(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the order without the fields that were left empty."""
    return {name: value for name, value in values.items() if value not in (None, "")} | {"source": "phone"}


async def _quote(visit: Visit, form: Form) -> dict[str, Any] | None:
    """Return the price of the order as it stands; None while something is missing.

    What stands against its lines is said at once.
    """
    if not form.values.get("items"):
        return None
    try:
        quote: dict[str, Any] = await visit.api.post(QUOTE, _get_sent(form.values), id=visit.store.id)
    except ValidationFailed as error:
        form.errors |= {name: list(texts) for name, texts in error.errors.items() if LINE.fullmatch(name)}
        return None
    except ComandaError as error:
        if error.status >= 500:
            raise
        return None
    return quote


async def _render(visit: Visit, form: Form, texts: Mapping[str, str]) -> Response:
    categories = await visit.api.get(MENU, id=visit.store.id)
    items = {item["id"]: item for category in categories for item in category["items"]}
    modes = list_modes(visit.store)
    quote = None if form.is_refused else await _quote(visit, form)
    return await visit.render(
        "dashboard/new_order.html",
        form=form,
        items=items,
        categories=_find_items(categories, texts.get("_search", "")),
        searched=texts.get("_search", ""),
        modes=[(each.code, _(each.label)) for each in modes],
        fields=_list_fields(visit, form.values.get("type")),
        quote=quote,
    )


def _find_items(categories: list[dict[str, Any]], searched: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the items that can be ordered and whose names contain a text, by category."""
    found, left, wanted = [], MAX_ITEMS, fold(searched.strip())
    for category in categories:
        if not category["is_active"] and not wanted:
            continue
        items = [item for item in category["items"] if item["is_active"] and wanted in fold(item["name"])][:left]
        left -= len(items)
        if items:
            found.append((category["name"], items))
    return found


def _find_mode(visit: Visit, code: object) -> FulfillmentMode | None:
    return next((each for each in list_modes(visit.store) if each.code == code), None)


def _list_models(visit: Visit, code: object) -> Sequence[type[BaseModel]]:
    """Return the fields that an order of a type has beside the usual ones: the mode's own, and those of plugins."""
    mode = _find_mode(visit, code)
    if mode is None:
        return []
    registry = runtime.registry()
    parts = registry.participants(registry.verticals[visit.store.store_type], mode.code)
    return [model for model in (mode.fields, *(part.fields for part in parts)) if model is not None]


def _list_fields(visit: Visit, code: object) -> list[dict[str, Any]]:
    """Return the inputs for the fields that an order of a type requires, or that are added to it."""
    mode = _find_mode(visit, code)
    required = {name for name, _text in mode.required_fields} if mode is not None else set()
    labels = {"table_number": _("Table"), "room_number": _("Room"), "address": _("Address")}
    fields: list[dict[str, Any]] = [
        {"name": name, "label": labels[name], "kind": "text", "choices": None}
        for name in MODE_FIELDS
        if name in required
    ]
    return fields + [
        _to_field(translate_input(each, visit.store.id))
        for model in _list_models(visit, code)
        for each in list_inputs(model, is_staff=True)
    ]


def _to_field(found: Mapping[str, Any]) -> dict[str, Any]:
    choices = [(str(each["value"]), each["label"]) for each in found.get("choices", ())]
    kind = KINDS.get(found["kind"], found["kind"]) if choices or "choices_url" not in found else "text"
    return {"name": found["name"], "label": found["label"], "kind": kind, "choices": choices or None}
