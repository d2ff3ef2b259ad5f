"""Item fields from the store's item capabilities: validated from bodies and passed to the plugins that store them."""

from collections.abc import Mapping
from typing import Any

from comanda.basics.errors import ValidationFailed
from comanda.contracts.stores.verticals import ItemCapability
from comanda.menu.capabilities.attribute_values import Errors, parse_fields, parse_values, pick_values
from comanda.menu.schemas import ItemFields
from comanda.platform import runtime
from comanda.platform.plugin_calls import call_plugin, run_plugin
from comanda.stores.models import Store
from comanda.stores.records import find_vertical


def parse_attributes(store: Store, body: ItemFields, current: Mapping[str, Any]) -> dict[str, Any]:
    """Validate and return the fields of the store's item capabilities; unknown fields are ignored.

    Values of a capability that is no longer installed are kept. Raises ``ValidationFailed`` by field name.
    """

    def parse(capability: ItemCapability, given: Mapping[str, Any], errors: Errors) -> Mapping[str, Any]:
        return run_plugin(capability, "fields", parse_fields, capability.fields, given, errors)

    return parse_values(_list_capabilities(store), body.model_extra or {}, current, parse)


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


async def save_attributes(store: Store, item_id: int, values: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """Call the plugins that store an item's fields in their own tables, in the open transaction."""
    for capability in _list_capabilities(store):
        now, then = (
            pick_values(values, capability.fields.model_fields),
            pick_values(before, capability.fields.model_fields),
        )
        if capability.saved is not None and now != then:
            await call_plugin(capability, "saved", capability.saved, store, item_id, now)


def _list_capabilities(store: Store) -> list[ItemCapability]:
    vertical = find_vertical(store.store_type)
    return runtime.registry().item_fields(vertical) if vertical else []
