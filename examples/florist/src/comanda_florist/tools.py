"""MCP tools of flower shops."""

from typing import Final

from comanda.contracts import PageRequest, Tool, ToolCall

from comanda_florist.records import OccasionList, Season
from comanda_florist.schemas.tools import OccasionsArguments, SeasonArguments
from comanda_florist.services import occasions, seasons, shops


async def list_seasonal_flowers(call: ToolCall, arguments: SeasonArguments) -> Season:
    """List a shop's bouquets in season, for the shop's owner and, if the shop is listed, for anyone."""
    if call.caller is None:
        menu = await shops.get_public_menu(arguments.restaurant_id, listed_only=True)
    else:
        menu = await shops.get_menu(call.caller, arguments.restaurant_id)
    month = arguments.month or seasons.get_current_month(menu)
    found = [bouquet for bouquet in seasons.list_bouquets(menu, month) if bouquet.is_in_season]
    return Season(menu.terms.title, menu.terms.currency, month, found)


async def list_occasions(call: ToolCall, arguments: OccasionsArguments) -> OccasionList:
    """List the next occasions of a shop."""
    first = PageRequest(1, arguments.limit)
    page = await occasions.list_occasions(call.known_caller, arguments.restaurant_id, first)
    return OccasionList(page.data, page.total)


TOOLS: Final = (
    Tool(
        name="seasonal_flowers",
        title="Flowers in season",
        description=(
            "Lists the bouquets of a flower shop that are in season now or in a given month, with stems, "
            "care notes and prices. A store of another type is refused with the code conflict."
        ),
        servers=("catalog", "admin"),
        arguments=SeasonArguments,
        result=Season,
        handler=list_seasonal_flowers,
        is_read_only=True,
        is_idempotent=True,
    ),
    Tool(
        name="list_flower_occasions",
        title="Occasions for flowers",
        description="Lists the birthdays and other occasions that a flower shop keeps for customers, nearest first.",
        servers=("admin",),
        arguments=OccasionsArguments,
        result=OccasionList,
        handler=list_occasions,
        scope="customers:read",
        is_read_only=True,
        is_idempotent=True,
    ),
)
