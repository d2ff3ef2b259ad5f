"""Order participants: how plugins validate, price and reserve for an order.

A participant is asked only about the orders it names, by mode and by a capability of the store's vertical, so an order
that concerns nobody costs nothing. Its steps run in this order, those after ``validate`` in the order's transaction:

``load``       once per version of the store's menu: what the other steps need to know of the store; kept in memory
``concerns``   at once: whether this very order is any of its business; the steps below are left out where it is not
``validate``   at once, from memory: what is wrong with the order, by field; it may set what the order costs beside its
               lines, and what is taken off
``reserve``    before the order is written: takes what it needs, such as a slot, and locks it
``placed``     after it is written and has an id: rows of its own that belong to it
``lines``      at once, from memory: what its sections say of the lines of this new order, one by one
``cancelled``  when the order's status becomes ``cancelled``: gives back what ``reserve`` took
``reopened``   when a cancelled order gets another status: takes it again
``moved``      when the order's status becomes any other, after the two above

A step refuses with ``ValidationFailed``, and nothing of the order is left.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ValidationError

from comanda.contracts.callers import Caller
from comanda.contracts.intake_status import IntakeStatus
from comanda.contracts.opening_hours import Hours
from comanda.contracts.order_bodies import OrderBody
from comanda.contracts.order_status import DeliveryStatus, Status
from comanda.contracts.validation import error_sentences
from comanda.contracts.verticals import Vertical

Errors = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class StoreTerms:
    """What a store's settings mean for an order.

    ``hours`` None is always open; ``pace`` ends by itself, so ask it for a moment; ``parts`` are the plugins that take
    part in the orders of each mode.
    """

    id: int
    owner_id: int
    title: str
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


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A line with names and prices as they are now. ``stock_key`` names the counted stock it takes from, if any."""

    item_id: int
    variant_id: int | None
    name: str
    quantity: int
    unit_price_minor: int
    tax_rate_ppm: int
    variation: dict[str, Any] | None
    extras: list[dict[str, Any]]
    note: str | None
    stock_key: tuple[str, int] | None


@dataclass(slots=True)
class OrderRequest:
    """An order that is being placed, as participants see it.

    ``items`` are the menu's items by id, with ``attributes`` among their keys; ``loaded`` is what this participant's
    ``load`` returned; ``total_minor`` is known to ``placed`` alone. ``scheduled_for`` may be set, and ``attributes``
    added to: they are stored with the order and stand in its record under their own names. ``discount_minor`` is taken
    off the lines at ``discounted`` (all, if None), with the ``coupon_code`` that earned it; ``delivery_fee_minor`` is
    added, taxed at ``delivery_tax_rate_ppm`` (not at all, if None).
    """

    terms: StoreTerms
    body: OrderBody
    caller: Caller
    audience: str
    lines: Sequence[DraftLine]
    items: Mapping[int, Mapping[str, Any]]
    scheduled_for: datetime | None
    attributes: dict[str, Any] = field(default_factory=dict)
    loaded: Any = None
    discount_minor: int = 0
    discounted: Collection[int] | None = None
    coupon_code: str | None = None
    delivery_fee_minor: int = 0
    delivery_tax_rate_ppm: int | None = None
    total_minor: int = 0

    @property
    def subtotal_minor(self) -> int:
        """What the lines cost before anything is added or taken off."""
        return sum(line.unit_price_minor * line.quantity for line in self.lines)


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
    concerns: Callable[[OrderRequest], bool] | None = None
    validate: Callable[[OrderRequest], Errors] | None = None
    reserve: Callable[[OrderRequest], Awaitable[None]] | None = None
    placed: Callable[[OrderRequest, int], Awaitable[None]] | None = None
    lines: Callable[[OrderRequest], Sequence[Mapping[str, Any]]] | None = None
    cancelled: Callable[[PlacedOrder], Awaitable[None]] | None = None
    reopened: Callable[[PlacedOrder], Awaitable[None]] | None = None
    moved: Callable[[PlacedOrder, Status], Awaitable[None]] | None = None

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
    """A participant in one store, with what it has loaded."""

    participant: OrderParticipant
    loaded: Any


def parse_fields(model: type[BaseModel], given: Mapping[str, Any] | None, errors: Errors) -> dict[str, Any]:
    """Validate the keys that a mode or a participant adds to the body; what is wrong goes to ``errors``."""
    names = model.model_fields.keys()
    try:
        read = model.model_validate({name: value for name, value in (given or {}).items() if name in names})
    except ValidationError as error:
        errors.update(error_sentences(error))
        return {}
    return read.model_dump(mode="json")
