"""The fulfillment mode of orders that a carrier delivers."""

from typing import Final

from comanda.contracts.fulfillment import FulfillmentMode
from comanda.web.translations import N_

# The address may follow after the order is placed, so no field is required.
SHIP: Final = FulfillmentMode("ship", N_("Shipping"))
