"""Flower shops: bouquets, gifts by the day, occasions."""

from collections.abc import Sequence
from datetime import timedelta

import click
from comanda import hookimpl
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.events import Event, EventHandler
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.mcp import Tool
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.order_participants import OrderParticipant
from comanda.contracts.pages import Pages
from comanda.contracts.routes import Routes
from comanda.contracts.settings import PluginSettings
from comanda.contracts.tasks import QueueWorker, Task
from comanda.contracts.verticals import ItemCapability, Vertical

from comanda_florist import booking, remembering
from comanda_florist.commands import florist
from comanda_florist.demo import fill
from comanda_florist.erasing import ERASER
from comanda_florist.events import BouquetPromised, OccasionNear
from comanda_florist.pages import pages
from comanda_florist.routes.occasions import routes as occasion_routes
from comanda_florist.routes.public import routes as public_routes
from comanda_florist.routes.shops import routes as shop_routes
from comanda_florist.schemas import DayFields
from comanda_florist.settings import FloristSettings
from comanda_florist.tools import TOOLS
from comanda_florist.trade import AT_THE_STALL, BOUQUET, FLORIST, GIFT_DELIVERY


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Offer the store type ``florist``."""
    return [FLORIST]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    """Say of bouquets how many stems they have, how to care for them, and when they are in season."""
    return [BOUQUET]


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    """Sell at the stall, and deliver gifts."""
    return [AT_THE_STALL, GIFT_DELIVERY]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring shops, their days and their occasions."""
    return [ModelSet("florist", ("comanda_florist.models",), "comanda_florist.migrations")]


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Let the operator say what holds until an owner decides."""
    return FloristSettings


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Give each gift its place on its day."""
    return [
        OrderParticipant(
            name="florist_days",
            modes=(GIFT_DELIVERY.code,),
            fields=DayFields,
            load=booking.load,
            validate=booking.validate,
            reserve=booking.reserve,
            placed=booking.placed,
            cancelled=booking.cancelled,
            reopened=booking.reopened,
        )
    ]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer for occasions, and for the days on which shops deliver."""
    return [occasion_routes, shop_routes, public_routes]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Announce gifts, and occasions that come near."""
    return [BouquetPromised, OccasionNear]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Remember gifts for the year to come."""
    return [EventHandler("florist_memory", remembering.remember_gifts, (BouquetPromised,))]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Remind owners of occasions."""
    return [Task("florist_remind", remembering.remind, every=timedelta(minutes=5))]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Tell agents what is in season, and their owners' agents which occasions are near."""
    return TOOLS


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Show a shop to its customers."""
    return [pages]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    """Add ``comanda florist``."""
    return [florist]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Forget to whom flowers went."""
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain flower shops."""
    return [
        Chapter(
            name="florists",
            title="Florists",
            summary="Bouquets, gifts that are delivered on a day, and occasions that owners are reminded of.",
            package="comanda_florist",
            path="docs/florists.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Open a flower shop."""
    return [DemoData("florist", fill)]
