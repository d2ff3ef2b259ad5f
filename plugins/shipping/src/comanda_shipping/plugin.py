"""Orders that travel by carrier, and their shipments."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.order_participants import OrderParticipant
from comanda.contracts.routes import Routes

from comanda_shipping.erasing import ERASER
from comanda_shipping.participation import MODE, note_missing_address, stop_shipments
from comanda_shipping.routes.shipments import routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring shipments and what they hold."""
    return [ModelSet("shipping", ("comanda_shipping.models",), "comanda_migrations.shipping")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer for shipments."""
    return [routes]


@hookimpl
def register_fulfillment_modes() -> Sequence[FulfillmentMode]:
    """Offer shipping. The address may follow later, so it is not required."""
    return [FulfillmentMode(MODE, "Shipping")]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Mark orders without an address, and stop the shipments of those that are cancelled."""
    return [OrderParticipant("shipping", (MODE,), validate=note_missing_address, cancelled=stop_shipments)]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Forget where shipments went."""
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain shipping."""
    summary = "Orders that travel by carrier: addresses that follow later, partial shipments, tracking."
    return [Chapter("shipping", "Shipping", summary, "comanda_shipping", "docs/shipping.md")]
