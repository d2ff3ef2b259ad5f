"""Arguments and results of the MCP tools."""

from typing import Annotated

from comanda.contracts.fields import Count, Id
from comanda.contracts.mcp import Arguments
from comanda.contracts.wire import MoneyNumber
from pydantic import BaseModel, Field

from comanda_florist.schemas.occasions import OccasionOut


class SeasonArguments(Arguments):
    """A shop and a month."""

    restaurant_id: Annotated[Id, Field(description="The shop's store id.")]
    month: Annotated[
        Count | None, Field(ge=1, le=12, description="Month, 1 to 12; the current month at the shop if omitted.")
    ] = None


class Flower(BaseModel):
    """A bouquet that is in season."""

    id: Annotated[int, Field(description="The item_id for an order's line.")]
    name: str
    description: str | None
    price: Annotated[MoneyNumber, Field(description="In the result's currency.")]
    stem_count: int | None
    care_notes: str | None
    season_months: Annotated[list[int], Field(description="Months of its season, 1 to 12; empty means all year.")]


class SeasonOut(BaseModel):
    """The bouquets of a shop in a month."""

    shop: str
    currency: str
    month: int
    flowers: list[Flower]


class OccasionsArguments(Arguments):
    """A shop and the number of occasions to list."""

    restaurant_id: Annotated[Id, Field(description="The shop's store id.")]
    limit: Annotated[Count, Field(ge=1, le=100, description="Maximum number, 1 to 100; 20 if omitted.")] = 20


class OccasionsOut(BaseModel):
    """A shop's occasions, next reminder first."""

    occasions: list[OccasionOut]
    total: int
