"""The restaurant vertical."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.demo import DemoData
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.mcp import Tool
from comanda.contracts.routes import Routes
from comanda.contracts.verticals import ItemCapability, Vertical, VerticalGroup

from comanda_restaurant.demo import fill
from comanda_restaurant.routes.starters import routes as starter_routes
from comanda_restaurant.schemas import DietaryFields
from comanda_restaurant.tools import TOOLS


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Offer the store type ``restaurant``."""
    return [
        Vertical(
            store_type="restaurant",
            label="Restaurant",
            group=VerticalGroup.FOOD,
            capabilities=("modifiers", "dietary", "kds", "tables", "reservations"),
            fulfillment_modes=("on-table", "takeaway", "delivery", "room_service"),
        )
    ]


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    """Serve at the table, over the counter and in the room."""
    return [
        FulfillmentMode(
            code="on-table",
            label="At the table",
            required_fields=(("table_number", "Tell which table the order is for."),),
            is_collection=True,
        ),
        FulfillmentMode(code="takeaway", label="Takeaway", is_collection=True),
        # A client that knows the specification's fields alone has no field for the room: it may stand in the note.
        FulfillmentMode(code="room_service", label="Room service"),
    ]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    """Say of items what guests with a diet ask for."""
    return [ItemCapability(code="dietary", label="Dietary information", fields=DietaryFields)]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Install a menu to begin with."""
    return [starter_routes]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Show the menus to begin with on the public catalog server."""
    return TOOLS


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Open a trattoria."""
    return [DemoData("restaurant", fill)]
