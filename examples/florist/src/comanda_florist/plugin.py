"""The florist vertical: bouquets, gift deliveries by the day, occasions."""

from collections.abc import Sequence
from datetime import timedelta

import click
from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    Event,
    EventHandler,
    FulfillmentMode,
    ItemCapability,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    PersonalDataEraser,
    PluginSettings,
    Reconciler,
    Routes,
    Task,
    Tool,
    Vertical,
    VerticalGroup,
)
from comanda.web import N_

from comanda_florist import tasks
from comanda_florist.commands import florist
from comanda_florist.demo import fill
from comanda_florist.erasure import ERASER
from comanda_florist.event_handlers import GIFT_MEMORY
from comanda_florist.events import BouquetPromised, OccasionNear
from comanda_florist.fulfillment_modes import AT_THE_STALL, GIFT_DELIVERY
from comanda_florist.item_capabilities import BOUQUET
from comanda_florist.pages.blueprint import pages
from comanda_florist.pages.dashboard import dashboard
from comanda_florist.participant import DELIVERY_DAYS
from comanda_florist.routes.occasions import routes as occasion_routes
from comanda_florist.routes.public import routes as public_routes
from comanda_florist.routes.shops import routes as shop_routes
from comanda_florist.services import delivery_days
from comanda_florist.services.shops import STORE_TYPE
from comanda_florist.settings import FloristSettings
from comanda_florist.tools import TOOLS


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    return [
        Vertical(
            store_type=STORE_TYPE,
            label="Florist",
            group=VerticalGroup.GOODS,
            capabilities=(BOUQUET.code, "variants", "stock"),
            fulfillment_modes=(AT_THE_STALL.code, GIFT_DELIVERY.code),
        )
    ]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    return [BOUQUET]


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    return [AT_THE_STALL, GIFT_DELIVERY]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("florist", ("comanda_florist.models",), "comanda_florist.migrations")]


@hookimpl
def register_settings() -> type[PluginSettings]:
    return FloristSettings


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [DELIVERY_DAYS]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [occasion_routes, shop_routes, public_routes]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [BouquetPromised, OccasionNear]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [GIFT_MEMORY]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("florist_remind", tasks.send_reminders, every=timedelta(minutes=5))]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return TOOLS


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages, dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    path = "/stores/{store_id}/occasions"
    return [
        NavigationEntry(N_("Occasions"), path, "people", "customers:read", icon="calendar", store_types=(STORE_TYPE,))
    ]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    return [florist]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_reconcilers() -> Sequence[Reconciler]:
    return [Reconciler("florist", delivery_days.recount_places)]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="florists",
            title="Florists",
            summary="Bouquets, gift deliveries by the day, and reminders of occasions.",
            package="comanda_florist",
            path="docs/florists.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("florist", fill)]
