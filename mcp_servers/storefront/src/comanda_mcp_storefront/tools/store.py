"""Tools for the store and its availability."""

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

from comanda_mcp_storefront.schemas import (
    Availability,
    CheckAvailability,
    GetStore,
    Message,
    Policies,
    StoreForGuests,
)
from comanda_mcp_storefront.services.stores import get_store_id, list_guest_modes, load_menu

SERVERS = ("storefront",)
SHOWN = ("id", "title", "url", "store_type", "currency", "timezone", "country", "address", "phone", "hours")
OPENING = ("is_open", "next_open_at", "closes_at")


async def get_store(call: ToolCall, arguments: GetStore) -> dict[str, Any]:
    """Return what guests may know about the store."""
    found = await stores.get_store(call.known_caller, get_store_id(call))
    settings = found["settings_summary"]
    if not settings["is_published"]:
        raise NotFound
    return {
        **{name: found[name] for name in (*SHOWN, *OPENING)},
        "label": found["vertical"]["label"],
        "modes": list_guest_modes(find_vertical(found["store_type"])),
        "policies": {name: settings[name] for name in Policies.model_fields},
    }


async def check_availability(call: ToolCall, arguments: CheckAvailability) -> dict[str, Any]:
    """Return whether an order can be placed for a time, with the reasons if it cannot."""
    now = clock.now()
    if arguments.at is not None and arguments.at < now:
        raise ValidationFailed(at=["This time has passed."])
    terms, at = (await load_menu(call)).terms, arguments.at or now
    modes, opening = list_guest_modes(terms.vertical), _get_opening(terms, at)
    messages = []
    busy = terms.pace.at(at)
    if not opening["is_open"]:
        messages.append(Message(type="error", code="store_closed", path="at", text="The store is closed at that time."))
    messages += _list_pace_messages(busy)
    if not modes or arguments.type not in {None, *(mode["code"] for mode in modes)}:
        text = "Guests cannot place orders of this type here; modes lists the available types."
        messages.append(Message(type="error", code="type_unavailable", path="type", text=text))
    is_available = all(message.type != "error" for message in messages)
    known = {"is_available": is_available, "at": at, **opening, "busy": intake_status.to_busy_record(busy)}
    return {**known, "modes": modes, "messages": messages}


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


def _get_opening(terms: StoreTerms, at: datetime) -> dict[str, Any]:
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
