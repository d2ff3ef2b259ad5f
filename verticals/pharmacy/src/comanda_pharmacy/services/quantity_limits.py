"""How many of an item one order may have."""

from collections import Counter
from typing import Final

from comanda.basics import Sentence
from comanda.contracts import Contribution, OrderRequest, Problem

LIMIT: Final = "max_per_order"
REASON: Final = "max_quantity"


def has_limits(request: OrderRequest, _loaded: None) -> bool:
    """Return whether an order has an item of which it may not have as many as the guest likes."""
    return any(request.items[line.item_id].attributes.get(LIMIT) for line in request.lines)


def check_quantities(request: OrderRequest, _loaded: None) -> Contribution | None:
    """Return a problem for each item of which there are too many, over all lines of the order.

    Of an order that is amended, only the items of added lines are checked.
    """
    lines = [line for line in request.lines if not line.is_heading]
    quantities = Counter[int]()
    for line in lines:
        quantities[line.item_id] += line.quantity
    added = lines if request.amends is None else request.amends.list_added(request.lines)
    problems = []
    for line in {line.item_id: line for line in reversed(added)}.values():
        item = request.items[line.item_id]
        limit = item.attributes.get(LIMIT)
        if limit is not None and quantities[line.item_id] > limit:
            text = Sentence("At most %(number)s of %(item)s can be ordered at once.", number=limit, item=item.name)
            problems.append(Problem(f"{line.path}.quantity", text, {"reason": REASON}))
    return Contribution(problems=problems) if problems else None
