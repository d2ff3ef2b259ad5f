"""The restaurant vertical."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import DemoData, FulfillmentMode, ItemCapability, Routes, Tool, Vertical, VerticalGroup

from comanda_restaurant.demo import fill
from comanda_restaurant.fulfillment_modes import ON_TABLE, ROOM_SERVICE, TAKEAWAY
from comanda_restaurant.item_capabilities import DIETARY
from comanda_restaurant.routes.starter_menus import routes as starter_menu_routes
from comanda_restaurant.tools import TOOLS


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Register the store type ``restaurant``."""
    return [
        Vertical(
            store_type="restaurant",
            label="Restaurant",
            group=VerticalGroup.FOOD,
            capabilities=("modifiers", "dietary", "food_information", "kds", "tables", "reservations", "item_times"),
            fulfillment_modes=("on-table", "takeaway", "delivery", "room_service"),
        )
    ]


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    """Register on-table, takeaway and room service."""
    return [ON_TABLE, TAKEAWAY, ROOM_SERVICE]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    """Register dietary information of items."""
    return [DIETARY]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the installation of starter menus."""
    return [starter_menu_routes]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Register the list of starter menus on the public catalog server."""
    return TOOLS


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Register the demo trattoria."""
    return [DemoData("restaurant", fill)]
