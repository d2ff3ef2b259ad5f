"""The fulfillment modes in which customers come to the store."""

from comanda.contracts import FulfillmentMode
from comanda.web import N_

FULFILLMENT_MODES = (
    FulfillmentMode(code="in_store", label=N_("Pick up in store"), is_collection=True),
    FulfillmentMode(code="pickup_slot", label=N_("Scheduled pickup"), is_collection=True, is_scheduled=True),
    # Appointments occupy staff, so who orders one says who they are.
    FulfillmentMode(
        code="appointment",
        label=N_("Appointment"),
        guest_fields=(
            ("customer_name", N_("A name is required for an appointment.")),
            ("phone", N_("A phone number is required for an appointment.")),
        ),
        is_collection=True,
        is_scheduled=True,
        on_storefront=False,
        on_page=True,
    ),
)
