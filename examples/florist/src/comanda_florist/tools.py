"""What agents can do in flower shops."""

from typing import Annotated, Final

from comanda.contracts.fields import Count, Id
from comanda.contracts.mcp import Arguments, Tool, ToolCall
from comanda.contracts.paging import PageRequest
from pydantic import BaseModel, Field

from comanda_florist import occasions, seasons, shops
from comanda_florist.schemas import OccasionOut


class SeasonArguments(Arguments):
    """Which shop, and which month."""

    restaurant_id: Annotated[Id, Field(description="The shop's store id.")]
    month: Annotated[
        Count | None, Field(ge=1, le=12, description="Month, 1 to 12; the one it is at the shop if left out.")
    ] = None


class Flower(BaseModel):
    """A bouquet whose season is on."""

    id: Annotated[int, Field(description="What an order's line takes as item_id.")]
    name: str
    description: str | None
    price: Annotated[float, Field(description="In the result's currency.")]
    stem_count: int | None
    care_notes: str | None
    season_months: Annotated[list[int], Field(description="Months of its season, 1 to 12; none: all year.")]


class SeasonOut(BaseModel):
    """What a shop has in a month."""

    shop: str
    currency: str
    month: int
    flowers: list[Flower]


class OccasionsArguments(Arguments):
    """Which shop's occasions, and how many."""

    restaurant_id: Annotated[Id, Field(description="The shop's store id.")]
    limit: Annotated[Count, Field(ge=1, le=100, description="At most so many, 1 to 100; 20 if left out.")] = 20


class OccasionsOut(BaseModel):
    """A shop's occasions, those first whose reminder comes next."""

    occasions: list[OccasionOut]
    total: int


async def seasonal_flowers(call: ToolCall, arguments: SeasonArguments) -> SeasonOut:
    """Tell which bouquets of a shop are in season, to the shop's own callers and, where it is listed, to anyone."""
    if call.caller is None:
        menu = await shops.public_menu(arguments.restaurant_id, listed_only=True)
    else:
        menu = await shops.menu_of(call.caller, arguments.restaurant_id)
    month = arguments.month or seasons.month_at(menu)
    found = [Flower.model_validate(each) for each in seasons.bouquets(menu, month) if each["is_in_season"]]
    return SeasonOut(shop=menu.terms.title, currency=menu.terms.currency, month=month, flowers=found)


async def list_occasions(call: ToolCall, arguments: OccasionsArguments) -> OccasionsOut:
    """List the occasions of a shop that come next."""
    first = PageRequest(1, arguments.limit)
    page = await occasions.page_of_occasions(call.known_caller, arguments.restaurant_id, first)
    return OccasionsOut(occasions=page["data"], total=page["total"])


TOOLS: Final = (
    Tool(
        name="seasonal_flowers",
        title="Flowers in season",
        description=(
            "Lists the bouquets of a flower shop that are in season now, or in a month that you name, with stems, "
            "care notes and prices. A store that is no flower shop is refused with the code conflict."
        ),
        servers=("catalog", "admin"),
        arguments=SeasonArguments,
        result=SeasonOut,
        handler=seasonal_flowers,
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        name="list_flower_occasions",
        title="Occasions for flowers",
        description="Lists the birthdays and other days that a flower shop keeps for its customers, nearest first.",
        servers=("admin",),
        arguments=OccasionsArguments,
        result=OccasionsOut,
        handler=list_occasions,
        scope="customers:read",
        is_read_only=True,
        is_idempotent=True,
    ),
)
