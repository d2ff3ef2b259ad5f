"""Makes a past order into lines to order again, at today's prices."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson
from comanda import money
from comanda.contracts.callers import Caller
from comanda.contracts.order_bodies import LineBody, OrderBody
from comanda.contracts.order_participants import DraftLine
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.menu import public_view
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders.draft import OrderDraft, draft_order, list_modes
from comanda.orders.queries import ORDER_LINES

from comanda_customers.services.ordering import CHANNEL

ONE = f"""
    SELECT o.id, o.type, {ORDER_LINES}, (
        SELECT json_agg(l.variant_id ORDER BY l.position) FROM core_order_line l
        WHERE l.order_id = o.id AND l.owner_id = o.owner_id) AS variants
    FROM core_order o WHERE o.id = $1 AND o.owner_id = $2 AND o.store_id = $3 AND o.customer_id = $4
"""
# Nothing is placed here, so what only the order itself needs may be anything.
ANYWHERE = {"address": "-", "table_number": "-", "room_number": "-"}


async def reorder(caller: Caller, order_id: int) -> dict[str, Any]:
    """Return the lines of the customer's order that can be had now, priced, and why others cannot.

    Raises ``NotFound`` for anybody else's order, and while the store is not published.
    """
    row = await sql.fetch_one(ONE, order_id, caller.owner_id, caller.store_id, caller.subject_id)
    if row is None:
        raise NotFound
    menu = await public_view.get_public_menu(caller.store_id or 0)
    # What plugins ask for beside the lines, such as a slot, is asked when the order is placed.
    menu = replace(menu, terms=replace(menu.terms, parts={}))
    past = orjson.loads(row["lines"])
    wanted = [_line_body(line, variant) for line, variant in zip(past, orjson.loads(row["variants"]), strict=True)]
    type_, messages = _type(menu, row["type"])
    made, refused = _draft(menu, type_, wanted, caller) if type_ is not None else (None, {})
    messages += [
        {"type": "warning", "code": "left_out", "path": f"items.{number}", "text": f"{past[number]['name']}: {text}"}
        for number, text in sorted(refused.items())
    ]
    kept = [one for number, one in enumerate(wanted) if number not in refused]
    return {"order_id": order_id, "type": type_, "messages": messages, **_record(menu, made, kept)}


def _type(menu: MenuSnapshot, wanted: str) -> tuple[str | None, list[dict[str, Any]]]:
    """Return the order's type, or the first that the store takes where it takes that no more."""
    codes = [mode.code for mode in list_modes(menu.terms, CHANNEL)]
    if wanted in codes:
        return wanted, []
    text = f"This store takes no more orders of the type {wanted}."
    return next(iter(codes), None), [{"type": "warning", "code": "type_changed", "path": "type", "text": text}]


def _draft(
    menu: MenuSnapshot, type_: str, wanted: Sequence[LineBody], caller: Caller
) -> tuple[OrderDraft | None, dict[int, str]]:
    """Price what can be had; tell by its place why a line cannot."""
    channel = replace(CHANNEL, keeps_hours=False)
    refused: dict[int, str] = {}
    for number, line in enumerate(wanted):
        try:
            draft_order(OrderBody(type=type_, items=[line], **ANYWHERE), menu, channel, caller)
        except ValidationFailed as error:
            refused[number] = " ".join(sentence for found in error.errors.values() for sentence in found)
    kept = [line for number, line in enumerate(wanted) if number not in refused]
    if not kept:
        return None, refused
    return draft_order(OrderBody(type=type_, items=kept, **ANYWHERE), menu, channel, caller), refused


def _line_body(line: dict[str, Any], variant_id: int | None) -> LineBody:
    extras = [extra["id"] for extra in line["extras"] for _ in range(extra.get("quantity", 1))]
    return LineBody.model_construct(
        item_id=line["item_id"], quantity=line["quantity"], variation=variant_id, extras=extras, note=line["note"]
    )


def _record(menu: MenuSnapshot, made: OrderDraft | None, kept: Sequence[LineBody]) -> dict[str, Any]:
    currency = menu.terms.currency
    lines = [] if made is None else [_line(*pair, currency) for pair in zip(made.lines, kept, strict=True)]
    return {
        "currency": currency,
        "subtotal": money.to_number(made.quote.subtotal_minor if made else 0, currency),
        "total": money.to_number(made.quote.total_minor if made else 0, currency),
        "items": lines,
    }


def _line(line: DraftLine, body: LineBody, currency: str) -> dict[str, Any]:
    return {
        "item_id": line.item_id,
        "name": line.name,
        "quantity": line.quantity,
        "variation": body.variation,
        "variation_name": line.variation["name"] if line.variation else None,
        "extras": body.extras,
        "extra_names": [extra["name"] for extra in line.extras],
        "note": line.note,
        "unit_price": money.to_number(line.unit_price_minor, currency),
        "line_total": money.to_number(line.unit_price_minor * line.quantity, currency),
    }
