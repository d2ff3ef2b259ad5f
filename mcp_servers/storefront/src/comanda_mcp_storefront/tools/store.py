"""Tools for the store and its availability."""

from comanda.basics import NotFound, ValidationFailed, clock
from comanda.contracts import IntakeStatus, State, Tool, ToolCall, flatten
from comanda.stores import BusyOut, find_opening, find_vertical
from comanda.stores import services as stores

from comanda_mcp_storefront.schemas import Availability, CheckAvailability, GetStore, Message, StoreForGuests
from comanda_mcp_storefront.services.stores import get_store_id, list_guest_modes, load_menu

SERVERS = ("storefront",)


async def get_store(call: ToolCall, arguments: GetStore) -> StoreForGuests:
    """Return what guests may know about the store."""
    found = await stores.get_store(call.known_caller, get_store_id(call))
    if not found.settings.is_published:
        raise NotFound
    vertical = find_vertical(found.summary.store_type)
    return StoreForGuests.model_validate(
        {
            **flatten(found, "summary", "settings", "opening"),
            "label": found.summary.vertical.label,
            "modes": list_guest_modes(vertical),
            "policies": found.settings,
        },
        from_attributes=True,
    )


async def check_availability(call: ToolCall, arguments: CheckAvailability) -> Availability:
    """Return whether an order can be placed for a time, with the reasons if it cannot."""
    now = clock.now()
    if arguments.at is not None and arguments.at < now:
        raise ValidationFailed(at=["This time has passed."])
    terms, at = (await load_menu(call)).terms, arguments.at or now
    modes, opening = list_guest_modes(terms.vertical), find_opening(terms.hours, terms.zone, at)
    messages = []
    busy = terms.pace.at(at)
    if not opening.is_open:
        messages.append(Message(type="error", code="store_closed", path="at", text="The store is closed at that time."))
    messages += _list_pace_messages(busy)
    if not modes or arguments.type not in {None, *(mode.code for mode in modes)}:
        text = "Guests cannot place orders of this type here; modes lists the available types."
        messages.append(Message(type="error", code="type_unavailable", path="type", text=text))
    is_available = all(message.type != "error" for message in messages)
    return Availability(
        is_available=is_available,
        at=at,
        is_open=opening.is_open,
        next_open_at=opening.next_open_at,
        closes_at=opening.closes_at,
        busy=BusyOut.model_validate(busy, from_attributes=True),
        modes=modes,
        messages=messages,
    )


def _list_pace_messages(busy: IntakeStatus) -> list[Message]:
    if busy.status is State.PAUSED:
        return [
            Message(
                type="error", code="store_paused", path="at", text="The store is not accepting orders at that time."
            )
        ]
    if busy.status is State.BUSY:
        text = f"The store is busy: an order takes about {busy.delay_minutes} minutes longer than usual."
        return [Message(type="info", code="store_busy", path="at", text=text)]
    return []


TOOLS = (
    Tool(
        name="get_store",
        title="Show the store",
        description=(
            "Returns the store's name, address, opening hours and whether it is open now, its currency, the order "
            "types that guests may place, and taxes and charges. Begin here."
        ),
        servers=SERVERS,
        arguments=GetStore,
        result=StoreForGuests,
        handler=get_store,
        scope="menu:read",
        is_read_only=True,
    ),
    Tool(
        name="check_availability",
        title="Check whether orders are taken",
        description=(
            "Checks whether an order of a type can be placed, now or for a time, and when the store opens next. For "
            "the availability of items, use get_item and search_menu."
        ),
        servers=SERVERS,
        arguments=CheckAvailability,
        result=Availability,
        handler=check_availability,
        scope="menu:read",
        is_read_only=True,
    ),
)
