"""Why an order would be refused, as messages for a guest's agent. Pure."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from comanda.contracts.order_bodies import LineBody, OrderBody
from comanda.errors import ValidationFailed
from comanda.menu.snapshot import MenuSnapshot

from comanda_storefront.carts.schemas import Message

# What asks for the impossible, rather than for what cannot be had just now.
MISTAKES: Final = frozenset({"unknown_item", "unknown_variation", "wrong_extras", "type_unavailable"})


def messages_of(error: ValidationFailed, order: OrderBody, menu: MenuSnapshot) -> list[Message]:
    """Make a message of each sentence of a refusal of ``order``."""
    return [
        Message(type="error", code=_code(path, error.extras, order, menu), path=path, text=_text(sentence, error))
        for path, sentences in error.errors.items()
        for sentence in sentences
    ]


def position_of(path: str) -> int | None:
    """Tell which line a path is about, or None."""
    head, _, rest = path.partition(".")
    number = rest.partition(".")[0]
    return int(number) if head == "items" and number.isdigit() else None


def moved(path: str, position: int) -> str:
    """Return the path of the same field of another line."""
    head, _, *field = path.split(".")
    return ".".join([head, str(position), *field])


def _code(path: str, extras: Mapping[str, Any], order: OrderBody, menu: MenuSnapshot) -> str:
    position, reason = position_of(path), extras.get("reason")
    if position is not None and position < len(order.items):
        return _line_code(path.rpartition(".")[2], order.items[position], menu)
    if path == "coupon_code":
        return f"coupon_{reason or 'refused'}"
    if reason is not None:
        return str(reason)
    if path == "type":
        return "type_unavailable"
    return "invalid_field" if getattr(order, path, None) else "missing_field"


def _line_code(field: str, line: LineBody, menu: MenuSnapshot) -> str:
    item = menu.items.get(line.item_id)
    if item is None:
        return "unknown_item"
    match field:
        case "item_id":
            return "sold_out" if item["is_on_menu"] else "not_on_menu"
        case "variation":
            return "sold_out" if line.variation in item["variant_by_id"] else "unknown_variation"
        case "extras":
            chosen = [item["extra_by_id"].get(extra) for extra in line.extras]
            return "sold_out" if any(found and found[0]["is_sold_out"] for found in chosen) else "wrong_extras"
    return "invalid_field"


def _text(sentence: str, error: ValidationFailed) -> str:
    opens, free = error.extras.get("next_open_at"), error.extras.get("next_free_at")
    if isinstance(opens, datetime):
        if error.extras.get("reason") == "store_paused":
            return f"{sentence} It goes on at {opens.isoformat()}."
        return f"{sentence} It opens at {opens.isoformat()}."
    return f"{sentence} The next free time is {free.isoformat()}." if isinstance(free, datetime) else sentence
