"""The pharmacy vertical: ages, maximum quantities, releases by a pharmacist, and batches."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    ItemCapability,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    Panel,
    PersonalDataEraser,
    Routes,
    Task,
    Vertical,
    VerticalGroup,
)

from comanda_pharmacy import tasks
from comanda_pharmacy.demo import fill
from comanda_pharmacy.erasure import ERASER
from comanda_pharmacy.item_capabilities import AGE_GATE, MEDICINE
from comanda_pharmacy.pages import batches as batch_pages
from comanda_pharmacy.pages import releases as release_pages
from comanda_pharmacy.pages.dashboard import NAVIGATION, dashboard
from comanda_pharmacy.pages.order_panel import PANELS
from comanda_pharmacy.participant import AGE_PARTICIPANT, BATCH_PARTICIPANT, LIMIT_PARTICIPANT, RELEASE_PARTICIPANT
from comanda_pharmacy.routes.batches import routes as batch_routes
from comanda_pharmacy.routes.releases import routes as release_routes
from comanda_pharmacy.routes.releases import staff_routes as staff_release_routes

# The modules register their pages when they are imported.
DASHBOARD_PAGES = (release_pages, batch_pages)


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    return [
        Vertical(
            store_type="pharmacy",
            label="Pharmacy",
            group=VerticalGroup.GOODS,
            capabilities=(
                "brand",
                "stock",
                "variants",
                "packaging",
                "product_safety",
                "age_gate",
                "medicine",
                "expiry",
                "shipping",
                "item_times",
            ),
            fulfillment_modes=("in_store", "pickup_slot", "ship", "delivery"),
        )
    ]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    return [AGE_GATE, MEDICINE]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [AGE_PARTICIPANT, LIMIT_PARTICIPANT, RELEASE_PARTICIPANT, BATCH_PARTICIPANT]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("pharmacy", ("comanda_pharmacy.models",), "comanda_migrations.pharmacy")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [release_routes, staff_release_routes, batch_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_panels() -> Sequence[Panel]:
    return PANELS


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("pharmacy_write_off_expired", tasks.write_off_expired, every=timedelta(hours=1))]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "The store type pharmacy, and age-restricted items."
    return [Chapter("pharmacy", "Pharmacies", summary, "comanda_pharmacy", "docs/pharmacy.md")]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("pharmacy", fill)]
