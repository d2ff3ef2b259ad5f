"""Splitting an open check: some of its lines become an order of their own, in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from comanda.basics import clock
from comanda.basics.errors import Conflict, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.participants import DraftLine, unaffected
from comanda.contracts.orders.status import PaymentStatus, Status
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders import queries, status
from comanda.orders.amendments import check_prices, storage
from comanda.orders.amendments.check import NOTHING_LEFT, Check, CheckLine, lock_check, require_open
from comanda.orders.amendments.open_checks import CheckPlace, get_menu
from comanda.orders.amendments.records import Amending, AmendmentKind
from comanda.orders.drafts.draft import OrderDraft
from comanda.orders.intake.insertion import SPLIT_FROM, OrderOrigin, insert_built_order, to_business_date
from comanda.orders.records import Order, set_promotions
from comanda.orders.track_tokens import generate_track_token
from comanda.platform.db import sql


@dataclass(frozen=True, slots=True)
class SplitLine:
    """A quantity of a line to split off, all of it if None."""

    line_id: int
    quantity: int | None


async def split_order(place: CheckPlace, lines: Sequence[SplitLine]) -> Order:
    """Split lines of an open check off into a new order with ``split_from``, and return the new order.

    Payments, tip and coupon stay. Emits ``OrderCreated`` for the new order and ``OrderAmended`` for the other, with the
    errors of ``merge_orders``.
    """
    menu = await get_menu(place)
    async with sql.transaction():
        check = await lock_check(place.caller.owner_id, place.store_id, place.order_id)
        require_open(check)
        mode = check_prices.get_mode(menu, check.order.type)
        if mode.is_delivery or mode.is_scheduled:
            raise ValidationFailed(type=[Sentence("Orders of the type %(type)s cannot be split.", type=mode.code)])
        lines = _complete_combos(check, lines)
        taken = [_take_line(check, line) for line in lines]
        if not check.lines:
            raise ValidationFailed(lines=[Sentence("At least one item has to stay.")])
        created = await _create_order(check, taken, menu, place.amending(AmendmentKind.SPLIT))
        check.split_into = created.id
        check.split_lines = dict(zip([line.line_id for line in lines], created.lines, strict=True))
        amending = place.amending(AmendmentKind.SPLIT, split_into=created.id)
        await storage.save_amendment(check, check_prices.price_check(check, menu, amending), amending)
    return await queries.get_order(place.caller.owner_id, place.store_id, created.id)


def _complete_combos(check: Check, lines: Sequence[SplitLine]) -> Sequence[SplitLine]:
    """Return the lines with all those of their combos, which stay together."""
    found: dict[int, SplitLine] = {}
    for line in lines:
        for line_id in check.list_together(line.line_id):
            found.setdefault(line_id, SplitLine(line_id, line.quantity))
    return list(found.values())


def _take_line(check: Check, line: SplitLine) -> tuple[CheckLine, DraftLine]:
    """Take a quantity off a line and return it, with the line as it was before."""
    return check.get_line(line.line_id), check.take(line.line_id, line.quantity)


async def _create_order(
    check: Check, taken: Sequence[tuple[CheckLine, DraftLine]], menu: MenuSnapshot, amending: Amending
) -> Order:
    """Insert the order that takes over lines, with those lines, and the status that the other has."""
    before = check.order
    new = Check(
        order=replace(before, **NOTHING_LEFT, coupon_code=None, given_discounts=(), amendments=0, lines=()),
        placed=check.placed,
        audience=check.audience,
        last_round=0,
        menu_version=check.menu_version,
        has_voided=check.has_voided,
        lines=[CheckLine(line, known.stored) for known, line in taken],
        discounts=[],
    )
    draft = check_prices.price_check(new, menu, amending)
    for part in draft.parts:
        if part.participant.writes and part.participant.amended is not unaffected:
            raise Conflict(
                Sentence(
                    "The order cannot be split, as the plugin %(plugin)s does not support it.", plugin=part.plugin
                ),
                extras={"reason": "amendment_unsupported"},
            )
    inserted = await insert_built_order(_build_order(new, draft), [], _to_origin(check))
    if before.status is not Status.NEW:
        placed = await status.lock_order(before.owner_id, inserted.id)
        await status.change_status(placed, before.status, actor=amending.caller.actor)
    lines = await storage.move_lines(inserted, [known for known, _ in taken], draft)
    return replace(inserted, lines=tuple(lines))


def _build_order(new: Check, draft: OrderDraft) -> Order:
    moment, before = clock.now(), new.order
    quote = draft.quote
    # Its lines are its first round.
    promotions = [replace(each, rounds=(1,)) for each in draft.contributions.promotions]
    return replace(
        before,
        id=0,
        number=0,
        status=Status.NEW,
        business_date=to_business_date(draft.request.terms, moment),
        subtotal_minor=quote.subtotal_minor,
        discount_total_minor=quote.discount_total_minor,
        service_charge_minor=quote.service_charge_minor,
        tax_total_minor=quote.tax_total_minor,
        taxes=quote.taxes,
        total_minor=quote.total_minor,
        paid_at=None if quote.total_minor else moment,
        payment_status=PaymentStatus.UNPAID if quote.total_minor else PaymentStatus.PAID,
        client_uuid=None,
        track_token=generate_track_token(before.owner_id),
        timeline={"created_at": moment},
        attributes={**set_promotions(before.attributes, promotions, before.currency), SPLIT_FROM: before.id},
        created_at=moment,
        updated_at=moment,
    )


def _to_origin(check: Check) -> OrderOrigin:
    order = check.order
    return OrderOrigin(order.customer_id, order.source, check.audience, None, None, None)
