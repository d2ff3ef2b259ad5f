"""Drafts for ordering a past order again, at current prices."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from comanda.basics import Money
from comanda.contracts import Caller, DraftLine, LineBody, OrderBody
from comanda.menu import MenuSnapshot, public_view
from comanda.orders import OrderDraft, OrderLine, draft_order, fold_combos, list_modes

from comanda_customers.records.reorders import ReorderDraft, ReorderLine, ReorderMessage
from comanda_customers.services.ordering.orders import CUSTOMER_CHANNEL, get_order

# Nothing is placed here, so these required fields may have any value.
PLACEHOLDER_LOCATION = {"address": "-", "table_number": "-", "room_number": "-"}


async def create_draft(caller: Caller, order_id: int) -> ReorderDraft:
    """Return the lines of the customer's order that are available now, priced, and why others are not.

    Raises ``NotFound`` for another customer's order, and while the store is not published.
    """
    past = await get_order(caller, order_id)
    menu = await public_view.get_public_menu(caller.store_id or 0)
    # Requirements of plugins besides the lines, such as a slot, apply when the order is placed.
    menu = replace(menu, terms=replace(menu.terms, parts={}))
    ordered = fold_combos(past.lines)
    lines = [_to_line_body(line) for line in ordered]
    type_, messages = _choose_type(menu, past.type)
    priced, refused = _price_lines(menu, type_, lines, caller) if type_ is not None else (None, {})
    messages += [
        ReorderMessage("warning", "left_out", f"items.{number}", f"{ordered[number].name}: {text}")
        for number, text in sorted(refused.items())
    ]
    kept = [one for number, one in enumerate(lines) if number not in refused]
    currency = menu.terms.currency
    return ReorderDraft(
        order_id=order_id,
        type=type_,
        currency=currency,
        items=[_to_reorder_line(*pair, currency) for pair in _pair_lines(priced, kept)] if priced else [],
        subtotal=Money(priced.quote.subtotal_minor if priced else 0, currency),
        total=Money(priced.quote.total_minor if priced else 0, currency),
        messages=messages,
    )


def _choose_type(menu: MenuSnapshot, order_type: str) -> tuple[str | None, list[ReorderMessage]]:
    """Return the order's type, or the store's first type if it no longer accepts that one, with a message."""
    codes = [mode.code for mode in list_modes(menu.terms, CUSTOMER_CHANNEL)]
    if order_type in codes:
        return order_type, []
    text = f"This store no longer accepts orders of the type {order_type}."
    return next(iter(codes), None), [ReorderMessage("warning", "type_changed", "type", text)]


def _price_lines(
    menu: MenuSnapshot, type_: str, lines: Sequence[LineBody], caller: Caller
) -> tuple[OrderDraft | None, dict[int, str]]:
    """Return the priced lines that are available, and the reasons of the others by position."""
    channel = replace(CUSTOMER_CHANNEL, keeps_hours=False)
    refused: dict[int, str] = {}
    for number, line in enumerate(lines):
        drafted = draft_order(OrderBody(type=type_, items=[line], **PLACEHOLDER_LOCATION), menu, channel, caller)
        if drafted.problems:
            refused[number] = " ".join(problem.message for problem in drafted.problems)
    kept = [line for number, line in enumerate(lines) if number not in refused]
    if not kept:
        return None, refused
    return draft_order(OrderBody(type=type_, items=kept, **PLACEHOLDER_LOCATION), menu, channel, caller), refused


def _pair_lines(priced: OrderDraft, kept: Sequence[LineBody]) -> Iterator[tuple[DraftLine, LineBody]]:
    drafted = priced.list_body_lines()
    return ((drafted[number][0], body) for number, body in enumerate(kept))


def _to_line_body(line: OrderLine) -> LineBody:
    extras = [extra["id"] for extra in line.extras for _ in range(extra.get("quantity", 1))]
    return LineBody.model_construct(
        item_id=line.item_id, quantity=line.quantity, variation=line.variant_id, extras=extras, note=line.note
    )


def _to_reorder_line(line: DraftLine, body: LineBody, currency: str) -> ReorderLine:
    return ReorderLine(
        item_id=line.item_id,
        name=line.name,
        quantity=line.quantity,
        variation=body.variation,
        variation_name=line.variation.name if line.variation else None,
        extras=body.extras,
        extra_names=[extra.name for extra in line.extras],
        note=line.note,
        unit_price=Money(line.unit_price_minor, currency),
        line_total=Money(line.unit_price_minor * line.quantity, currency),
    )
