"""Order participants: how plugins validate, price and reserve for an order.

A participant is asked only about the orders it names, by mode and by a capability of the store's vertical, so an order
that concerns nobody costs nothing. Its steps get frozen values and return frozen values, which core combines. They run
in this order, those after ``validate`` in the order's transaction:

``load``       once per version of the store's menu: what the other steps need to know of the store; kept in memory, and
               shared by participants with the same function
``prepare``    awaited, before a new order is priced: what only the database knows, such as whether a guest has ordered
               before; it changes nothing, and the steps below find its answer in ``OrderRequest.prepared``
``concerns``   at once: whether this very order is any of its business; the steps below are left out where it is not
``price``      at once, from memory: the unit prices of lines that the menu does not price, such as those by the day
``validate``   at once, from memory: what is wrong with the order, and what it adds and takes off (``Contribution``)
``reserve``    before the order is written: takes what it needs, such as a slot, and locks it (``Reservation``)
``placed``     after it is written and has ids (``NewOrder``): rows of its own that belong to it or to its lines
``sections``   at once, from memory: what its plugin's sections say of this new order
``cancelled``  when the order's status becomes ``cancelled``: gives back what ``reserve`` took
``reopened``   when a cancelled order gets another status: takes it again
``moved``      when the order's status becomes any other, after the two above
``handed_over``  before a driver or a carrier takes the order away, which it may refuse
``amended``    after its lines, discounts or place have changed: adapts the rows that depend on them; what it returns
               for its plugin's sections is not loaded for the answer
``refund``     after ``amended`` or ``cancelled``, if that asks for it: gives back what was paid and is due no more
``offers``     at once, from memory, without an order: what guests read of it on the store's page (``StoreOffer``)

An order that is amended is priced and validated like a new one of the lines that it then has, by ``price`` (of the
lines that are new) and ``validate``; ``OrderRequest.amends`` says which lines were added and what was taken off. A
participant with ``reserve`` or ``placed`` but without ``amended`` refuses it; ``unaffected`` is the step of one whose
rows do not depend on the lines.

A step after ``load`` gets the request and what ``load`` returned. ``validate`` is asked once per placement, unless the
menu has changed meanwhile; a storefront also asks it for every quote, so it has no side effects.

The steps in the transaction refuse with ``ValidationFailed``, and nothing of the order, or of its change, is left. Two
plugins that contribute the same thing, such as the price of one line, are a conflict: the order is refused with 409 and
both names. What cannot be used, such as an amount that is a float, is refused with 503, before anything is written.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Any, Final
from zoneinfo import ZoneInfo

from pydantic import AliasChoices, BaseModel, ValidationError

from comanda.contracts.opening_hours import Hours
from comanda.contracts.orders.bodies import OrderBody
from comanda.contracts.orders.charges import Charge, Discount, InvalidContribution, LinePrice, OrderPromotion
from comanda.contracts.orders.intake_status import IntakeStatus
from comanda.contracts.orders.status import DeliveryStatus, Status
from comanda.contracts.payments.providers import ExcessRefund
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.validation import error_sentences
from comanda.contracts.stores.menu_items import OfferedItem
from comanda.contracts.stores.verticals import Vertical

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class StoreTerms:
    """What a store's settings mean for an order.

    ``hours`` None is always open; ``pace`` ends by itself, so ask it for a moment; ``parts`` are the plugins that take
    part in the orders of each mode.
    """

    id: int
    owner_id: int
    title: str
    slug: str
    is_published: bool
    currency: str
    zone: ZoneInfo
    day_start_minutes: int
    hours: Hours | None
    pace: IntakeStatus
    vertical: Vertical | None
    tax_rate_ppm: int
    mode_tax_rates: Mapping[str, int]
    is_tax_included: bool
    service_charge_ppm: int
    service_charge_minor: int
    service_charge_modes: frozenset[str]
    is_service_charge_taxed: bool
    parts: Mapping[str, tuple["StoreParticipant", ...]]
    is_loaded: bool = dataclass_field(init=False)
    """Whether every participant has loaded what it needs to know of the store."""

    def __post_init__(self) -> None:
        # Every order asks.
        object.__setattr__(self, "is_loaded", all(part.is_loaded for parts in self.parts.values() for part in parts))


@dataclass(frozen=True, slots=True)
class ChosenVariation:
    """The variation of a line, with its price as it is now."""

    id: int
    name: str
    price_minor: int


@dataclass(frozen=True, slots=True)
class ChosenExtra:
    """An extra of a line, with its price as it is now, and how many of it one unit of the line has."""

    id: int
    name: str
    price_minor: int
    quantity: int


@dataclass(frozen=True, slots=True)
class LineCombo:
    """The combo that a line belongs to: its item, and an ``id`` that its lines have in common.

    The line that ``is_heading`` is the combo as it was ordered, which nobody makes and which costs nothing. The others
    are the items that it consists of; they have its price, its quantity and its note.
    """

    id: str
    item_id: int
    name: str
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A line with names and prices as they are now.

    ``position`` is its place in the order's body; the items of combos come after all lines of the body, and for them
    ``body_position`` is that of the combo. ``price_label`` says how a plugin came to its price, or which
    price list has it, None for the menu's.
    ``stock_key`` names the counted stock it takes from, if any. ``combo`` is the combo that it belongs to.
    ``extras_minor`` is the part of the price that its extras are. ``weight_mg`` is what one piece weighs, in
    milligrams; it is not stored, so a line that an amended order already had has none of both.
    """

    position: int
    item_id: int
    variant_id: int | None
    name: str
    quantity: int
    unit_price_minor: int
    tax_rate_ppm: int
    variation: ChosenVariation | None
    extras: tuple[ChosenExtra, ...]
    note: str | None
    stock_key: tuple[str, int] | None
    price_label: str | None = None
    seat: int | None = None
    course: int | None = None
    combo: LineCombo | None = None
    body_position: int | None = None
    extras_minor: int = 0
    weight_mg: int | None = None

    @property
    def path(self) -> str:
        """The line in the order's body, for problems."""
        return f"items.{self.position if self.body_position is None else self.body_position}"

    @property
    def is_heading(self) -> bool:
        """Whether it only names a combo, whose items are lines of their own."""
        return self.combo is not None and self.combo.is_heading

    @property
    def sold_item_id(self) -> int:
        """The item that was ordered, of which it may be a part."""
        return self.item_id if self.combo is None else self.combo.item_id


@dataclass(frozen=True, slots=True)
class ReleasedLine:
    """A quantity that an amendment takes off a line, and whether its stock is given back.

    The line that ``is_heading`` only names a combo, of whose items the same is taken off.
    """

    line_id: int
    item_id: int
    name: str
    quantity: int
    is_restocked: bool
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class AmendedOrder:
    """An order that is being amended, as participants see it, with the status and total that it had before.

    ``line_ids`` are the ids of the request's lines, None for those that are added. ``is_approved`` is whether a person
    who may take off what is already being made has agreed. ``absorbed`` is the order whose lines and payments this one
    takes over, and ``absorbed_line_ids`` are those lines. ``split_into`` is the order that takes over lines of this
    one, and ``split_lines`` the ids of those lines there by their ids here: the same for a line that moves whole.
    ``rounds`` are those of the request's lines, and ``last_round`` is the last one that the order had before.
    """

    order: "PlacedOrder"
    line_ids: tuple[int | None, ...]
    released: tuple[ReleasedLine, ...]
    is_approved: bool
    absorbed: "PlacedOrder | None" = None
    absorbed_line_ids: frozenset[int] = frozenset()
    split_into: int | None = None
    split_lines: Mapping[int, int] = dataclass_field(default_factory=dict)
    rounds: tuple[int, ...] = ()
    last_round: int = 0

    def list_added(self, lines: Sequence[DraftLine]) -> list[DraftLine]:
        """Return those of the request's lines that are added."""
        return [line for line, line_id in zip(lines, self.line_ids, strict=True) if line_id is None]


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """An order that is being placed or amended, as participants see it.

    ``lines`` are the lines that can be ordered, and ``is_complete`` is whether their sum is what counts: an order with
    another line is refused for that line, while a quote leaves it out. ``items`` are the menu's items by id.
    ``fields`` are the fields of the mode and of participants that the body has. ``scheduled_for`` is the time that the
    body asks for. ``amends`` is the order that is amended, None for a new one; its items may have left the menu.
    ``prepared`` are the answers of ``prepare`` by the names of participants; an order that is amended has none.
    ``priced_by`` is the plugin that alone prices it, if guests have bought it elsewhere.
    """

    terms: StoreTerms
    body: OrderBody
    caller: Caller
    audience: str
    lines: tuple[DraftLine, ...]
    is_complete: bool
    items: Mapping[int, OfferedItem]
    fields: Mapping[str, Any]
    scheduled_for: datetime | None
    amends: AmendedOrder | None = None
    prepared: Mapping[str, Any] = dataclass_field(default_factory=lambda: NOTHING)
    priced_by: str = ""

    @property
    def subtotal_minor(self) -> int:
        """What the lines cost before anything is added or taken off."""
        return sum(line.unit_price_minor * line.quantity for line in self.lines)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an order: the field concerned, and a sentence for people.

    A problem with ``extras``, such as a ``reason``, is answered without those that have others, with these keys beside
    it.
    """

    field: str
    message: str
    extras: Mapping[str, object] = dataclass_field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What ``validate`` finds wrong with an order, and what it adds to it.

    ``attributes`` are stored with the order, beside the participant's ``fields``, and stand in its record under their
    own names; ``omitted_fields`` are those of its fields, or of the mode's, that this order does not keep.
    ``scheduled_for`` replaces the time that the body asks for. ``coupon_code`` is the one that earned the discounts,
    and ``promotions`` say which of them need no code, for those who read the order: the amounts are in ``discounts``.
    Raises ``InvalidContribution`` for a value of a wrong type.
    """

    problems: Sequence[Problem] = ()
    charges: Sequence[Charge] = ()
    discounts: Sequence[Discount] = ()
    attributes: Mapping[str, Any] = dataclass_field(default_factory=lambda: NOTHING)
    omitted_fields: frozenset[str] = frozenset()
    scheduled_for: datetime | None = None
    coupon_code: str | None = None
    promotions: Sequence[OrderPromotion] = ()

    def __post_init__(self) -> None:
        _check_each("problems", self.problems, Problem)
        _check_each("charges", self.charges, Charge)
        _check_each("discounts", self.discounts, Discount)
        _check_each("promotions", self.promotions, OrderPromotion)
        _check_extras(self.attributes, self.scheduled_for)


@dataclass(frozen=True, slots=True)
class Reservation:
    """What ``reserve`` has taken: ``state`` is given to ``placed``; the others are as in ``Contribution``."""

    state: Any = None
    attributes: Mapping[str, Any] = dataclass_field(default_factory=lambda: NOTHING)
    scheduled_for: datetime | None = None

    def __post_init__(self) -> None:
        _check_extras(self.attributes, self.scheduled_for)


@dataclass(frozen=True, slots=True)
class NewOrder:
    """An order that was just written, or amended. ``line_ids`` are the ids of the request's lines, in their order.

    ``discounts`` are those of all participants; ``reserved`` is the state that this participant's ``reserve`` returned.
    """

    id: int
    number: int
    line_ids: tuple[int, ...]
    total_minor: int
    discounts: tuple[Discount, ...]
    scheduled_for: datetime | None
    attributes: Mapping[str, Any]
    reserved: Any = None


@dataclass(frozen=True, slots=True)
class PlacedOrder:
    """An order that has been placed, as the steps after that see it, with the status it had before. Its row is locked.

    ``delivery_status`` is None unless the order is delivered; amounts are in minor units of ``currency``.
    """

    id: int
    owner_id: int
    store_id: int
    store_type: str
    type: str
    status: Status
    delivery_status: DeliveryStatus | None
    room_number: str | None
    scheduled_for: datetime | None
    attributes: Mapping[str, Any]
    currency: str
    total_minor: int
    paid_minor: int
    refunded_minor: int


@dataclass(frozen=True, slots=True)
class StoreOffer:
    """Something that a store offers its guests now, under its own name, and when it ends; None if it does not."""

    name: str
    until: datetime | None = None


# What a plugin's sections say of a new order: by the section's name, then by the id of the order or of the line.
NewSections = Mapping[str, Mapping[int, Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class OrderParticipant:
    """A plugin's part in orders of ``modes`` (all, if none are named) in stores with ``capability`` (all, if None).

    ``fields`` are keys of the order's body that it adds, a pydantic model; what it validates to is stored with the
    order. Participants run in the order of their ``priority``, lowest first, then by name.
    """

    name: str
    modes: tuple[str, ...] = ()
    capability: str | None = None
    priority: int = 100
    fields: type[BaseModel] | None = None
    load: Callable[[StoreTerms], Awaitable[Any]] | None = None
    prepare: Callable[[OrderBody, Caller, StoreTerms, Any], Awaitable[Any]] | None = None
    concerns: Callable[[OrderRequest, Any], bool] | None = None
    price: Callable[[OrderRequest, Any], Mapping[int, LinePrice]] | None = None
    validate: Callable[[OrderRequest, Any], Contribution | None] | None = None
    reserve: Callable[[OrderRequest, Any], Awaitable[Reservation | None]] | None = None
    placed: Callable[[OrderRequest, Any, NewOrder], Awaitable[None]] | None = None
    sections: Callable[[OrderRequest, Any, NewOrder], NewSections] | None = None
    cancelled: Callable[[PlacedOrder], Awaitable[None]] | None = None
    reopened: Callable[[PlacedOrder], Awaitable[None]] | None = None
    moved: Callable[[PlacedOrder, Status], Awaitable[None]] | None = None
    handed_over: Callable[[PlacedOrder], Awaitable[None]] | None = None
    amended: Callable[[OrderRequest, Any, NewOrder], Awaitable[NewSections | None]] | None = None
    refund: Callable[[PlacedOrder, ExcessRefund], Awaitable[None]] | None = None
    offers: Callable[[StoreTerms, Any, datetime], Sequence[StoreOffer]] | None = None

    def joins(self, vertical: Vertical, mode: str) -> bool:
        """Return whether it takes part in a vertical's orders of a mode."""
        return (not self.modes or mode in self.modes) and (
            self.capability is None or self.capability in vertical.capabilities
        )

    @property
    def writes(self) -> bool:
        """Return whether it needs the order's transaction."""
        return self.reserve is not None or self.placed is not None


@dataclass(frozen=True, slots=True)
class StoreParticipant:
    """A participant in one store, with what it has loaded and the plugin that declares it.

    Orders that it takes part in are refused unless it ``is_loaded``.
    """

    participant: OrderParticipant
    loaded: Any
    plugin: str
    is_loaded: bool = True


async def unaffected(_request: OrderRequest, _loaded: Any, _order: NewOrder) -> None:
    """Do nothing: the step ``amended`` of a participant whose rows do not depend on the lines of an order."""


@cache
def list_wire_names(model: type[BaseModel]) -> dict[str, str]:
    """Return the keys under which the fields of a mode or a participant stand in a body, each with its field."""
    names: dict[str, str] = {}
    for name, declared in model.model_fields.items():
        alias = declared.validation_alias
        choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
        aliases = [choice for choice in choices if isinstance(choice, str)]
        if not aliases or model.model_config.get("populate_by_name"):
            aliases.append(name)
        names.update(dict.fromkeys(aliases, name))
    return names


def parse_fields(model: type[BaseModel], given: Mapping[str, Any] | None) -> tuple[dict[str, Any], list[Problem]]:
    """Validate the keys that a mode or a participant adds to the body, and return their values and what is wrong.

    The values have the keys of the order's record: those of the body, as far as the model does not give others.
    """
    names = list_wire_names(model)
    try:
        read = model.model_validate({name: value for name, value in (given or {}).items() if name in names})
    except ValidationError as error:
        return {}, [Problem(name, text) for name, texts in error_sentences(error).items() for text in texts]
    return read.model_dump(mode="json", by_alias=True), []


def _check_each(what: str, values: Any, kind: type) -> None:
    if not isinstance(values, Sequence) or not all(isinstance(value, kind) for value in values):
        raise InvalidContribution(f"{what} must be a sequence of {kind.__name__}")


def _check_extras(attributes: Any, scheduled_for: Any) -> None:
    if not isinstance(attributes, Mapping):
        raise InvalidContribution("attributes must be a mapping")
    if scheduled_for is not None and (not isinstance(scheduled_for, datetime) or scheduled_for.tzinfo is None):
        raise InvalidContribution("scheduled_for must be a time with a UTC offset")
