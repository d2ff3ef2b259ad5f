"""Records of orders, whose fields are the columns of their tables: statements and records are built from them.

Amounts are in minor units of the order's currency, times are aware. ``order_json`` turns the records into answers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from operator import attrgetter, itemgetter
from types import NoneType
from typing import Any, Final, get_args

import orjson

from comanda.basics import money
from comanda.basics.frozen_records import build_constructor
from comanda.contracts.orders.charges import Charge, OrderPromotion
from comanda.contracts.orders.sections import OrderState
from comanda.contracts.orders.status import DeliveryStatus, PaymentStatus, Status
from comanda.orders.bills import balance
from comanda.orders.drafts.pricing import Quote, TaxGroup, TaxRow, list_tax_rows, merge_taxes
from comanda.platform.db import sql

# Keys of a field's metadata: how its column is read, how it is written, and its SQL type where a statement needs it.
_DECODE: Final = "decode"
_ENCODE: Final = "encode"
_SQL_TYPE: Final = "sql_type"
_NO_COLUMN: Final = "no_column"
# The attribute of an order under which its promotions stand.
PROMOTIONS: Final = "promotions"

_SQL_TYPES: Final = {int: "bigint", bool: "boolean", bytes: "bytea", date: "date", datetime: "timestamptz"}
_STATUSES: Final = {status.value: status for status in Status}
_DELIVERY_STATUSES: Final = {status.value: status for status in DeliveryStatus}
_PAYMENT_STATUSES: Final = {status.value: status for status in PaymentStatus}


def _decode_timeline(stored: str) -> dict[str, datetime]:
    return {stage: datetime.fromisoformat(moment) for stage, moment in orjson.loads(stored).items()}


def _decode_attributes(stored: str | None) -> Mapping[str, Any]:
    attributes: Mapping[str, Any] = orjson.loads(stored) if stored else {}
    return attributes


def _encode_json(value: object) -> str | None:
    return orjson.dumps(value).decode() if value else None


def decode_charges(stored: str | None) -> tuple["OrderCharge", ...]:
    """Return the charges in the column of an order."""
    return tuple(OrderCharge(**charge) for charge in orjson.loads(stored)) if stored else ()


@dataclass(frozen=True, slots=True)
class OrderCharge:
    """A charge besides the service charge and the delivery fee, stored as JSON with its fields.

    ``is_added`` is whether it was added after the order was placed, and ``is_late`` after it was paid.
    """

    code: str
    label: str
    amount_minor: int
    tax_minor: int
    tax_rate_ppm: int | None
    is_refundable: bool
    is_late: bool = False
    is_added: bool = False


@dataclass(frozen=True, slots=True)
class GivenDiscount:
    """A discount that a person gave an order or one of its lines, stored as JSON with its fields.

    Either ``rate_ppm``, in parts per million, or ``amount_minor`` is set; ``line_id`` None is the whole order. A comp
    is a discount of all that the lines cost. ``id`` is the number of the amendment that gave it.
    """

    id: int
    code: str
    label: str
    rate_ppm: int | None
    amount_minor: int | None
    line_id: int | None


def decode_taxes(stored: str | None) -> tuple[TaxGroup, ...]:
    """Return the taxes in the column of an order."""
    return tuple(TaxGroup(**group) for group in orjson.loads(stored)) if stored else ()


def _decode_discounts(stored: str | None) -> tuple[GivenDiscount, ...]:
    return tuple(GivenDiscount(**discount) for discount in orjson.loads(stored)) if stored else ()


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A line of an order, with names and prices as of the moment it was ordered.

    ``quantity`` is what is left of it after ``voided_quantity`` was taken off. ``round`` counts the times at which
    lines were added, from 1; ``seat`` and ``course`` are numbers that the waiter gives. ``price_label`` is how a plugin
    came to the price. ``variation`` and ``extras`` are stored as the API shows them, and so is ``combo``, which the
    lines of one combo have in common. ``sections`` are the keys that plugins add.
    """

    id: int = field(metadata={_SQL_TYPE: "bigint"})
    position: int = field(metadata={_SQL_TYPE: "smallint"})
    item_id: int = field(metadata={_SQL_TYPE: "bigint"})
    variant_id: int | None = field(metadata={_SQL_TYPE: "bigint"})
    name: str = field(metadata={_SQL_TYPE: "text"})
    quantity: int = field(metadata={_SQL_TYPE: "int"})
    unit_price_minor: int = field(metadata={_SQL_TYPE: "bigint"})
    price_label: str | None = field(metadata={_SQL_TYPE: "text"})
    variation: Mapping[str, Any] | None = field(metadata={_SQL_TYPE: "jsonb"})
    extras: Sequence[Mapping[str, Any]] = field(metadata={_SQL_TYPE: "jsonb"})
    note: str | None = field(metadata={_SQL_TYPE: "text"})
    discount_minor: int = field(metadata={_SQL_TYPE: "bigint"})
    tax_minor: int = field(metadata={_SQL_TYPE: "bigint"})
    tax_rate_ppm: int = field(metadata={_SQL_TYPE: "int"})
    total_minor: int = field(metadata={_SQL_TYPE: "bigint"})
    takes_stock: bool = field(metadata={_SQL_TYPE: "boolean"})
    round: int = field(metadata={_SQL_TYPE: "smallint"})
    seat: int | None = field(metadata={_SQL_TYPE: "smallint"})
    course: int | None = field(metadata={_SQL_TYPE: "smallint"})
    voided_quantity: int = field(metadata={_SQL_TYPE: "int"})
    combo: Mapping[str, Any] | None = field(metadata={_SQL_TYPE: "jsonb"})
    sections: Mapping[str, Any] = field(default_factory=dict, metadata={_NO_COLUMN: True})

    @property
    def is_heading(self) -> bool:
        """Whether it only names a combo, whose items are lines of their own."""
        return self.combo is not None and bool(self.combo["is_heading"])


def fold_combos(lines: Sequence[OrderLine]) -> Sequence[OrderLine]:
    """Return the lines as they were ordered: of each combo its heading, with what the items of the combo cost."""
    if not any(line.combo for line in lines):
        return lines
    folded: dict[int | str, OrderLine] = {}
    for line in lines:
        key = line.id if line.combo is None else str(line.combo["id"])
        known = folded.get(key)
        folded[key] = line if known is None else _add_line(known, line)
    return list(folded.values())


def _add_line(heading: OrderLine, line: OrderLine) -> OrderLine:
    return replace(
        heading,
        unit_price_minor=heading.unit_price_minor + line.unit_price_minor,
        discount_minor=heading.discount_minor + line.discount_minor,
        tax_minor=heading.tax_minor + line.tax_minor,
        total_minor=heading.total_minor + line.total_minor,
    )


@dataclass(frozen=True, slots=True)
class VoidedLine:
    """What was taken off a line of an order in all."""

    id: int
    item_id: int
    name: str
    quantity: int
    round: int


@dataclass(frozen=True, slots=True)
class Order:
    """An order; ``sections`` are the keys that plugins add to it, or to its public status.

    Lists leave out ``lines``, ``sections`` and ``voided``, which are the lines that were taken off.

    ``charges_minor`` is the sum of the charges' amounts; ``late_due_minor`` is what is still due of charges that were
    added after its total was covered. ``attributes`` are the fields that its mode and its participants have added;
    ``timeline`` has the moment of each stage that it has reached, such as ``ready_at``. ``taxes`` has a group for each
    rate above zero.
    """

    id: int
    owner_id: int
    store_id: int
    number: int
    business_date: date
    type: str
    status: Status = field(metadata={_DECODE: _STATUSES.__getitem__})
    delivery_status: DeliveryStatus | None = field(metadata={_DECODE: _DELIVERY_STATUSES.get})
    payment_status: PaymentStatus = field(metadata={_DECODE: _PAYMENT_STATUSES.__getitem__})
    currency: str
    subtotal_minor: int
    discount_total_minor: int
    coupon_code: str | None
    service_charge_minor: int
    delivery_fee_minor: int
    charges: tuple[OrderCharge, ...] = field(metadata={_DECODE: decode_charges, _ENCODE: _encode_json})
    charges_minor: int
    tax_total_minor: int
    is_tax_included: bool
    tip_minor: int
    rounding_minor: int
    total_minor: int
    paid_minor: int
    refunded_minor: int
    late_due_minor: int
    taxes: tuple[TaxGroup, ...] = field(metadata={_DECODE: decode_taxes, _ENCODE: _encode_json})
    paid_at: datetime | None
    customer_id: int | None
    customer_name: str | None
    phone: str | None
    address: str | None
    table_number: str | None
    room_number: str | None
    scheduled_for: datetime | None
    note: str | None
    source: str
    client_uuid: str | None
    track_token: str
    timeline: Mapping[str, datetime] = field(metadata={_DECODE: _decode_timeline, _ENCODE: _encode_json})
    attributes: Mapping[str, Any] = field(metadata={_DECODE: _decode_attributes, _ENCODE: _encode_json})
    given_discounts: tuple[GivenDiscount, ...] = field(metadata={_DECODE: _decode_discounts, _ENCODE: _encode_json})
    amendments: int
    created_at: datetime
    updated_at: datetime
    lines: tuple[OrderLine, ...] = field(default=(), metadata={_NO_COLUMN: True})
    sections: Mapping[str, Any] = field(default_factory=dict, metadata={_NO_COLUMN: True})
    voided: tuple[VoidedLine, ...] = field(default=(), metadata={_NO_COLUMN: True})

    @property
    def is_paid(self) -> bool:
        """Whether its total was covered and nothing is due of later charges."""
        return self.paid_at is not None and not self.late_due_minor

    @property
    def awaits_payment(self) -> bool:
        """Whether it is not begun before it is paid."""
        return self.status is Status.NEW and balance.PAY_BY in self.attributes and self.amount_due_minor > 0

    @property
    def tax_rows(self) -> list[TaxRow]:
        """Its tax table."""
        return list_tax_rows(self.taxes, self.total_minor - self.tip_minor, is_tax_included=self.is_tax_included)

    @property
    def promotions(self) -> tuple[OrderPromotion, ...]:
        """The promotions that take something off, which is part of its discounts."""
        return tuple(each for each in parse_promotions(self.attributes, self.currency) if each.amount_minor)

    @property
    def amount_due_minor(self) -> int:
        """The amount still to pay."""
        kept_minor = self.paid_minor - self.refunded_minor
        was_covered = self.paid_at is not None
        return balance.calculate_due(
            self.total_minor,
            kept_minor,
            was_covered=was_covered,
            late_due_minor=self.late_due_minor,
            status=self.status,
        )


@dataclass(frozen=True, slots=True)
class PlacementColumns:
    """The columns of an order that only its placement uses: who placed it, with which keys, and how it is tracked."""

    audience: str
    idempotency_key: str | None
    body_hash: bytes | None
    track_hash: bytes


@dataclass(frozen=True, slots=True)
class OrderSections:
    """The keys that plugins add to an order, and to its lines by line id; other lines have the defaults."""

    of_order: Mapping[str, Any] = field(default_factory=dict)
    by_line: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    line_defaults: Mapping[str, Any] = field(default_factory=dict)

    def of_line(self, line_id: int) -> Mapping[str, Any]:
        """Return the keys of a line."""
        loaded = self.by_line.get(line_id)
        return self.line_defaults if loaded is None else {**self.line_defaults, **loaded}


NO_SECTIONS: Final = OrderSections()


def list_columns(record: type) -> tuple[str, ...]:
    """Return the columns of a record's table, in the order of its fields."""
    return tuple(each.name for each in fields(record) if _NO_COLUMN not in each.metadata)


def get_column_types(record: type) -> dict[str, str]:
    """Return the SQL types by which the columns of a record's table are read from JSON."""
    return {
        each.name: "jsonb" if _ENCODE in each.metadata else _get_sql_type(each.type)
        for each in fields(record)
        if _NO_COLUMN not in each.metadata
    }


def _get_sql_type(annotation: Any) -> str:
    kinds = [kind for kind in get_args(annotation) or (annotation,) if kind is not NoneType]
    return "text" if issubclass(kinds[0], str) else _SQL_TYPES[kinds[0]]


ORDER_FIELDS: Final = list_columns(Order)
LINE_FIELDS: Final = list_columns(OrderLine)
ORDER_COLUMNS: Final = ", ".join(f"o.{name}" for name in ORDER_FIELDS)
"""The columns of ``Order`` in a statement that names the order's table ``o``."""


def build_lines_column(owner_id: str) -> str:
    """Return the lines of the order ``o`` as a column of JSON, for ``to_order``.

    ``owner_id`` is the parameter of the owner, by which a cluster finds the one shard that the statement needs.
    """
    columns = ", ".join(f"'{name}', l.{name}" for name in LINE_FIELDS)
    return f"""(
    SELECT json_agg(json_build_object({columns}) ORDER BY l.position)
    FROM core_order_line_v1 l WHERE l.order_id = o.id AND l.owner_id = {owner_id}) AS lines"""


def build_voided_column(owner_id: str) -> str:
    """Return what was taken off the order ``o`` as a column of JSON, for ``decode_voided``."""
    columns = ", ".join(f"'{name}', {column}" for name, column in VOIDED_COLUMNS.items())
    # Most orders are never amended.
    return f"""CASE WHEN o.amendments > 0 THEN (
    SELECT json_agg(json_build_object({columns}) ORDER BY l.position)
    FROM core_order_line l
    WHERE l.order_id = o.id AND l.owner_id = {owner_id} AND l.voided_quantity > 0) END AS voided"""


ORDER_LINES: Final = build_lines_column("o.owner_id")
"""The lines of the order ``o`` as JSON, for ``to_order``, in statements of several owners."""
VOIDED_COLUMNS: Final = {
    each.name: "l.voided_quantity" if each.name == "quantity" else f"l.{each.name}" for each in fields(VoidedLine)
}
LINE_TYPES: Final = ", ".join(
    f"{each.name} {each.metadata[_SQL_TYPE]}" for each in fields(OrderLine) if _SQL_TYPE in each.metadata
)
"""The columns of a line with their types, to read lines from JSON."""

_get_columns = itemgetter(*ORDER_FIELDS)
_DECODERS: Final[Sequence[tuple[int, Callable[[Any], Any]]]] = tuple(
    (ORDER_FIELDS.index(each.name), each.metadata[_DECODE]) for each in fields(Order) if _DECODE in each.metadata
)
_ENCODERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    each.name: each.metadata[_ENCODE] for each in fields(Order) if _ENCODE in each.metadata
}
_construct_order = build_constructor(Order)
_construct_line = build_constructor(OrderLine)


def to_listed_order(row: sql.Row) -> Order:
    """Return an order from a row with ``ORDER_COLUMNS``, without its lines."""
    return _construct_order([*_read_columns(row), (), {}, ()])


def to_order(row: sql.Row, sections: OrderSections = NO_SECTIONS, voided: tuple[VoidedLine, ...] = ()) -> Order:
    """Return an order from a row with ``ORDER_COLUMNS`` and ``ORDER_LINES``, and the sections that were loaded."""
    # The keys of a line's JSON are in the order of its fields. An order that was merged into another one has no lines.
    lines = tuple(
        _construct_line([*line.values(), sections.of_line(line["id"])]) for line in orjson.loads(row["lines"] or "[]")
    )
    return _construct_order([*_read_columns(row), lines, sections.of_order, voided])


def decode_voided(stored: str | None) -> tuple[VoidedLine, ...]:
    """Return the lines in the column that ``build_voided_column`` builds."""
    return tuple(VoidedLine(**line) for line in orjson.loads(stored)) if stored else ()


def complete(record: Order | OrderLine, **values: Any) -> None:
    """Set what a record still lacked before its row was inserted. Nobody else has seen the record yet."""
    for name, value in values.items():
        object.__setattr__(record, name, value)


def set_promotions(
    attributes: Mapping[str, Any], promotions: Sequence[OrderPromotion], currency: str
) -> Mapping[str, Any]:
    """Return the attributes of an order with its promotions, which stand there only if it has any."""
    if not promotions and PROMOTIONS not in attributes:
        return attributes
    others = {name: value for name, value in attributes.items() if name != PROMOTIONS}
    shown = [
        {
            "id": each.id,
            "name": each.name,
            "amount": money.to_number(each.amount_minor, currency),
            "rounds": [*each.rounds],
        }
        for each in promotions
    ]
    return {**others, PROMOTIONS: shown} if shown else others


def parse_promotions(attributes: Mapping[str, Any], currency: str) -> tuple[OrderPromotion, ...]:
    """Return the promotions that stand in the attributes of an order."""
    return tuple(
        OrderPromotion(each["id"], each["name"], money.to_minor(each["amount"], currency), tuple(each["rounds"]))
        for each in attributes.get(PROMOTIONS, ())
    )


def list_charges(quote: Quote, charges: Sequence[Charge]) -> tuple[OrderCharge, ...]:
    """Return the charges of an order with their tax."""
    pairs = zip(charges, quote.charges, strict=True) if charges else ()
    return tuple([to_order_charge(charge, paid.tax_minor) for charge, paid in pairs])


def to_order_charge(charge: Charge, tax_minor: int, *, is_late: bool = False, is_added: bool = False) -> OrderCharge:
    """Return a charge as it stands in an order."""
    return OrderCharge(
        code=charge.code,
        label=charge.label,
        amount_minor=charge.amount_minor,
        tax_minor=tax_minor,
        tax_rate_ppm=charge.tax_rate_ppm,
        is_refundable=charge.is_refundable,
        is_late=is_late,
        is_added=is_added,
    )


def add_charges_tax(taxes: Sequence[TaxGroup], charges: Sequence[OrderCharge]) -> tuple[TaxGroup, ...]:
    """Return taxes with those of charges that were added to the order."""
    return merge_taxes(
        *taxes, *(TaxGroup(each.tax_rate_ppm or 0, each.amount_minor, each.tax_minor) for each in charges)
    )


def to_state(row: sql.Row) -> OrderState:
    """Return the state of an order that decides which sections it has."""
    return OrderState(row["type"], _STATUSES[row["status"]], _DELIVERY_STATUSES.get(row["delivery_status"]))


def build_reader(columns: Sequence[str]) -> Callable[[Order], list[Any]]:
    """Return a function that returns the values of an order's columns as parameters of a statement."""
    get_values = attrgetter(*columns)
    encoders = [(columns.index(name), encode) for name, encode in _ENCODERS.items() if name in columns]

    def read(order: Order) -> list[Any]:
        values = list(get_values(order))
        for position, encode in encoders:
            values[position] = encode(values[position])
        return values

    return read


def _read_columns(row: sql.Row) -> list[Any]:
    values = list(_get_columns(row))
    for position, decode in _DECODERS:
        values[position] = decode(values[position])
    return values
