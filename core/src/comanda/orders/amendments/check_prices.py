"""Pricing of a check: the published algorithm over the lines that it then has, with what plugins contribute."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from comanda.basics import money
from comanda.basics.errors import Conflict, ValidationFailed
from comanda.basics.rates import PPM_OF_WHOLE
from comanda.contracts.charges import Discount
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.menu_items import OfferedItem
from comanda.contracts.order_bodies import LineBody, OrderBody
from comanda.contracts.order_participants import AmendedOrder, DraftLine, OrderRequest, Problem
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders.amendments.check import Check, CheckLine
from comanda.orders.amendments.records import Amending
from comanda.orders.draft import OrderDraft, ask_participants
from comanda.orders.draft_lines import draft_line
from comanda.orders.placement import OWNER_CHANNEL
from comanda.orders.records import GivenDiscount
from comanda.platform import runtime

# Fields of the body that the order has as columns.
BODY_FIELDS: Final = (
    "customer_name",
    "phone",
    "address",
    "table_number",
    "room_number",
    "scheduled_for",
    "note",
    "source",
    "coupon_code",
)


def draft_added_lines(check: Check, menu: MenuSnapshot, bodies: list[LineBody]) -> None:
    """Add lines to a check, with names and prices as they are now. Raises ``ValidationFailed``."""
    limits, problems = OWNER_CHANNEL.limits, list[Problem]()
    if len(check.lines) + len(bodies) > limits.lines:
        raise ValidationFailed(items=[f"An order may have at most {limits.lines} lines."])
    mode = check.header.get("type", check.order.type)
    drafted = [
        draft_line(body, position, menu, limits.quantity, mode, problems) for position, body in enumerate(bodies)
    ]
    if problems:
        raise ValidationFailed({problem.field: [problem.message] for problem in problems})
    check.lines += [CheckLine(line) for line in drafted if line is not None]


def price_check(check: Check, menu: MenuSnapshot, amending: Amending) -> OrderDraft:
    """Return a check as it will be. Raises ``ValidationFailed`` with what stands against it, and ``Conflict``.

    The draft's lines are those of the check, in their order, with their places in it as positions.
    """
    order, terms = check.order, menu.terms
    kind = check.header.get("type", order.type)
    mode = get_mode(menu, kind)
    lines = tuple(replace(line.draft, position=place) for place, line in enumerate(check.lines))
    request = OrderRequest(
        terms=terms,
        body=_to_body(check, kind, lines),
        caller=amending.caller,
        audience=check.audience,
        lines=lines,
        is_complete=True,
        items=_add_deleted_items(check, menu),
        fields=order.attributes,
        scheduled_for=order.scheduled_for,
        amends=AmendedOrder(
            order=check.placed,
            line_ids=tuple(line.id for line in check.lines),
            released=tuple(check.released),
            is_approved=amending.approval.is_given,
            absorbed=None if check.absorbed is None else check.absorbed.placed,
            absorbed_line_ids=frozenset() if check.absorbed is None else frozenset(check.absorbed.line_ids),
            split_into=check.split_into,
            split_lines={line_id: line.id for line_id, line in check.split_lines.items()},
        ),
    )
    draft = ask_participants(request, mode, terms.parts.get(kind, ()), {}, [], _to_discounts(check, lines))
    draft.require_valid()
    for part in draft.parts:
        if part.participant.writes and part.participant.amended is None:
            raise Conflict(
                f"The order cannot be changed, as the plugin {part.plugin} does not support it.",
                extras={"reason": "amendment_unsupported"},
            )
    return draft


def get_mode(menu: MenuSnapshot, code: str) -> FulfillmentMode:
    """Return a mode of the store. Raises ``ValidationFailed`` for one that it does not have."""
    vertical = menu.terms.vertical
    if vertical is None or code not in vertical.fulfillment_modes:
        raise ValidationFailed(type=["This store has no such type of order."])
    return runtime.registry().fulfillment_modes[code]


def _to_body(check: Check, kind: str, lines: tuple[DraftLine, ...]) -> OrderBody:
    order = check.order
    values = {name: check.header.get(name, getattr(order, name)) for name in BODY_FIELDS}
    # What was accepted once is not validated again.
    return OrderBody.model_construct(
        **order.attributes,
        **values,
        type=kind,
        items=[_to_line_body(line) for line in lines],
        tip_amount=float(money.to_number(check.tip_minor, order.currency)),
    )


def _add_deleted_items(check: Check, menu: MenuSnapshot) -> Mapping[int, OfferedItem]:
    """Return the items of the menu, and what is known of those that were deleted since they were ordered."""
    deleted = [line.draft for line in check.lines if line.draft.item_id not in menu.items]
    return {**menu.items, **{line.item_id: _to_deleted_item(line) for line in deleted}} if deleted else menu.items


def _to_deleted_item(line: DraftLine) -> OfferedItem:
    return OfferedItem(
        id=line.item_id,
        category_id=0,
        name=line.name,
        description=None,
        image_url=None,
        price_minor=line.unit_price_minor,
        tax_rate_ppm=line.tax_rate_ppm,
        is_sold_out=False,
        sold_out_until=None,
        is_popular=False,
        is_active=False,
        position=0,
        stock=None,
        allow_backorder=False,
        attributes={},
        variants=(),
        groups=(),
        gallery=(),
        is_on_menu=False,
        is_available=False,
        gone_from=None,
        variant_by_id={},
        extra_by_id={},
    )


def _to_line_body(line: DraftLine) -> LineBody:
    return LineBody.model_construct(
        item_id=line.item_id,
        quantity=line.quantity,
        variation=None if line.variation is None else line.variation.id,
        extras=[extra.id for extra in line.extras for _ in range(extra.quantity)],
        note=line.note,
        seat=line.seat,
        course=line.course,
    )


def _to_discounts(check: Check, lines: tuple[DraftLine, ...]) -> list[Discount]:
    """Return the discounts that were given by hand, with what they take off the lines as they are now."""
    return [_to_discount(given, check, lines) for given in check.discounts]


def _to_discount(given: GivenDiscount, check: Check, lines: tuple[DraftLine, ...]) -> Discount:
    eligible = [
        line
        for line, known in zip(lines, check.lines, strict=True)
        if given.line_id is None or known.id == given.line_id
    ]
    if given.amount_minor is None:
        gross = sum(line.unit_price_minor * line.quantity for line in eligible)
        amount_minor = money.round_half_up(gross * (given.rate_ppm or 0), PPM_OF_WHOLE)
    else:
        amount_minor = given.amount_minor
    positions = None if given.line_id is None else frozenset(line.position for line in eligible)
    return Discount(f"given_{given.id}", given.label[:100], amount_minor, positions)
