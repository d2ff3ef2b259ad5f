"""Drafts for ordering a past order again, at current prices."""

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

from comanda_customers.services.orders import CUSTOMER_CHANNEL

SELECT_ORDER = f"""
    SELECT o.id, o.type, {ORDER_LINES}, (
        SELECT json_agg(l.variant_id ORDER BY l.position) FROM core_order_line l
        WHERE l.order_id = o.id AND l.owner_id = o.owner_id) AS variants
    FROM core_order o WHERE o.id = $1 AND o.owner_id = $2 AND o.store_id = $3 AND o.customer_id = $4
"""
# Nothing is placed here, so these required fields may have any value.
PLACEHOLDER_LOCATION = {"address": "-", "table_number": "-", "room_number": "-"}


async def create_draft(caller: Caller, order_id: int) -> dict[str, Any]:
    """Return the lines of the customer's order that are available now, priced, and why others are not.

    Raises ``NotFound`` for another customer's order, and while the store is not published.
    """
    row = await sql.fetch_one(SELECT_ORDER, order_id, caller.owner_id, caller.store_id, caller.subject_id)
    if row is None:
        raise NotFound
    menu = await public_view.get_public_menu(caller.store_id or 0)
    # Requirements of plugins besides the lines, such as a slot, apply when the order is placed.
    menu = replace(menu, terms=replace(menu.terms, parts={}))
    past = orjson.loads(row["lines"])
    lines = [_to_line_body(line, variant) for line, variant in zip(past, orjson.loads(row["variants"]), strict=True)]
    type_, messages = _choose_type(menu, row["type"])
    priced, refused = _price_lines(menu, type_, lines, caller) if type_ is not None else (None, {})
    messages += [
        {"type": "warning", "code": "left_out", "path": f"items.{number}", "text": f"{past[number]['name']}: {text}"}
        for number, text in sorted(refused.items())
    ]
    kept = [one for number, one in enumerate(lines) if number not in refused]
    return {"order_id": order_id, "type": type_, "messages": messages, **_to_record(menu, priced, kept)}


def _choose_type(menu: MenuSnapshot, order_type: str) -> tuple[str | None, list[dict[str, Any]]]:
    """Return the order's type, or the store's first type if it no longer accepts that one, with a message."""
    codes = [mode.code for mode in list_modes(menu.terms, CUSTOMER_CHANNEL)]
    if order_type in codes:
        return order_type, []
    text = f"This store no longer accepts orders of the type {order_type}."
    return next(iter(codes), None), [{"type": "warning", "code": "type_changed", "path": "type", "text": text}]


def _price_lines(
    menu: MenuSnapshot, type_: str, lines: Sequence[LineBody], caller: Caller
) -> tuple[OrderDraft | None, dict[int, str]]:
    """Return the priced lines that are available, and the reasons of the others by position."""
    channel = replace(CUSTOMER_CHANNEL, keeps_hours=False)
    refused: dict[int, str] = {}
    for number, line in enumerate(lines):
        try:
            draft_order(OrderBody(type=type_, items=[line], **PLACEHOLDER_LOCATION), menu, channel, caller)
        except ValidationFailed as error:
            refused[number] = " ".join(sentence for found in error.errors.values() for sentence in found)
    kept = [line for number, line in enumerate(lines) if number not in refused]
    if not kept:
        return None, refused
    return draft_order(OrderBody(type=type_, items=kept, **PLACEHOLDER_LOCATION), menu, channel, caller), refused


def _to_line_body(line: dict[str, Any], variant_id: int | None) -> LineBody:
    extras = [extra["id"] for extra in line["extras"] for _ in range(extra.get("quantity", 1))]
    return LineBody.model_construct(
        item_id=line["item_id"], quantity=line["quantity"], variation=variant_id, extras=extras, note=line["note"]
    )


def _to_record(menu: MenuSnapshot, priced: OrderDraft | None, kept: Sequence[LineBody]) -> dict[str, Any]:
    currency = menu.terms.currency
    lines = (
        [] if priced is None else [_to_line_record(*pair, currency) for pair in zip(priced.lines, kept, strict=True)]
    )
    return {
        "currency": currency,
        "subtotal": money.to_number(priced.quote.subtotal_minor if priced else 0, currency),
        "total": money.to_number(priced.quote.total_minor if priced else 0, currency),
        "items": lines,
    }


def _to_line_record(line: DraftLine, body: LineBody, currency: str) -> dict[str, Any]:
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
