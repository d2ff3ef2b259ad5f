"""The steps of batches in orders: packs are taken with the stock of items that are sold by batch, and given back."""

from collections import Counter
from typing import Final

from comanda.basics import Sentence, ValidationFailed
from comanda.contracts import DraftLine, NewOrder, OrderRequest, PlacedOrder, Status

from comanda_pharmacy.services import batch_packs
from comanda_pharmacy.services.batch_packs import BatchKey, Wanted
from comanda_pharmacy.services.pharmacies import get_today, get_zone

REASON: Final = "no_batch"


def has_batches(request: OrderRequest, _loaded: None) -> bool:
    """Return whether an order has items that are sold by batch, or an amendment takes lines off or over."""
    amends = request.amends
    if amends is not None and (amends.released or amends.absorbed is not None):
        return True
    return any(_is_sold_by_batch(request, line) for line in request.lines)


async def take(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Take the packs of a new order. Raises ``ValidationFailed`` if there are too few that have not expired."""
    await _take(request, order)


async def amend(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Give back what an amendment takes off, and take what it adds. Raises ``ValidationFailed`` like ``take``."""
    amends, owner_id = request.amends, request.terms.owner_id
    if amends is not None and amends.absorbed is not None:
        await batch_packs.move_uses(owner_id, amends.absorbed.id, order.id)
    if amends is not None and amends.released:
        released, kept = Counter[int](), Counter[int]()
        for line in amends.released:
            (released if line.is_restocked else kept)[line.line_id] += line.quantity
        await batch_packs.release_packs(owner_id, released, kept=kept)
    await _take(request, order)


async def follow_status(order: PlacedOrder, status: Status) -> None:
    """Give the packs of a cancelled order back, and take them again for one that is reopened.

    Raises ``ValidationFailed`` if they have been sold or have expired meanwhile.
    """
    if status is Status.CANCELLED:
        await batch_packs.return_order(order.owner_id, order.id)
    elif order.status is Status.CANCELLED:
        today = get_today(await get_zone(order.owner_id, order.store_id))
        if await batch_packs.take_again(order.owner_id, order.store_id, order.id, today):
            text = Sentence("This order cannot be reopened, because its batches have been sold or have expired.")
            raise ValidationFailed({"status": [text]}, extras={"reason": REASON})


async def _take(request: OrderRequest, order: NewOrder) -> None:
    terms, amends = request.terms, request.amends
    before = (None,) * len(request.lines) if amends is None else amends.line_ids
    lines = {
        line_id: line
        for line, line_id, known_id in zip(request.lines, order.line_ids, before, strict=True)
        if known_id is None and _is_sold_by_batch(request, line)
    }
    wanted = [Wanted(line_id, _to_key(line), line.quantity) for line_id, line in lines.items()]
    short = await batch_packs.take_packs(terms.owner_id, terms.id, order.id, wanted, get_today(terms.zone))
    if short:
        errors = {
            f"{line.path}.item_id": [
                Sentence("There is not enough of %(item)s in batches that have not expired.", item=line.name)
            ]
            for line in lines.values()
            if _to_key(line) in short
        }
        raise ValidationFailed(errors, extras={"reason": REASON})


def _to_key(line: DraftLine) -> BatchKey:
    """Return whose packs a line takes: those of its variation, if that has a stock of its own."""
    is_of_variant = line.stock_key is not None and line.stock_key[0] == "variant"
    return line.item_id, line.variant_id if is_of_variant else None


def _is_sold_by_batch(request: OrderRequest, line: DraftLine) -> bool:
    return not line.is_heading and bool(request.items[line.item_id].attributes.get("is_sold_by_batch"))
