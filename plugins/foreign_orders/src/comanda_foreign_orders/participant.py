"""The part of a channel in placing its orders: prices, the link and the payment, in the order's transaction."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, money
from comanda.contracts import (
    DELIVERY_FEE,
    Charge,
    Contribution,
    Discount,
    LinePrice,
    NewOrder,
    OrderParticipant,
    OrderRequest,
    Problem,
    State,
    StoreTerms,
)
from comanda_payments.api import record_collected_payment

from comanda_foreign_orders.records import ForeignChannel, ForeignId, ForeignOrder

# The extra field of the order body that holds the claim. A client cannot send an ``OrderClaim``.
CLAIM_FIELD: Final = "channel_claim"
# Of an order for so soon, it matters whether the store is open now.
SOON: Final = timedelta(hours=2)


class AlreadyDecided(Conflict):
    """Another worker has placed or rejected the order meanwhile; nothing was written."""


@dataclass(frozen=True, slots=True)
class OrderClaim:
    """An order of a platform that is being placed, with its prices there."""

    channel: str
    foreign: ForeignId
    actor: str
    order: ForeignOrder


def create_participant(channel: ForeignChannel) -> OrderParticipant:
    """Return what prices, links and pays orders of a channel. An amendment is refused, as there is no step for it."""
    steps = _Steps(channel)
    return OrderParticipant(
        channel.code, concerns=steps.concerns, price=steps.price, validate=steps.validate, placed=steps.placed
    )


class _Steps:
    """The steps of placing an order of one channel."""

    def __init__(self, channel: ForeignChannel) -> None:
        self._channel = channel

    def concerns(self, request: OrderRequest, _loaded: None) -> bool:
        """Return whether an order is the channel's; one that is cannot be amended, as it was sold and paid there."""
        if request.amends is not None:
            return self._channel.code in request.amends.order.attributes
        return self._get_claim(request) is not None

    def price(self, request: OrderRequest, _loaded: None) -> Mapping[int, LinePrice]:
        """Return the prices of the lines at the platform."""
        claim = self._get_claim(request)
        if claim is None:
            return {}
        return {line.position: LinePrice(claim.order.items[line.position].unit_price_minor) for line in request.lines}

    def validate(self, request: OrderRequest, _loaded: None) -> Contribution | None:
        """Return the charges and discounts at the platform, and what is wrong if the store takes no orders."""
        claim, code = self._get_claim(request), self._channel.code
        if claim is None:
            return None
        return Contribution(
            problems=_check_hours(request),
            charges=_to_charges(claim, request),
            discounts=[
                Discount(f"{code}_{number}", name[:100] or self._channel.name, amount_minor)
                for number, (name, amount_minor) in enumerate(_list_reductions(claim.order), start=1)
            ],
            attributes={code: claim.order.attributes},
        )

    async def placed(self, request: OrderRequest, _loaded: None, order: NewOrder) -> None:
        """Link the order and record what the platform says is paid, in the order's transaction.

        Raises ``AlreadyDecided``, and ``ValidationFailed`` if the order costs something else here than there.
        """
        claim = self._get_claim(request)
        if claim is None:
            return
        terms, foreign = request.terms, claim.foreign
        if order.total_minor != claim.order.total_minor:
            here, there = (
                f"{money.to_decimal_string(minor, terms.currency)} {terms.currency}"
                for minor in (order.total_minor, claim.order.total_minor)
            )
            raise ValidationFailed(
                total=[
                    Sentence(
                        "The order costs %(there)s at %(channel)s and %(here)s here.",
                        there=there,
                        channel=self._channel.name,
                        here=here,
                    )
                ]
            )
        if not await self._channel.link_order(terms.owner_id, foreign.link_id, order.id):
            raise AlreadyDecided
        await record_collected_payment(
            terms.owner_id,
            terms.id,
            order.id,
            self._channel.payment_method.code,
            claim.order.paid_minor,
            reference=foreign.id,
            actor=claim.actor,
        )

    def _get_claim(self, request: OrderRequest) -> OrderClaim | None:
        found = (request.body.model_extra or {}).get(CLAIM_FIELD)
        return found if isinstance(found, OrderClaim) and found.channel == self._channel.code else None


def _check_hours(request: OrderRequest) -> list[Problem]:
    """Return why the store takes no such order: it is closed at its time, and now if that is soon, or paused."""
    terms, moment = request.terms, clock.now()
    wanted = request.scheduled_for or moment
    moments = [moment, wanted] if wanted - moment <= SOON else [wanted]
    if not any(_is_open(terms, each) for each in moments):
        return [Problem("type", Sentence("The store is closed then."))]
    if all(terms.pace.at(each).status is State.PAUSED for each in moments):
        return [Problem("type", Sentence("The store takes no orders just now."))]
    return []


def _is_open(terms: StoreTerms, moment: datetime) -> bool:
    return terms.hours is None or terms.hours.is_open(terms.zone, moment)


def _to_charges(claim: OrderClaim, request: OrderRequest) -> list[Charge]:
    terms = request.terms
    default_rate = terms.mode_tax_rates.get(request.body.type, terms.tax_rate_ppm)
    charges: list[Charge] = []
    for number, fee in enumerate([fee for fee in claim.order.fees if fee.amount_minor > 0], start=1):
        is_delivery = fee.is_delivery and all(each.code != DELIVERY_FEE for each in charges)
        rate = fee.tax_rate_ppm if fee.tax_rate_ppm is not None else default_rate if fee.is_taxed else None
        code = DELIVERY_FEE if is_delivery else f"{claim.channel}_{number}"
        charges.append(Charge(code, fee.name[:100], fee.amount_minor, rate))
    return charges


def _list_reductions(order: ForeignOrder) -> list[tuple[str, int]]:
    """Return what is taken off: discounts, and charges below 0."""
    negative = [(fee.name, -fee.amount_minor) for fee in order.fees if fee.amount_minor < 0]
    return [(name, amount_minor) for name, amount_minor in (*order.reductions, *negative) if amount_minor > 0]
