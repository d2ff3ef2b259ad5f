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
    return [
        Vertical(
            store_type="restaurant",
            label="Restaurant",
            group=VerticalGroup.FOOD,
            capabilities=(
                "modifiers",
                "dietary",
                "food_information",
                "nutrition",
                "packaging",
                "by_weight",
                "kds",
                "tables",
                "reservations",
                "item_times",
            ),
            fulfillment_modes=("on-table", "takeaway", "delivery", "room_service"),
        )
    ]


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    return [ON_TABLE, TAKEAWAY, ROOM_SERVICE]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    return [DIETARY]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [starter_menu_routes]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return TOOLS


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("restaurant", fill)]
