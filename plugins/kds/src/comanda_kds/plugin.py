"""The kitchen screen: stations, tickets, bump and recall."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.order_participants import OrderParticipant
from comanda.contracts.pages import Pages
from comanda.contracts.references import Reference
from comanda.contracts.routes import Routes
from comanda.contracts.sections import Record, Section

from comanda_kds import items, lines, placing, sections, stations
from comanda_kds.demo import fill
from comanda_kds.pages.blueprint import pages
from comanda_kds.routes.owner import routes as owner_routes
from comanda_kds.routes.staff import routes as staff_routes
from comanda_kds.schemas import LineFields
from comanda_kds.settings import KdsSettings


@hookimpl
def register_settings() -> type[KdsSettings]:
    """Read how long a kitchen may take and what stays on its board."""
    return KdsSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring stations, routing, settings and the states of lines."""
    return [ModelSet("kds", ("comanda_kds.models",), "comanda_migrations.kds")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Let owners set the kitchen up, and those who work in it see and move what is to be made."""
    return [owner_routes, staff_routes]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Say where new lines are made, and move the tickets of an order that somebody else moves."""
    return [
        OrderParticipant(
            items.NAME, capability=lines.CAPABILITY, load=placing.load, lines=placing.lines, moved=items.follow
        )
    ]


@hookimpl
def register_references() -> Sequence[Reference]:
    """Say which stations a store has, for those who assign people to them."""
    return [Reference("station", stations.existing)]


@hookimpl
def register_sections() -> Sequence[Section]:
    """Say of an order's lines how far they are and where they are made."""
    return [Section("kds", Record.LINE, LineFields, sections.load, sections.wants)]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Show the kitchen screen."""
    return [pages]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain the kitchen."""
    summary = "Stations and routing, tickets, bump and recall, the live board, and the screen at /kitchen/."
    return [Chapter("kitchen", "The kitchen", summary, "comanda_kds", "docs/kitchen.md")]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Give the demo's restaurants two stations."""
    return [DemoData("kitchens", fill, needs_stores=True)]
