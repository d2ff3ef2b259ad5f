"""What staff need to know of an order and its lines, as the item capabilities say it."""

from collections.abc import Mapping, Sequence
from typing import Any

from comanda.platform import runtime
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
    known = [capability.words for capability in runtime.registry().item_capabilities.values() if capability.words]
    found = {name: value for words in known for name in words if (value := attributes.get(name))}
    return {name: [value] if isinstance(value, str) else value for name, value in found.items()}
