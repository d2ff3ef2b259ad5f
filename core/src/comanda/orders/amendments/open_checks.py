"""Amendments of an open check: each one transaction under the order's lock."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

from comanda.basics import money
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.basics.rates import PPM_OF_WHOLE
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.bodies import LineBody
from comanda.contracts.orders.charges import LinePrice
from comanda.contracts.orders.sections import OrderState
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.menu import snapshot
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders import queries, sections
from comanda.orders.amendments import check_prices, storage
from comanda.orders.amendments.bodies import ExcessRefundBody
from comanda.orders.amendments.check import Check, lock_check, require_not_closed, require_open
from comanda.orders.amendments.records import OWN_RIGHT, Amending, Amendment, AmendmentKind, Approval
from comanda.orders.drafts.draft import OrderChannel
from comanda.orders.intake.insertion import SERVED_BY
from comanda.orders.intake.placement import OWNER_CHANNEL
from comanda.orders.records import GivenDiscount, Order
from comanda.platform.db import sql
from comanda.stores.services import require_store

SELECT_CURRENCY: Final = "SELECT currency FROM core_order WHERE id = $1 AND owner_id = $2 AND store_id = $3"
COUNT_AMENDMENTS: Final = "SELECT count(*) FROM core_order_amendment WHERE order_id = $1 AND owner_id = $2"
SELECT_AMENDMENTS: Final = """
    SELECT number, kind, changes, reason, actor, approved_by, total_minor, created_at FROM core_order_amendment
    WHERE order_id = $1 AND owner_id = $2 ORDER BY number DESC LIMIT $3 OFFSET $4
"""


@dataclass(frozen=True, slots=True)
class CheckPlace:
    """The order to amend: who amends it, with whose approval, its store and its id.

    ``refund`` is how to refund what was paid above the new total, None to refuse that.
    """

    caller: Caller
    store_id: int
    order_id: int
    approval: Approval = OWN_RIGHT
    refund: ExcessRefundBody | None = None

    def amending(self, kind: AmendmentKind, reason: str | None = None, **details: object) -> Amending:
        """Return an amendment of the order; ``details`` are further facts for its event."""
        return Amending(self.caller, kind, self.approval, reason, self.refund, details)


@dataclass(frozen=True, slots=True)
class NewDiscount:
    """A discount to give: a rate in parts per million, or an amount of the order's currency; on a line or on all."""

    rate_ppm: int | None
    amount: float | None
    line_id: int | None


async def list_amendments(caller: Caller, store_id: int, order_id: int, page: PageRequest) -> RecordPage[Amendment]:
    """List an order's amendments, newest first. Raises ``NotFound``."""
    currency = None
    if caller.reaches(store_id):
        currency = await sql.fetch_value(SELECT_CURRENCY, order_id, caller.owner_id, store_id)
    if currency is None:
        raise NotFound
    total = await sql.fetch_value(COUNT_AMENDMENTS, order_id, caller.owner_id)
    rows = await sql.fetch(SELECT_AMENDMENTS, order_id, caller.owner_id, page.size(), page.offset())
    return page.of([Amendment.from_row(row, currency) for row in rows], total)


async def add_lines(place: CheckPlace, lines: list[LineBody], channel: OrderChannel = OWNER_CHANNEL) -> Order:
    """Add a round of lines, with names and prices as they are now, and return the order.

    The channel limits quantities, and may refuse while the store takes no orders. Emits ``OrderAmended``. Raises
    ``NotFound``; ``Conflict`` for an order that is not an open check; ``ValidationFailed`` for lines that cannot be
    ordered, and for what a participant refuses.
    """
    async with _amend(place, AmendmentKind.ADD) as (check, menu):
        check_prices.draft_added_lines(check, menu, lines, channel)
    return await _to_answer(check)


async def void_line(
    place: CheckPlace, line_id: int, quantity: int | None, reason: str, *, is_restocked: bool = True
) -> Order:
    """Take a quantity off a line, all of it if None, with the errors of ``add_lines``; the last line stays.

    Raises ``Forbidden`` if it is being made already and nobody has approved.
    """
    async with _amend(place, AmendmentKind.VOID, reason) as (check, _):
        check.release(line_id, quantity, is_restocked=is_restocked)
        if not check.lines:
            raise ValidationFailed(quantity=[Sentence("An order keeps at least one item. Cancel the order instead.")])
    return await _to_answer(check)


async def give_discount(place: CheckPlace, given: NewDiscount, reason: str) -> Order:
    """Give a discount, or a comp if it is all of the price, with the errors of ``add_lines``.

    Raises ``Forbidden`` unless somebody has approved.
    """
    place.approval.require()
    if (given.rate_ppm is None) == (given.amount is None):
        raise ValidationFailed(percent=[Sentence("Give either a percentage or an amount.")])
    kind = AmendmentKind.COMP if given.rate_ppm == PPM_OF_WHOLE else AmendmentKind.DISCOUNT
    async with _amend(place, kind, reason) as (check, _):
        if given.line_id is not None:
            check.get_line(given.line_id)
        currency = check.order.currency
        check.discounts.append(
            GivenDiscount(
                id=check.order.amendments + 1,
                code=kind.value,
                label=reason,
                rate_ppm=given.rate_ppm,
                amount_minor=None if given.amount is None else money.parse_amount(given.amount, currency, "amount"),
                line_id=given.line_id,
            )
        )
    return await _to_answer(check)


async def remove_discount(place: CheckPlace, discount_id: int) -> Order:
    """Take a discount back, with the errors of ``give_discount``. Raises ``NotFound`` if there is no such discount."""
    place.approval.require()
    async with _amend(place, AmendmentKind.REMOVE_DISCOUNT) as (check, _):
        rest = [each for each in check.discounts if each.id != discount_id]
        if len(rest) == len(check.discounts):
            raise NotFound
        check.discounts = rest
    return await _to_answer(check)


async def update_line(place: CheckPlace, line_id: int, values: Mapping[str, object]) -> Order:
    """Set the note, the seat or the course of a line, with the errors of ``add_lines``."""
    async with _amend(place, AmendmentKind.NOTE) as (check, _):
        check.update(line_id, **values)
    return await _to_answer(check)


async def price_line(place: CheckPlace, line_id: int, quantity: int, price: LinePrice, reason: str) -> Order:
    """Set the quantity and the unit price of a line whose price was not known before, such as one that is weighed.

    With the errors of ``add_lines``; a combo has a price as a whole, so its lines are refused.
    """
    async with _amend(place, AmendmentKind.PRICE, reason) as (check, _):
        if check.get_line(line_id).draft.combo is not None:
            raise ValidationFailed(line_id=[Sentence("A part of a combo has no price of its own.")])
        check.update(line_id, quantity=quantity, unit_price_minor=price.unit_price_minor, price_label=price.label)
    return await _to_answer(check)


async def move_order(place: CheckPlace, table_number: str | None, mode: str | None) -> Order:
    """Move an order to a table, or to another mode that needs no address and no time; with the errors of ``add_lines``.

    Its lines keep their prices, and are taxed as the new mode is.
    """
    async with _amend(place, AmendmentKind.MOVE) as (check, menu):
        if table_number is not None:
            check.header["table_number"] = table_number
        if mode is not None and mode != check.order.type:
            _change_mode(check, menu, mode)
    return await _to_answer(check)


async def transfer_order(place: CheckPlace, served_by: str) -> Order:
    """Hand an order over to another member of staff, whom its field ``served_by`` names; errors as of ``add_lines``."""
    async with _amend(place, AmendmentKind.TRANSFER) as (check, _):
        check.attributes[SERVED_BY] = served_by
    return await _to_answer(check)


async def reopen_order(place: CheckPlace, reason: str) -> Order:
    """Make an open check of an order that was paid, and return it; its payments stay.

    It is paid again when it is amended or paid and nothing is due. One that is not paid stays as it is. Raises
    ``NotFound``, ``Forbidden`` unless somebody has approved, and ``Conflict`` for one that is completed or cancelled.
    """
    place.approval.require()
    if not place.caller.reaches(place.store_id):
        raise NotFound
    async with sql.transaction():
        check = await lock_check(place.caller.owner_id, place.store_id, place.order_id)
        require_not_closed(check)
        if check.order.paid_at is not None:
            await storage.reopen(check.order, place.amending(AmendmentKind.REOPEN, reason))
    return await queries.get_order(place.caller.owner_id, place.store_id, place.order_id)


async def get_menu(place: CheckPlace) -> MenuSnapshot:
    """Return the menu that an amendment orders from and is priced by. Raises ``NotFound`` for another owner's store."""
    store = await require_store(place.caller, place.store_id)
    return await snapshot.get_snapshot(place.store_id, store["menu_version"])


@asynccontextmanager
async def _amend(
    place: CheckPlace, kind: AmendmentKind, reason: str | None = None
) -> AsyncIterator[tuple[Check, MenuSnapshot]]:
    """Yield an open check with the menu of now, and save what the block makes of it; its order is the amended one."""
    if not place.caller.reaches(place.store_id):
        raise NotFound
    # Before the order is locked, as reading a whole menu may take a while.
    if snapshot.get_cached_snapshot(place.store_id) is None:
        await get_menu(place)
    async with sql.transaction():
        check = await lock_check(place.caller.owner_id, place.store_id, place.order_id)
        require_open(check)
        menu = await snapshot.get_snapshot(place.store_id, check.menu_version)
        yield check, menu
        amending = place.amending(kind, reason)
        check.order = await storage.save_amendment(check, check_prices.price_check(check, menu, amending), amending)


def _change_mode(check: Check, menu: MenuSnapshot, code: str) -> None:
    before, after = check_prices.get_mode(menu, check.order.type), check_prices.get_mode(menu, code)
    if any(mode.is_delivery or mode.is_scheduled for mode in (before, after)):
        raise ValidationFailed(
            type=[
                Sentence(
                    "An order of the type %(before)s cannot become one of the type %(after)s.",
                    before=before.code,
                    after=after.code,
                )
            ]
        )
    missing = [
        (name, text)
        for name, text in after.required_fields
        if not check.header.get(name, getattr(check.order, name, None))
    ]
    if missing:
        raise ValidationFailed({name: [text] for name, text in missing})
    check.header["type"] = code
    terms = menu.terms
    mode_rate = terms.mode_tax_rates.get(code, terms.tax_rate_ppm)
    for place, line in enumerate(check.lines):
        item = menu.items.get(line.draft.item_id)
        if item is not None and not line.draft.is_heading:
            rate = mode_rate if item.tax_rate_ppm is None else item.tax_rate_ppm
            check.lines[place] = replace(line, draft=replace(line.draft, tax_rate_ppm=rate))


async def _to_answer(check: Check) -> Order:
    """Return the order of a check that was amended, with its sections."""
    order = check.order
    found = await sections.load_sections(
        order.owner_id, order.id, OrderState(order.type, order.status, order.delivery_status), check.said
    )
    lines = tuple(replace(line, sections=found.of_line(line.id)) for line in order.lines)
    return replace(order, lines=lines, sections=found.of_order)
