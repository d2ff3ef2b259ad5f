"""Customers who come to the store: at once, in a pick-up slot, by appointment."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    FulfillmentMode,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    Routes,
    Task,
    unaffected,
)
from comanda.web import N_

from comanda_collection import participant, tasks
from comanda_collection.fulfillment_modes import FULFILLMENT_MODES
from comanda_collection.pages.dashboard import dashboard
from comanda_collection.routes.slots import public_routes
from comanda_collection.routes.slots import routes as slot_routes
from comanda_collection.services.slot_rules import SLOT_MODES
from comanda_collection.services.slots import PARTICIPANT_NAME, load_timetables


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    return FULFILLMENT_MODES


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [
        OrderParticipant(
            name=PARTICIPANT_NAME,
            modes=SLOT_MODES,
            load=load_timetables,
            validate=participant.validate,
            reserve=participant.reserve,
            cancelled=participant.release,
            reopened=participant.restore,
            amended=unaffected,
        )
    ]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("collection", ("comanda_collection.models",), "comanda_migrations.collection")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [slot_routes, public_routes]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("collection_prune", tasks.delete_old_slots, every=timedelta(hours=1))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="slots",
            title="Slots and appointments",
            summary="Slots and appointments: settings, free slots, and orders that book them.",
            package="comanda_collection",
            path="docs/slots.md",
        )
    ]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    path = "/stores/{store_id}/collection-slots"
    label = N_("Pick-up times")
    return [
        NavigationEntry(label, path, "settings", "restaurants:read", icon="clock", position=40, modes=tuple(SLOT_MODES))
    ]
