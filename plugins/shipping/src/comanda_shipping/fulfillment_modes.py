"""The fulfillment mode of orders that a carrier delivers."""

from typing import Final

from comanda.contracts import FulfillmentMode
from comanda.web import N_

# The address may follow after the order is placed, unless it is a guest who orders and whom nobody may know.
SHIP: Final = FulfillmentMode(
    "ship",
    N_("Shipping"),
    guest_fields=(
        ("customer_name", N_("The name of the recipient is required.")),
        ("address", N_("The address to ship to is required.")),
        ("phone", N_("A phone number is required, in case the carrier does not find you.")),
    ),
    on_page=True,
)
