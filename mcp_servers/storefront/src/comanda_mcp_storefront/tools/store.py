"""The store: what it is, and when it takes orders."""

from datetime import datetime
from typing import Any

from comanda import clock
from comanda.contracts.intake_status import IntakeStatus, State
from comanda.contracts.mcp import Tool, ToolCall
from comanda.contracts.order_participants import StoreTerms
from comanda.errors import NotFound, ValidationFailed
from comanda.stores import intake_status
from comanda.stores import services as stores
from comanda.stores.records import find_vertical

from comanda_mcp_storefront.places import menu_of, modes_of, store_of
from comanda_mcp_storefront.schemas import (
    Availability,
    CheckAvailability,
    GetStore,
    Message,
    Policies,
    StoreForGuests,
)

ON = ("storefront",)
SHOWN = ("id", "title", "url", "store_type", "currency", "timezone", "country", "address", "phone", "hours")
OPENING = ("is_open", "next_open_at", "closes_at")


async def get_store(call: ToolCall, arguments: GetStore) -> dict[str, Any]:
    """Tell what guests may know of the store."""
    found = await stores.get_store(call.known_caller, store_of(call))
    settings = found["settings_summary"]
    if not settings["is_published"]:
        raise NotFound
    return {
        **{name: found[name] for name in (*SHOWN, *OPENING)},
        "label": found["vertical"]["label"],
        "modes": modes_of(find_vertical(found["store_type"])),
        "policies": {name: settings[name] for name in Policies.model_fields},
    }


async def check_availability(call: ToolCall, arguments: CheckAvailability) -> dict[str, Any]:
    """Tell whether an order can be placed for a time, and if not, why and when."""
    now = clock.now()
    if arguments.at is not None and arguments.at < now:
        raise ValidationFailed(at=["This time has passed."])
    terms, at = (await menu_of(call)).terms, arguments.at or now
    modes, opening = modes_of(terms.vertical), _opening(terms, at)
    messages = []
    busy = terms.pace.at(at)
    if not opening["is_open"]:
        messages.append(Message(type="error", code="store_closed", path="at", text="The store is closed at that time."))
    messages += _of_pace(busy)
    if not modes or arguments.type not in {None, *(mode["code"] for mode in modes)}:
        text = "Guests cannot place orders of this kind here; modes lists those they can."
        messages.append(Message(type="error", code="type_unavailable", path="type", text=text))
    is_available = all(message.type != "error" for message in messages)
    known = {"is_available": is_available, "at": at, **opening, "busy": intake_status.to_busy_record(busy)}
    return {**known, "modes": modes, "messages": messages}


def _of_pace(busy: IntakeStatus) -> list[Message]:
    if busy.status is State.PAUSED:
        return [Message(type="error", code="store_paused", path="at", text="The store takes no orders at that time.")]
    if busy.status is State.BUSY:
        text = f"The store is busy: an order takes about {busy.delay_minutes} minutes longer than usual."
        return [Message(type="info", code="store_busy", path="at", text=text)]
    return []


def _opening(terms: StoreTerms, at: datetime) -> dict[str, Any]:
    if terms.hours is None:
        return {"is_open": True, "next_open_at": None, "closes_at": None}
    is_open = terms.hours.is_open(terms.zone, at)
    return {
        "is_open": is_open,
        "next_open_at": None if is_open else terms.hours.next_open_at(terms.zone, at),
        "closes_at": terms.hours.closes_at(terms.zone, at) if is_open else None,
    }


TOOLS = (
    Tool(
        name="get_store",
        title="Show the store",
        description=(
            "Tells what the store is, where it is, when it is open and whether it is now, its currency, the kinds of "
            "orders that guests may place, and what is added to prices. Begin here."
        ),
        servers=ON,
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
            "Tells whether an order of a kind can be placed, now or for a time, and when the store opens next. That "
            "the items are there, get_item and search_menu tell."
        ),
        servers=ON,
        arguments=CheckAvailability,
        result=Availability,
        handler=check_availability,
        scope="menu:read",
        is_read_only=True,
    ),
)
