"""The laundry vertical: services by the piece and by weight, tagged garments, promised days."""

from collections.abc import Sequence

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
    Section,
    StoreSettings,
    Vertical,
    VerticalGroup,
)

from comanda_laundry.demo import fill
from comanda_laundry.erasure import ERASER
from comanda_laundry.item_capabilities import GARMENT_CARE
from comanda_laundry.pages.dashboard import NAVIGATION, PANELS, dashboard
from comanda_laundry.participant import LAUNDRY_PARTICIPANT
from comanda_laundry.routes.orders import routes
from comanda_laundry.sections import SECTIONS
from comanda_laundry.store_settings import STORE_SETTINGS


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    return [
        Vertical(
            store_type="laundry",
            label="Laundry",
            group=VerticalGroup.SERVICES,
            capabilities=("brand", "variants", "stock", "appointments", GARMENT_CARE.code, "item_times"),
            fulfillment_modes=("pickup_slot", "appointment", "in_store", "delivery"),
        )
    ]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("laundry", ("comanda_laundry.models",), "comanda_migrations.laundry")]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    return [GARMENT_CARE]


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [LAUNDRY_PARTICIPANT]


@hookimpl
def register_sections() -> Sequence[Section]:
    return SECTIONS


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]


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
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="laundries",
            title="Laundries",
            summary="Services by the piece and by the kilogram, tagged garments, and the day for which they are ready.",
            package="comanda_laundry",
            path="docs/laundries.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("laundry", fill)]
