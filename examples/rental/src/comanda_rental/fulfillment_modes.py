"""The fulfillment mode of tool hire."""

from typing import Final

from comanda.contracts import FulfillmentMode

from comanda_rental.schemas import HireFields

DAY_HIRE: Final = FulfillmentMode(code="day_hire", label="Hire by the day", fields=HireFields, is_collection=True)
