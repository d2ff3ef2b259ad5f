"""Kitchen display: stations, tickets, bump and recall."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    LeasedQueue,
    ModelSet,
    OrderParticipant,
    Pages,
    Panel,
    Record,
    Reference,
    Routes,
    Section,
    StoreSettings,
)

from comanda_kds import participant, sections
from comanda_kds.demo import create_demo_stations
from comanda_kds.pages.blueprint import pages
from comanda_kds.pages.order_panel import PANELS
from comanda_kds.routes.amendments import routes as amendment_routes
from comanda_kds.routes.board import routes as board_routes
from comanda_kds.routes.stations import routes as station_routes
from comanda_kds.schemas import LineFields
from comanda_kds.services import amendments, courses, stations, ticket_items
from comanda_kds.services.order_lines import CAPABILITY
from comanda_kds.settings import KdsSettings
from comanda_kds.store_settings import STORE_SETTINGS


@hookimpl
def register_settings() -> type[KdsSettings]:
    return KdsSettings


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("kds", ("comanda_kds.models",), "comanda_migrations.kds")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [station_routes, board_routes, amendment_routes]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [
        OrderParticipant(
            ticket_items.PARTICIPANT_NAME,
            capability=CAPABILITY,
            load=participant.load_routing,
            sections=participant.describe_new_lines,
            moved=ticket_items.update_items_of_order,
            amended=amendments.update_items,
        )
    ]


@hookimpl
def register_tasks() -> Sequence[LeasedQueue]:
    return [courses.QUEUE]


@hookimpl
def register_references() -> Sequence[Reference]:
    return [Reference("station", stations.list_existing_ids)]


@hookimpl
def register_sections() -> Sequence[Section]:
    return [
        Section(
            participant.SECTION_NAME,
            Record.LINE,
            LineFields,
            sections.load_line_fields,
            sections.may_be_in_kitchen,
            is_set_by_participant=True,
        )
    ]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages]


@hookimpl
def register_panels() -> Sequence[Panel]:
    return PANELS


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Stations and routing, tickets, bump and recall, the live board, and the screen at /kitchen/."
    return [Chapter("kitchen", "The kitchen", summary, "comanda_kds", "docs/kitchen.md")]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("kitchens", create_demo_stations, needs_stores=True)]
