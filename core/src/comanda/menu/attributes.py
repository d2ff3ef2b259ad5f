"""Item fields from the store's item capabilities: validated from bodies and passed to the plugins that store them."""

from collections.abc import Collection, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from comanda.basics.errors import ValidationFailed
from comanda.contracts.validation import error_sentences
from comanda.contracts.verticals import ItemCapability
from comanda.menu.schemas import ItemFields
from comanda.platform import runtime
from comanda.platform.plugin_calls import call_plugin, run_plugin
from comanda.stores.models import Store
from comanda.stores.records import find_vertical


def parse_attributes(store: Store, body: ItemFields, current: Mapping[str, Any]) -> dict[str, Any]:
    """Validate and return the fields of the store's item capabilities; unknown fields are ignored.

    Values of a capability that is no longer installed are kept. Raises ``ValidationFailed`` by field name.
    """
    given = {**current, **(body.model_extra or {})}
    capabilities = _list_capabilities(store)
    known = list_fields(store)
    values = {name: value for name, value in current.items() if name not in known}
    errors: dict[str, list[str]] = {}
    for capability in capabilities:
        found = run_plugin(capability, "fields", _parse_fields, capability.fields, given, errors)
        values.update(found)
    if errors:
        raise ValidationFailed(errors)
    return values


def list_fields(store: Store) -> frozenset[str]:
    """List the fields of a store's item capabilities."""
    return frozenset(name for capability in _list_capabilities(store) for name in capability.fields.model_fields)


def check_bulk_fields(store: Store, body: ItemFields) -> bool:
    """Return whether a body for many items has fields of the store's item capabilities.

    Raises ``ValidationFailed`` for those that plugins also keep in tables of their own, item by item.
    """
    given = body.model_extra or {}
    kept = {name for each in _list_capabilities(store) if each.saved is not None for name in each.fields.model_fields}
    if refused := kept & given.keys():
        raise ValidationFailed({name: ["Cannot be changed in several items at once."] for name in sorted(refused)})
    return not list_fields(store).isdisjoint(given)


def _parse_fields(fields: type[BaseModel], given: Mapping[str, Any], errors: dict[str, list[str]]) -> dict[str, Any]:
    try:
        model = fields.model_validate(_pick(given, fields.model_fields))
    except ValidationError as error:
        errors.update(error_sentences(error))
        return {}
    return model.model_dump(mode="json", exclude_unset=True)


async def save_attributes(store: Store, item_id: int, values: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """Call the plugins that store an item's fields in their own tables, in the open transaction."""
    for capability in _list_capabilities(store):
        now, then = _pick(values, capability.fields.model_fields), _pick(before, capability.fields.model_fields)
        if capability.saved is not None and now != then:
            await call_plugin(capability, "saved", capability.saved, store, item_id, now)


def _list_capabilities(store: Store) -> list[ItemCapability]:
    vertical = find_vertical(store.store_type)
    return runtime.registry().item_fields(vertical) if vertical else []


def _pick(values: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in names}
