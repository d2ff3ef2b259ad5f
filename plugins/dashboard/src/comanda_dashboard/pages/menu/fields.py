"""The form of an item: its own fields and those of the capabilities of its store, as their schemas describe them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from comanda.basics import NotFound, money
from comanda.contracts import ItemCapability
from comanda.menu import ItemChange
from comanda.platform import runtime
from comanda.stores import find_vertical
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit, read_values
from pydantic import BaseModel, create_model
from quart import request

Schema = Mapping[str, Any]
LISTS: Final = ("variations", "extra_groups")
PRICES: Final = frozenset({"price", "compare_at_price"})
# An extra that is an item of the menu, and how that item and its variation stand in the input.
CHOICE: Final = re.compile(r"(extra_groups\.\d+\.extras\.\d+)\.item_id")
CHOSEN: Final = re.compile(r"(.*?)\s*#(\d+)(?:/(\d+))?")


@dataclass(frozen=True, slots=True)
class CapabilityField:
    """A field of a capability. ``kind`` is ``value``, ``lines`` of texts, or ``rows`` with ``columns``.

    ``choices`` are the values that it may have, with their labels; those of rows are in ``column_choices``, by column.
    """

    name: str
    label: str
    kind: str
    columns: Sequence[tuple[str, str]] = ()
    choices: Sequence[tuple[str, str]] | None = None
    column_choices: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CapabilityFields:
    """The fields of a capability below its label."""

    code: str
    label: str
    fields: Sequence[CapabilityField]
    is_folded: bool


def list_capability_fields(store_type: str) -> list[CapabilityFields]:
    """List the fields that the capabilities of a store type add to items, of whichever plugin they are."""
    return [
        CapabilityFields(each.code, each.label, _list_fields(each.fields), each.is_folded)
        for each in _list_capabilities(store_type)
    ]


def list_bulk_fields(store_type: str) -> list[CapabilityFields]:
    """List the capabilities whose fields can be changed in several items at once."""
    kept = {each.code for each in _list_capabilities(store_type) if each.saved is not None}
    return [each for each in list_capability_fields(store_type) if each.code not in kept]


def create_item_form(visit: Visit, values: Mapping[str, Any]) -> Form:
    """Return a form that shows an item, or an empty one. Prices have all decimals of the currency."""
    shown = _to_shown(values, money.get_exponent(visit.store.currency))
    return Form(_get_model(visit.store.store_type), visit.zone, shown)


async def read_item_form(visit: Visit, method: str, path: str, **parameters: Any) -> Form:
    """Return the form that was sent, ready to be submitted to the route that creates or updates the item."""
    model = _get_model(visit.store.store_type)
    values = await _read_values(visit, model, list_capability_fields(visit.store.store_type), LISTS)
    _complete(values)

    async def send(body: Any) -> Any:
        return await visit.api.request(method, path, body=body, **parameters)

    return Form(model, visit.zone, values, send=send)


def create_fields_form(visit: Visit, code: str) -> Form:
    """Return an empty form of the fields of a capability."""
    return Form(_get_fields_model(visit, code), visit.zone)


async def read_fields_form(visit: Visit, code: str, item_ids: Sequence[int]) -> Form:
    """Return the form of a capability that was sent, ready to be submitted for items. Raises ``NotFound``."""
    model = _get_fields_model(visit, code)
    groups = [each for each in list_bulk_fields(visit.store.store_type) if each.code == code]
    values = await _read_values(visit, model, groups, ())

    async def send(body: Any) -> Any:
        body = {"item_ids": item_ids, **body}
        return await visit.api.request("PATCH", "/restaurants/{id}/menu/items", body=body, id=visit.store.id)

    return Form(model, visit.zone, values, send=send)


def is_blank(row: Any) -> bool:
    """Return whether a row of a list was left empty: without a name if it has one, else without any value."""
    if not isinstance(row, Mapping):
        return not row
    if "name" in row:
        return not row["name"]
    return not any(row.values())


def _to_shown(values: Any, decimals: int) -> Any:
    if isinstance(values, Mapping):
        return {
            name: f"{value:.{decimals}f}" if name in PRICES and value is not None else _to_shown(value, decimals)
            for name, value in values.items()
        }
    return [_to_shown(value, decimals) for value in values] if isinstance(values, list) else values


async def _read_values(
    visit: Visit, model: type[BaseModel], groups: Sequence[CapabilityFields], lists: Iterable[str]
) -> dict[str, Any]:
    """Return what was sent, without empty rows, and with lists from which all rows were removed."""
    sent = [*_split_choices([*(await request.form).items(multi=True)])]
    lines = {field.name for group in groups for field in group.fields if field.kind == "lines"}
    rows = {field.name for group in groups for field in group.fields if field.kind == "rows"}
    values = read_values(_split_lines(sent, lines), model, visit.zone, visit.decimals)
    for name in (*lists, *rows, *lines):
        values[name] = [row for row in values.get(name) or [] if not is_blank(row)]
    return values


def _complete(values: dict[str, Any]) -> None:
    """Drop empty extras, and let the API refuse an empty name or price."""
    for group in values["extra_groups"]:
        group["extras"] = [row for row in group.get("extras") or [] if not is_blank(row)]
    for name in ("name", "price"):
        # Null would leave the field as it is.
        values[name] = "" if values.get(name) is None else values[name]


def _split_choices(pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield what was sent, with ids of the items that extras are, and the names of those items for extras without."""
    known = {
        choice[1]: chosen
        for name, text in pairs
        if (choice := CHOICE.fullmatch(name)) and (chosen := CHOSEN.fullmatch(text.strip()))
    }
    for name, text in pairs:
        path, _dot, last = name.rpartition(".")
        chosen = known.get(path)
        if chosen is not None and last == "item_id":
            yield name, chosen[2]
            yield f"{path}.variation", chosen[3] or ""
        elif chosen is not None and last == "name" and not text.strip():
            yield name, chosen[1]
        else:
            yield name, text


def _split_lines(pairs: Iterable[tuple[str, str]], names: Iterable[str]) -> list[tuple[str, str]]:
    chosen = frozenset(names)
    return [
        (name, line.strip())
        for name, text in pairs
        for line in (text.splitlines() if name in chosen else [text])
        if name not in chosen or line.strip()
    ]


def _list_capabilities(store_type: str) -> list[ItemCapability]:
    vertical = find_vertical(store_type)
    return [] if vertical is None else runtime.registry().item_fields(vertical)


def _get_model(store_type: str) -> type[BaseModel]:
    return _create_model(tuple(each.fields for each in _list_capabilities(store_type)))


@cache
def _create_model(parts: tuple[type[BaseModel], ...]) -> type[BaseModel]:
    return create_model("ItemForm", __base__=(*parts, ItemChange))


def _get_fields_model(visit: Visit, code: str) -> type[BaseModel]:
    for capability in _list_capabilities(visit.store.store_type):
        if capability.code == code and capability.saved is None:
            return capability.fields
    raise NotFound


def _list_fields(model: type[BaseModel]) -> list[CapabilityField]:
    schema = model.model_json_schema(by_alias=True)
    return [
        _to_field(name, each, schema.get("$defs", {}), model) for name, each in schema.get("properties", {}).items()
    ]


def _to_field(name: str, schema: Schema, definitions: Schema, model: type[BaseModel]) -> CapabilityField:
    title = model.model_fields[name].title if name in model.model_fields else None
    label = title or _humanize(name)
    found = _resolve(schema, definitions)
    if found.get("type") != "array":
        return CapabilityField(name, label, "value", choices=_list_choices(found))
    member = _resolve(found.get("items", {}), definitions)
    if member.get("type") != "object":
        return CapabilityField(
            name, label, "value" if "enum" in member else "lines", choices=_list_choices({**member, **found})
        )
    columns = {each: _resolve(shape, definitions) for each, shape in member.get("properties", {}).items()}
    choices = {
        each: _list_choices({**_resolve(shape.get("items", {}), definitions), **shape})
        for each, shape in columns.items()
    }
    return CapabilityField(
        name,
        label,
        "rows",
        [(each, _(_get_label(each, member["properties"][each]))) for each in columns],
        column_choices={each: known for each, known in choices.items() if known},
    )


def _get_label(name: str, schema: Schema) -> str:
    """Return the title that a field was given, or its name; pydantic makes a title of the name as well."""
    title = schema.get("title", "")
    return _humanize(name) if title.casefold() == name.replace("_", " ") else title or _humanize(name)


def _list_choices(schema: Schema) -> Sequence[tuple[str, str]] | None:
    """Return the values that a field or the members of its list may have, with their labels, as far as it says so."""
    if known := schema.get("x-choices"):
        return [(each["value"], _(each["label"])) for each in known]
    return [(str(value), _(_humanize(str(value)))) for value in schema.get("enum", ()) if value is not None] or None


def _resolve(schema: Schema, definitions: Schema) -> Schema:
    for option in schema.get("anyOf", ()):
        if option.get("type") != "null":
            return _resolve(option, definitions)
    if "$ref" in schema:
        return _resolve(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    return schema


def _humanize(name: str) -> str:
    return name.removeprefix("is_").replace("_", " ").capitalize()
