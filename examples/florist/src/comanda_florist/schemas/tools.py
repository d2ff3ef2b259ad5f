"""Arguments of the MCP tools."""

from typing import Annotated

from comanda.contracts import Arguments, Count, Id
from pydantic import Field


class SeasonArguments(Arguments):
    """A shop and a month."""

    restaurant_id: Annotated[Id, Field(description="The shop's store id.")]
    month: Annotated[
        Count | None, Field(ge=1, le=12, description="Month, 1 to 12; the current month at the shop if omitted.")
    ] = None


class OccasionsArguments(Arguments):
    """A shop and the number of occasions to list."""

    restaurant_id: Annotated[Id, Field(description="The shop's store id.")]
    limit: Annotated[Count, Field(ge=1, le=100, description="Maximum number, 1 to 100; 20 if omitted.")] = 20
