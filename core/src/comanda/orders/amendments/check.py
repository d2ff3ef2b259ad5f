"""A check: an order that is locked to be amended, with its lines as they stand and as they shall be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from comanda.basics import money
from comanda.basics.errors import Conflict, ValidationFailed, require_found
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.participants import (
    ChosenExtra,
    ChosenVariation,
    DraftLine,
    LineCombo,
    PlacedOrder,
    ReleasedLine,
)
from comanda.contracts.orders.status import PaymentStatus, Status
from comanda.orders.records import ORDER_COLUMNS, GivenDiscount, Order, OrderLine, build_lines_column, to_order
from comanda.platform.db import sql

# Lines are as they were when the statement began: before what somebody wrote who held the lock until it was got.
LOCK_CHECK: Final = f"""
    SELECT {ORDER_COLUMNS}, {build_lines_column("$2")}, o.audience, s.store_type, s.menu_version,
        (SELECT max(l.round) FROM core_order_line l WHERE l.order_id = $1 AND l.owner_id = $2) AS last_round,
        o.amendments > 0 AND EXISTS (
            SELECT FROM core_order_line l
            WHERE l.order_id = $1 AND l.owner_id = $2 AND l.voided_quantity > 0) AS has_voided,
        o.xmin = (SELECT seen.xmin FROM core_order seen WHERE seen.id = $1 AND seen.owner_id = $2) AS is_current
    FROM core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2 AND o.store_id = $3 FOR UPDATE OF o
"""
PLACED_FIELDS: Final = tuple(each.name for each in fields(PlacedOrder) if each.name != "store_type")
CLOSED: Final = {
    Status.COMPLETED: Sentence("The order is completed."),
    Status.CANCELLED: Sentence("The order is cancelled."),
}
# The amounts of an order without lines.
NOTHING_LEFT: Final[dict[str, Any]] = {
    **dict.fromkeys(("subtotal_minor", "discount_total_minor", "service_charge_minor", "delivery_fee_minor"), 0),
    **dict.fromkeys(("charges_minor", "tax_total_minor", "tip_minor", "rounding_minor", "total_minor"), 0),
    **dict.fromkeys(("paid_minor", "refunded_minor"), 0),
    "charges": (),
    "taxes": (),
    "payment_status": PaymentStatus.UNPAID,
}


@dataclass(frozen=True, slots=True)
class CheckLine:
    """A line of a check: what is left of it, and how it is stored, None for one that is new."""

    draft: DraftLine
    stored: OrderLine | None = None

    @property
    def id(self) -> int | None:
        """The id of the line, None for one that is new."""
        return None if self.stored is None else self.stored.id


@dataclass(slots=True)
class Check:
    """An order that is locked, and what an amendment makes of it.

    ``lines`` are those that are left, ``released`` what is taken off, ``has_voided`` whether something was before,
    ``discounts`` those given by hand, and ``header`` and ``attributes`` the fields of the order that change.
    ``absorbed`` is a check whose lines and payments it takes over. ``split_into`` is the order that takes over
    ``split_lines`` of this one, by their ids here. ``said`` is what participants say in sections of the amended order.
    """

    order: Order
    placed: PlacedOrder
    audience: str
    last_round: int
    menu_version: int
    has_voided: bool
    lines: list[CheckLine]
    discounts: list[GivenDiscount]
    released: list[ReleasedLine] = field(default_factory=list)
    header: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)
    absorbed: "Check | None" = None
    split_into: int | None = None
    split_lines: dict[int, OrderLine] = field(default_factory=dict)
    said: dict[str, Mapping[int, Mapping[str, Any]]] = field(default_factory=dict)

    @property
    def line_ids(self) -> list[int]:
        """The ids of the lines that it has had until now."""
        return [line.id for line in self.order.lines]

    @property
    def tip_minor(self) -> int:
        """The tip of the order, with that of one whose payments it takes over."""
        return self.order.tip_minor + (0 if self.absorbed is None else self.absorbed.order.tip_minor)

    def get_line(self, line_id: int) -> CheckLine:
        """Return a line by its id. Raises ``NotFound``."""
        return require_found(next((line for line in self.lines if line.id == line_id), None))

    def list_together(self, line_id: int) -> list[int]:
        """List the lines that are taken off together: those of one combo. Raises ``NotFound``."""
        combo = self.get_line(line_id).draft.combo
        if combo is None:
            return [line_id]
        of_combo = (line for line in self.lines if line.draft.combo is not None and line.draft.combo.id == combo.id)
        return [line.id for line in of_combo if line.id is not None]

    def release(self, line_id: int, quantity: int | None, *, is_restocked: bool) -> None:
        """Take a quantity off a line, all of it if None, and off all lines of its combo.

        Raises ``NotFound``, and ``ValidationFailed`` for too much.
        """
        for each in self.list_together(line_id):
            taken = self.take(each, quantity)
            self.released.append(
                ReleasedLine(each, taken.item_id, taken.name, taken.quantity, is_restocked, taken.is_heading)
            )

    def take(self, line_id: int, quantity: int | None) -> DraftLine:
        """Take a quantity off a line like ``release``, and return it as a line."""
        line = self.get_line(line_id)
        left = line.draft.quantity
        taken = left if quantity is None else quantity
        if taken > left:
            raise ValidationFailed(
                quantity=[
                    Sentence("Only %(left)s of %(item)s can still be taken off.", left=left, item=line.draft.name)
                ]
            )
        place = self.lines.index(line)
        rest = replace(line, draft=replace(line.draft, quantity=left - taken))
        self.lines[place : place + 1] = [rest] if taken < left else []
        if taken == left:
            self.discounts = [each for each in self.discounts if each.line_id != line_id]
        return replace(line.draft, quantity=taken)

    def update(self, line_id: int, **values: Any) -> None:
        """Set fields of a line, such as its note; those of a heading also of the items of its combo.

        Raises ``NotFound``.
        """
        is_heading = self.get_line(line_id).draft.is_heading
        for each in self.list_together(line_id) if is_heading else [line_id]:
            line = self.get_line(each)
            self.lines[self.lines.index(line)] = replace(line, draft=replace(line.draft, **values))


async def lock_check(owner_id: int, store_id: int, order_id: int) -> Check:
    """Lock and return an order with its lines until the open transaction ends. Raises ``NotFound``."""
    row = await sql.require_one(LOCK_CHECK, order_id, owner_id, store_id)
    if not row["is_current"]:
        row = await sql.one(LOCK_CHECK, order_id, owner_id, store_id)
    order = to_order(row)
    known = {name: getattr(order, name) for name in PLACED_FIELDS}
    return Check(
        order=order,
        placed=PlacedOrder(**known, store_type=row["store_type"]),
        audience=row["audience"],
        last_round=row["last_round"] or 0,
        menu_version=row["menu_version"],
        has_voided=row["has_voided"],
        lines=[CheckLine(_to_draft_line(line, order.currency), line) for line in order.lines],
        discounts=list(order.given_discounts),
    )


def require_open(check: Check) -> None:
    """Raise ``Conflict`` unless an order is neither paid nor completed nor cancelled."""
    require_not_closed(check)
    if check.order.paid_at is not None:
        raise Conflict(Sentence("The order is paid. Reopen it to change it."), extras={"reason": "order_paid"})


def require_not_closed(check: Check) -> None:
    """Raise ``Conflict`` if an order is completed or cancelled."""
    if sentence := CLOSED.get(check.order.status):
        raise Conflict(sentence, extras={"reason": "order_closed"})


def _to_draft_line(line: OrderLine, currency: str) -> DraftLine:
    return DraftLine(
        position=line.position,
        item_id=line.item_id,
        variant_id=line.variant_id,
        name=line.name,
        quantity=line.quantity,
        unit_price_minor=line.unit_price_minor,
        tax_rate_ppm=line.tax_rate_ppm,
        variation=_to_variation(line.variation, currency),
        extras=_to_extras(line.extras, currency),
        note=line.note,
        stock_key=None,
        price_label=line.price_label,
        seat=line.seat,
        course=line.course,
        combo=None if line.combo is None else LineCombo(**line.combo),
    )


def _to_variation(stored: Mapping[str, Any] | None, currency: str) -> ChosenVariation | None:
    if stored is None:
        return None
    return ChosenVariation(stored["id"], stored["name"], money.to_minor(stored["price"], currency))


def _to_extras(stored: Sequence[Mapping[str, Any]], currency: str) -> tuple[ChosenExtra, ...]:
    return tuple(
        ChosenExtra(each["id"], each["name"], money.to_minor(each["price"], currency), each["quantity"])
        for each in stored
    )
