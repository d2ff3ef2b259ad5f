"""Messages for a guest's agent about why an order would be refused. Without side effects."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from comanda.contracts import LineBody, OrderBody, Problem, parse_id
from comanda.menu import MenuSnapshot

from comanda_storefront.records import CartMessage

# Errors in the request itself, rather than items that are unavailable at the moment.
MISTAKE_CODES: Final = frozenset({"unknown_item", "unknown_variation", "wrong_extras", "type_unavailable"})


def to_messages(problems: Iterable[Problem], order: OrderBody, menu: MenuSnapshot) -> list[CartMessage]:
    """Return a message for each problem of an order."""
    return [
        CartMessage(type="error", code=_get_code(problem, order, menu), path=problem.field, text=_to_text(problem))
        for problem in problems
    ]


def parse_line_position(path: str) -> int | None:
    """Return the line position in a path, or None."""
    head, _, rest = path.partition(".")
    return parse_id(rest.partition(".")[0]) if head == "items" else None


def _get_code(problem: Problem, order: OrderBody, menu: MenuSnapshot) -> str:
    path, reason = problem.field, problem.extras.get("reason")
    position = parse_line_position(path)
    if position is not None and position < len(order.items):
        if reason is not None and path in {f"items.{position}", f"items.{position}.item_id"}:
            return str(reason)
        return _get_line_code(path.rpartition(".")[2], order.items[position], menu)
    if path == "coupon_code":
        return f"coupon_{reason or 'refused'}"
    if reason is not None:
        return str(reason)
    if path == "type":
        return "type_unavailable"
    return "invalid_field" if getattr(order, path, None) else "missing_field"


def _get_line_code(field: str, line: LineBody, menu: MenuSnapshot) -> str:
    item = menu.items.get(line.item_id)
    if item is None:
        return "unknown_item"
    match field:
        case "item_id":
            return "sold_out" if item.is_on_menu else "not_on_menu"
        case "variation":
            return "sold_out" if line.variation in item.variant_by_id else "unknown_variation"
        case "extras":
            chosen = [item.extra_by_id.get(extra) for extra in line.extras]
            return "sold_out" if any(found and found.is_sold_out for found in chosen) else "wrong_extras"
    return "invalid_field"


def _to_text(problem: Problem) -> str:
    sentence, opens, free = problem.message, problem.extras.get("next_open_at"), problem.extras.get("next_free_at")
    sold = problem.extras.get("next_sold_at")
    if isinstance(opens, datetime):
        if problem.extras.get("reason") == "store_paused":
            return f"{sentence} It goes on at {opens.isoformat()}."
        return f"{sentence} It opens at {opens.isoformat()}."
    if isinstance(sold, datetime):
        return f"{sentence} It is sold again at {sold.isoformat()}."
    return f"{sentence} The next free time is {free.isoformat()}." if isinstance(free, datetime) else sentence
