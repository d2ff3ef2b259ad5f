"""Bodies of core's that plugins add fields to, so that the API's description shows what is installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from comanda.contracts.orders.bodies import OrderBody
from comanda.contracts.orders.sections import Record
from comanda.contracts.registry import Registry
from comanda.menu.bulk_schemas import ItemsChange
from comanda.menu.schemas import ItemBody, ItemChange, ItemOut, PublicItem
from comanda.orders.schemas import OrderOut, OrderSummary
from comanda.orders.sections import RECORDS

# Each body, and whether it is written by clients or by us.
ITEMS: Mapping[type[BaseModel], str] = {
    ItemBody: "validation",
    ItemChange: "validation",
    ItemOut: "serialization",
    PublicItem: "serialization",
}
ORDERS: Mapping[type[BaseModel], str] = {
    OrderBody: "validation",
    OrderSummary: "serialization",
    OrderOut: "serialization",
}


def added_fields(registry: Registry) -> Iterator[tuple[type[BaseModel], Any, type[BaseModel], str]]:
    """Yield ``(body, its mode, the model whose fields are added, where they apply)``."""
    for capability in registry.item_capabilities.values():
        where = f"In stores with the capability {capability.code}."
        for body, mode in ITEMS.items():
            yield body, mode, capability.fields, where
        if capability.saved is None:
            yield ItemsChange, "validation", capability.fields, where
    bodies = dict(ORDERS)
    for route in registry.routes:
        if route.binding.body is not None and issubclass(route.binding.body, OrderBody):
            bodies[route.binding.body] = "validation"
    for fields, where in _order_fields(registry):
        for body, mode in bodies.items():
            yield body, mode, fields, where
    for section in registry.sections:
        # The tracking page is no document of the API.
        if section.record is Record.TRACKING_PAGE:
            continue
        yield RECORDS[section.record], "serialization", section.fields, f"Where {section.name} has it."


def _order_fields(registry: Registry) -> Iterator[tuple[type[BaseModel], str]]:
    for way in registry.fulfillment_modes.values():
        if way.fields is not None:
            yield way.fields, f"On orders of the type {way.code}."
    for participant in registry.order_participants:
        if participant.fields is not None:
            types = f"On orders of the type {', '.join(participant.modes)}" if participant.modes else "On orders"
            stores = f", in stores with the capability {participant.capability}" if participant.capability else ""
            yield participant.fields, f"{types}{stores}."
