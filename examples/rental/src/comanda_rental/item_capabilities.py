"""The item capability of tools."""

from typing import Final

from comanda.contracts import ItemCapability

from comanda_rental.schemas import ToolFields

DAILY_HIRE: Final = ItemCapability(code="daily_hire", label="Hire by the day", fields=ToolFields)
