"""Fields that item capabilities add to items."""

from comanda.platform import runtime


def list_item_fields() -> frozenset[str]:
    """Return the names of the fields of all installed item capabilities."""
    capabilities = runtime.registry().item_capabilities.values()
    return frozenset(name for capability in capabilities for name in capability.fields.model_fields)
