"""What staff need to know of an order and its lines, as the item capabilities say it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from comanda.platform import runtime
from comanda.platform.audit_log.services import load_actor_names
from comanda.platform.plugin_calls import PluginFailed, run_plugin


def list_line_facts(
    values: Mapping[str, Any], variation: str | None, extras: Sequence[str]
) -> dict[str, Sequence[str]]:
    """Return codes by field for a line of an item with these stored values. A capability that fails says nothing."""
    found: dict[str, Sequence[str]] = {}
    for capability in runtime.registry().item_capabilities.values():
        if capability.line_facts is None or values.keys().isdisjoint(capability.fields.model_fields):
            continue
        try:
            found.update(run_plugin(capability, "line_facts", capability.line_facts, values, variation, extras))
        except PluginFailed:
            continue
    return found


def list_order_facts(attributes: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    """Return the fields of an order that item capabilities have a name for, such as what it must not contain."""
    found = {
        name: value
        for capability in runtime.registry().item_capabilities.values()
        for name in capability.words
        if name not in capability.actors and (value := attributes.get(name))
    }
    return {name: [value] if isinstance(value, str) else value for name, value in found.items()}


async def load_order_facts(owner_id: int, orders: Iterable[Mapping[str, Any]]) -> list[dict[str, Sequence[str]]]:
    """Return the facts of orders with these attributes, also who did something about them, by name if it is known."""
    capabilities = runtime.registry().item_capabilities.values()
    fields = [name for capability in capabilities for name in capability.actors]
    attributes = list(orders)
    actors = [{name: _parse_actor(each[name]) for name in fields if each.get(name)} for each in attributes]
    names = await load_actor_names(owner_id, (actor for each in actors for actor in each.values()))
    return [
        list_order_facts(each) | {name: [names.get(actor, actor[0])] for name, actor in found.items()}
        for each, found in zip(attributes, actors, strict=True)
    ]


def _parse_actor(actor: str) -> tuple[str, int]:
    kind, _, actor_id = actor.partition(":")
    return kind, int(actor_id)
