"""The fulfillment mode of orders that a carrier delivers."""

from typing import Final

from comanda.contracts.fulfillment import FulfillmentMode

# The address may follow after the order is placed, so no field is required.
SHIP: Final = FulfillmentMode("ship", "Shipping")
