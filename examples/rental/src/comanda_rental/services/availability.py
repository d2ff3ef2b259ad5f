"""Which tools of a shop are free for some days."""

from comanda.basics import Money, NotFound, ValidationFailed
from comanda.contracts import Caller
from comanda.menu import MenuSnapshot, public_view, snapshot
from comanda.stores import Store

from comanda_rental.records import FreeTool, FreeTools
from comanda_rental.services.bookings import check_type, count_pieces, find_taken_pieces, require_shop
from comanda_rental.services.hire_days import HirePeriod

MAX_DAYS = 90


async def list_free_tools(caller: Caller, store_id: int, period: HirePeriod) -> FreeTools:
    """List the tools of the caller's shop. Raises ``NotFound``, ``Conflict``, ``ValidationFailed``."""
    store = await require_shop(caller, store_id)
    return await _list_free_tools(await snapshot.get_snapshot(store_id, store["menu_version"]), period)


async def list_public_free_tools(store_id: int, period: HirePeriod, *, listed_only: bool = False) -> FreeTools:
    """List the tools of a public shop, with ``listed_only`` only if it is listed. Raises as ``list_free_tools``."""
    if listed_only and not await Store.exists(id=store_id, is_listed=True):
        raise NotFound
    menu = await public_view.get_public_menu(store_id)
    check_type(menu.terms.vertical.store_type if menu.terms.vertical else "")
    return await _list_free_tools(menu, period)


async def _list_free_tools(menu: MenuSnapshot, period: HirePeriod) -> FreeTools:
    if not 1 <= period.days <= MAX_DAYS:
        raise ValidationFailed(last_day=[f"Must be from the first day on, for at most {MAX_DAYS} days."])
    terms = menu.terms
    items = {item_id: item for item_id, item in menu.items.items() if item.is_available}
    taken = await find_taken_pieces(terms.owner_id, terms.id, list(items), period)
    tools = [
        FreeTool(
            item_id=item_id,
            name=item.name,
            pieces=count_pieces(item),
            # A shop that sold pieces may have booked higher numbers than it has now.
            free=sum(number not in taken[item_id] for number in range(1, count_pieces(item) + 1)),
            daily_price=Money(item.price_minor, terms.currency),
            price=Money(item.price_minor * period.days, terms.currency),
        )
        for item_id, item in items.items()
    ]
    return FreeTools(terms.title, terms.currency, period.days, tools)
