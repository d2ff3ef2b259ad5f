"""Shipping: orders delivered by a carrier, and their shipments."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    FulfillmentMode,
    ModelSet,
    OrderParticipant,
    PersonalDataEraser,
    Routes,
    StoreSettings,
)

from comanda_shipping.erasure import ERASER
from comanda_shipping.fulfillment_modes import SHIP
from comanda_shipping.participant import fail_prepared_shipments, price_shipping
from comanda_shipping.routes.shipments import routes
from comanda_shipping.services.rates import load_terms
from comanda_shipping.store_settings import STORE_SETTINGS


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("shipping", ("comanda_shipping.models",), "comanda_migrations.shipping")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    return [SHIP]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [
        OrderParticipant(
            "shipping", (SHIP.code,), load=load_terms, validate=price_shipping, cancelled=fail_prepared_shipments
        )
    ]


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Orders delivered by a carrier: addresses that follow later, partial shipments, tracking."
    return [Chapter("shipping", "Shipping", summary, "comanda_shipping", "docs/shipping.md")]
