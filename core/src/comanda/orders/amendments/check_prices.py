"""Pricing of a check: the published algorithm over the lines that it then has, with what plugins contribute."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from comanda.basics import clock, money
from comanda.basics.errors import Conflict, ValidationFailed
from comanda.basics.rates import PPM_OF_WHOLE
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.bodies import LineBody, OrderBody
from comanda.contracts.orders.charges import Discount
from comanda.contracts.orders.fulfillment import FulfillmentMode
from comanda.contracts.orders.participants import AmendedOrder, DraftLine, OrderRequest
from comanda.contracts.stores.menu_items import OfferedItem
from comanda.contracts.stores.verticals import ALWAYS_ORDERABLE
from comanda.menu.price_lists.menus import price_for_order
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders.amendments.check import Check, CheckLine
from comanda.orders.amendments.records import Amending
from comanda.orders.bills import balance
from comanda.orders.drafts.combos import expand_combos
from comanda.orders.drafts.draft import OrderChannel, OrderDraft, ask_participants, check_intake, require_none
from comanda.orders.drafts.draft_lines import draft_line
from comanda.orders.drafts.limits import MAX_LINES
from comanda.orders.records import GivenDiscount, Order, add_charges_tax, list_charges, set_promotions
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


def draft_added_lines(check: Check, menu: MenuSnapshot, bodies: list[LineBody], channel: OrderChannel) -> None:
    """Add lines to a check, with names and prices as they are now. Raises ``ValidationFailed``."""
    kind = check.order.type
    menu = price_for_order(menu, kind, channel.price_channel or channel.audience)
    _check_line_count(len(check.lines) + len(bodies))
    problems = check_intake(menu.terms, get_mode(menu, kind), clock.now()) if channel.keeps_hours else []
    drafted = [
        draft_line(body, position, menu, channel.limits.quantity, kind, problems)
        for position, body in enumerate(bodies)
    ]
    require_none(problems)
    lines = expand_combos([line for line in drafted if line is not None], len(bodies), menu, kind)
    _check_line_count(len(check.lines) + len(lines))
    check.lines += [CheckLine(line) for line in lines]


def _check_line_count(count: int) -> None:
    if count > MAX_LINES:
        raise ValidationFailed(items=[Sentence("An order may have at most %(number)s lines.", number=MAX_LINES)])


def price_check(check: Check, menu: MenuSnapshot, amending: Amending) -> OrderDraft:
    """Return a check as it will be. Raises ``ValidationFailed`` with what stands against it, and ``Conflict``.

    The draft's lines are those of the check, in their order, with their places in it as positions.
    """
    order, terms = check.order, menu.terms
    kind = check.header.get("type", order.type)
    mode = get_mode(menu, kind)
    lines = tuple(_place(line.draft, place) for place, line in enumerate(check.lines))
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
            rounds=tuple(_get_round(check, line) for line in check.lines),
            last_round=check.last_round,
        ),
    )
    draft = ask_participants(request, mode, terms.parts.get(kind, ()), {}, [], _to_discounts(check, lines))
    draft.require_valid()
    for part in draft.parts:
        if part.participant.writes and part.participant.amended is None:
            raise Conflict(
                Sentence(
                    "The order cannot be changed, as the plugin %(plugin)s does not support it.", plugin=part.plugin
                ),
                extras={"reason": "amendment_unsupported"},
            )
    return draft


def price_order(check: Check, draft: OrderDraft) -> Order:
    """Return the order of a check with the totals of its draft; charges that were added since it was placed stay."""
    before, quote, moment = check.order, draft.quote, clock.now()
    absorbed = None if check.absorbed is None else check.absorbed.order
    added = [charge for each in (before, absorbed) if each is not None for charge in each.charges if charge.is_added]
    added_minor = sum(charge.amount_minor for charge in added)
    added_tax_minor = sum(charge.tax_minor for charge in added)
    total_minor = quote.total_minor + added_minor + (0 if quote.is_tax_included else added_tax_minor)
    paid_minor = before.paid_minor + (0 if absorbed is None else absorbed.paid_minor)
    refunded_minor = before.refunded_minor + (0 if absorbed is None else absorbed.refunded_minor)
    is_covered = paid_minor - refunded_minor >= total_minor
    return replace(
        before,
        **check.header,
        subtotal_minor=quote.subtotal_minor,
        discount_total_minor=quote.discount_total_minor,
        service_charge_minor=quote.service_charge_minor,
        delivery_fee_minor=quote.delivery_fee_minor,
        charges=(*list_charges(quote, draft.contributions.charges), *added),
        charges_minor=sum(charge.amount_minor for charge in draft.contributions.charges) + added_minor,
        tax_total_minor=quote.tax_total_minor + added_tax_minor,
        taxes=add_charges_tax(quote.taxes, added),
        tip_minor=quote.tip_minor,
        rounding_minor=before.rounding_minor + (0 if absorbed is None else absorbed.rounding_minor),
        total_minor=total_minor,
        paid_minor=paid_minor,
        refunded_minor=refunded_minor,
        paid_at=moment if is_covered else None,
        payment_status=balance.to_payment_status(total_minor, paid_minor, refunded_minor, is_paid=is_covered),
        attributes=set_promotions(
            {**before.attributes, **draft.contributions.attributes, **check.attributes},
            draft.contributions.promotions,
            before.currency,
        ),
        given_discounts=tuple(check.discounts),
        amendments=before.amendments + 1,
        updated_at=moment,
    )


def get_mode(menu: MenuSnapshot, code: str) -> FulfillmentMode:
    """Return a mode of the store. Raises ``ValidationFailed`` for one that it does not have."""
    vertical = menu.terms.vertical
    if vertical is None or code not in vertical.fulfillment_modes:
        raise ValidationFailed(type=[Sentence("This store has no such type of order.")])
    return runtime.registry().fulfillment_modes[code]


def _place(line: DraftLine, place: int) -> DraftLine:
    is_there = line.position == place and line.body_position is None
    return line if is_there else replace(line, position=place, body_position=None)


def _get_round(check: Check, line: CheckLine) -> int:
    """Return the round of a line as it will be stored: those that are new to the order come after its last one."""
    if line.stored is None:
        return check.last_round + 1
    is_absorbed = check.absorbed is not None and line.stored.id in check.absorbed.line_ids
    return line.stored.round + (check.last_round if is_absorbed else 0)


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
        compare_at_price_minor=None,
        prior_price_minor=None,
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
        orderability=ALWAYS_ORDERABLE,
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
    line_id, known_ids = given.line_id, [known.id for known in check.lines]
    chosen = {*check.list_together(line_id)} if line_id is not None and line_id in known_ids else set[int]()
    eligible = [line for line, known_id in zip(lines, known_ids, strict=True) if line_id is None or known_id in chosen]
    if given.amount_minor is None:
        gross = sum(line.unit_price_minor * line.quantity for line in eligible)
        amount_minor = money.round_half_up(gross * (given.rate_ppm or 0), PPM_OF_WHOLE)
    else:
        amount_minor = given.amount_minor
    positions = None if given.line_id is None else frozenset(line.position for line in eligible)
    return Discount(f"given_{given.id}", given.label[:100], amount_minor, positions)
