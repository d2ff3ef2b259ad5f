"""The part of HubRise in placing its orders: their prices, their link and their payment, in the order's transaction."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

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
from comanda.platform.db import sql
from comanda_payments.api import record_collected_payment

from comanda_hubrise.models import LinkState
from comanda_hubrise.payment_methods import HUBRISE
from comanda_hubrise.services.documents.orders import Fee

# The extra field of the order body that holds the claim. A client cannot send an ``OrderClaim``.
CLAIM_FIELD: Final = "hubrise_claim"
# In the record of an order that came from HubRise.
ATTRIBUTE: Final = "hubrise"
# Of an order for so soon, it matters whether the store is open now.
SOON: Final = timedelta(hours=2)

LINK_ORDER: Final = f"""
    UPDATE hubrise_order SET order_id = $3, state = '{LinkState.PLACED}', reason = NULL
    WHERE owner_id = $1 AND id = $2 AND state = '{LinkState.WAITING}'
"""


class AlreadyDecided(Conflict):
    """Another worker has placed or rejected the order meanwhile; nothing was written."""


@dataclass(frozen=True, slots=True)
class OrderClaim:
    """An order of HubRise that is being placed, with its prices there; ``paid_minor`` of its total is collected."""

    link_id: int
    hubrise_id: str
    actor: str
    unit_prices_minor: tuple[int, ...]
    fees: tuple[Fee, ...]
    reductions: tuple[tuple[str, int], ...]
    total_minor: int
    paid_minor: int
    attributes: Mapping[str, Any]


def is_from_hubrise(request: OrderRequest, _loaded: None) -> bool:
    """Return whether an order comes from HubRise; one that does cannot be amended, as it was sold and paid there."""
    if request.amends is not None:
        return ATTRIBUTE in request.amends.order.attributes
    return _get_claim(request) is not None


def price_lines(request: OrderRequest, _loaded: None) -> Mapping[int, LinePrice]:
    """Return the prices of the lines at HubRise."""
    claim = _get_claim(request)
    if claim is None:
        return {}
    return {line.position: LinePrice(claim.unit_prices_minor[line.position]) for line in request.lines}


def validate(request: OrderRequest, _loaded: None) -> Contribution | None:
    """Return the charges and discounts at HubRise, and what is wrong if the store takes no orders."""
    claim = _get_claim(request)
    if claim is None:
        return None
    return Contribution(
        problems=_check_hours(request),
        charges=_to_charges(claim, request),
        discounts=[
            Discount(f"hubrise_{number}", name[:100] or "HubRise", amount_minor)
            for number, (name, amount_minor) in enumerate(_list_reductions(claim), start=1)
        ],
        attributes={ATTRIBUTE: claim.attributes},
    )


async def record_order(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Link the order and record what HubRise says is paid, in the order's transaction.

    Raises ``AlreadyDecided``, and ``ValidationFailed`` if the order costs something else here than at HubRise.
    """
    claim = _get_claim(request)
    if claim is None:
        return
    terms = request.terms
    if order.total_minor != claim.total_minor:
        here, there = (
            f"{money.to_decimal_string(minor, terms.currency)} {terms.currency}"
            for minor in (order.total_minor, claim.total_minor)
        )
        text = Sentence("The order costs %(there)s at HubRise and %(here)s here.", there=there, here=here)
        raise ValidationFailed(total=[text])
    if not await sql.execute(LINK_ORDER, terms.owner_id, claim.link_id, order.id):
        raise AlreadyDecided
    await record_collected_payment(
        terms.owner_id,
        terms.id,
        order.id,
        HUBRISE.code,
        claim.paid_minor,
        reference=claim.hubrise_id,
        actor=claim.actor,
    )


# An amendment is refused, as there is no step for it.
PARTICIPANT: Final = OrderParticipant(
    "hubrise", concerns=is_from_hubrise, price=price_lines, validate=validate, placed=record_order
)


def _get_claim(request: OrderRequest) -> OrderClaim | None:
    found = (request.body.model_extra or {}).get(CLAIM_FIELD)
    return found if isinstance(found, OrderClaim) else None


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
    for number, fee in enumerate([fee for fee in claim.fees if fee.amount_minor > 0], start=1):
        is_delivery = fee.is_delivery and all(each.code != DELIVERY_FEE for each in charges)
        rate = fee.tax_rate_ppm if fee.tax_rate_ppm is not None else default_rate if fee.is_taxed else None
        code = DELIVERY_FEE if is_delivery else f"hubrise_{number}"
        charges.append(Charge(code, fee.name[:100], fee.amount_minor, rate))
    return charges


def _list_reductions(claim: OrderClaim) -> list[tuple[str, int]]:
    """Return what is taken off: discounts, and charges below 0."""
    negative = [(fee.name, -fee.amount_minor) for fee in claim.fees if fee.amount_minor < 0]
    return [(name, amount_minor) for name, amount_minor in (*claim.reductions, *negative) if amount_minor > 0]
