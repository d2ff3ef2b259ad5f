"""For plugins that bring in orders: what they parse theirs into, how it is placed, menu references, events."""

from comanda_foreign_orders.participant import create_participant
from comanda_foreign_orders.records import (
    Fee,
    ForeignChannel,
    ForeignId,
    ForeignOrder,
    Guest,
    InvalidOrder,
    LinkState,
    OrderedItem,
    OrderedOption,
)
from comanda_foreign_orders.services.document_values import (
    find_number,
    list_objects,
    parse_moment,
    parse_quantity,
    text,
    to_object,
)
from comanda_foreign_orders.services.event_subjects import MENU_EVENTS, list_orders, list_stores
from comanda_foreign_orders.services.intake import create_caller, take_order
from comanda_foreign_orders.services.menu_refs import to_extra_ref, to_item_ref, to_variant_ref

__all__ = [
    "MENU_EVENTS",
    "Fee",
    "ForeignChannel",
    "ForeignId",
    "ForeignOrder",
    "Guest",
    "InvalidOrder",
    "LinkState",
    "OrderedItem",
    "OrderedOption",
    "create_caller",
    "create_participant",
    "find_number",
    "list_objects",
    "list_orders",
    "list_stores",
    "parse_moment",
    "parse_quantity",
    "take_order",
    "text",
    "to_extra_ref",
    "to_item_ref",
    "to_object",
    "to_variant_ref",
]
