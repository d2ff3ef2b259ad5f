"""Order drafts: validation of an order against the menu, and pricing. Pure functions without database access."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from comanda import clock, money, runtime
from comanda.contracts.callers import Caller
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.intake_status import State
from comanda.contracts.order_bodies import LineBody, OrderBody
from comanda.contracts.order_participants import DraftLine, OrderRequest, StoreParticipant, StoreTerms, parse_fields
from comanda.errors import ValidationFailed
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders import pricing
from comanda.orders.tips import max_tip_minor
from comanda.orders.total_limit import check_total


@dataclass(frozen=True, slots=True)
class OrderLimits:
    """Limits of an order in one channel."""

    lines: int
    quantity: int


@dataclass(frozen=True, slots=True)
class OrderChannel:
    """A channel of orders: its audience for idempotency keys, the default ``source``, and limits.

    With ``keeps_hours`` a closed or paused store takes no orders; with ``collection_only`` only modes for guests are
    offered; with ``is_anonymous`` callers are unknown, so short idempotency keys are combined with the body.
    """

    audience: str
    source: str
    limits: OrderLimits
    keeps_hours: bool = False
    collection_only: bool = False
    is_anonymous: bool = False


@dataclass(frozen=True, slots=True)
class OrderDraft:
    """A valid, priced order; ``parts`` are the participants of plugins."""

    mode: FulfillmentMode
    lines: list[DraftLine]
    quote: pricing.Quote
    currency: str
    order_request: OrderRequest
    parts: tuple[StoreParticipant, ...]

    @property
    def needs_transaction(self) -> bool:
        """Whether more than the order has to be written: counted stock or rows of plugins."""
        return any(part.participant.writes for part in self.parts) or any(line.stock_key for line in self.lines)


def draft_order(body: OrderBody, snapshot: MenuSnapshot, channel: OrderChannel, caller: Caller) -> OrderDraft:
    """Validate and price an order. Raises ``ValidationFailed`` with all errors by field."""
    terms = snapshot.terms
    errors: dict[str, list[str]] = {}
    mode = _check_mode(body, terms, channel, errors)
    limits = channel.limits
    if len(body.items) > limits.lines:
        errors["items"] = [f"An order may have at most {limits.lines} lines; this one has {len(body.items)}."]
        raise ValidationFailed(errors)
    lines = [
        line
        for position, item in enumerate(body.items)
        if (line := _draft_line(item, f"items.{position}", snapshot, limits, body.type, errors)) is not None
    ]
    tip = _check_tip(body, terms, lines, errors)
    if mode is None:
        raise ValidationFailed(errors)
    order_request = OrderRequest(terms, body, caller, channel.audience, lines, snapshot.items, body.scheduled_for)
    parts = _add_participants(order_request, mode, terms.parts.get(body.type, ()), errors)
    if body.coupon_code and order_request.coupon_code is None:
        errors.setdefault("coupon_code", ["This store does not accept coupons."])
    if errors:
        raise ValidationFailed(errors)
    quote = _price_draft(order_request, tip)
    if errors := check_total(quote, terms.currency):
        raise ValidationFailed(errors)
    return OrderDraft(mode, lines, quote, terms.currency, order_request, parts)


def _add_participants(
    order_request: OrderRequest, mode: FulfillmentMode, parts: Sequence[StoreParticipant], errors: dict[str, list[str]]
) -> tuple[StoreParticipant, ...]:
    """Parse the extra fields of the mode and the participants, and return the participants that the order concerns."""
    given = order_request.body.model_extra
    if mode.fields is not None:
        order_request.attributes.update(parse_fields(mode.fields, given, errors))
    for part in parts:
        if part.participant.fields is not None:
            order_request.attributes.update(parse_fields(part.participant.fields, given, errors))
    return tuple(part for part in parts if _check_participant(order_request, part, errors))


def _check_participant(order_request: OrderRequest, part: StoreParticipant, errors: dict[str, list[str]]) -> bool:
    participant, order_request.loaded = part.participant, part.loaded
    if participant.concerns is not None and not participant.concerns(order_request):
        return False
    if participant.validate is not None:
        errors.update(participant.validate(order_request))
    return True


def list_modes(terms: StoreTerms, channel: OrderChannel) -> list[FulfillmentMode]:
    """List the fulfillment modes of a store in a channel."""
    known = runtime.registry().fulfillment_modes
    modes = [known[code] for code in terms.vertical.fulfillment_modes] if terms.vertical else []
    return [mode for mode in modes if mode.is_for_guests or not channel.collection_only]


def _check_mode(
    body: OrderBody, terms: StoreTerms, channel: OrderChannel, errors: dict[str, list[str]]
) -> FulfillmentMode | None:
    is_ours = terms.vertical is not None and body.type in terms.vertical.fulfillment_modes
    mode = runtime.registry().fulfillment_modes[body.type] if is_ours else None
    if mode is None or (channel.collection_only and not mode.is_for_guests):
        allowed = ", ".join(mode.code for mode in list_modes(terms, channel))
        errors["type"] = [f"This store takes: {allowed or 'no orders, as its vertical is not installed'}."]
        return None
    if channel.keeps_hours:
        moment = body.scheduled_for or clock.now()
        if not mode.is_scheduled:
            _check_open(terms, moment)
        _check_not_paused(terms, moment)
    for field, sentence in mode.required_fields:
        if not getattr(body, field, None):
            errors[field] = [sentence]
    return mode


def _draft_line(
    body: LineBody, path: str, snapshot: MenuSnapshot, limits: OrderLimits, mode: str, errors: dict[str, list[str]]
) -> DraftLine | None:
    item = snapshot.items.get(body.item_id)
    if item is None:
        errors[f"{path}.item_id"] = [f"This store has no item {body.item_id}."]
        return None
    if not item["is_available"]:
        is_listed = item["is_on_menu"]
        errors[f"{path}.item_id"] = [f"{item['name']} is {'sold out' if is_listed else 'not on the menu now'}."]
        return None
    if body.quantity > limits.quantity:
        errors[f"{path}.quantity"] = [f"At most {limits.quantity} of one line can be ordered."]
        return None
    terms = snapshot.terms
    variant = _select_variant(body, item, path, errors)
    extras, extras_minor = _select_extras(body, item, path, terms.currency, errors)
    price_minor: int = (variant or item)["price_minor"]
    rate = item["tax_rate_ppm"]
    return DraftLine(
        item_id=body.item_id,
        variant_id=variant["id"] if variant else None,
        name=item["name"],
        quantity=body.quantity,
        unit_price_minor=price_minor + extras_minor,
        tax_rate_ppm=terms.mode_tax_rates.get(mode, terms.tax_rate_ppm) if rate is None else rate,
        variation=_to_choice(variant, terms.currency) if variant else None,
        extras=extras,
        note=body.note or None,
        stock_key=_to_stock_key(item, variant),
    )


def _select_variant(
    body: LineBody, item: Mapping[str, Any], path: str, errors: dict[str, list[str]]
) -> Mapping[str, Any] | None:
    if body.variation is None:
        return None
    variant: Mapping[str, Any] | None = item["variant_by_id"].get(body.variation)
    if variant is None:
        errors[f"{path}.variation"] = [f"{item['name']} has no variation {body.variation}."]
    elif variant["stock"] is not None and variant["stock"] <= 0 and not item["allow_backorder"]:
        errors[f"{path}.variation"] = [f"{item['name']}, {variant['name']}, is sold out."]
    return variant


def _select_extras(
    body: LineBody, item: Mapping[str, Any], path: str, currency: str, errors: dict[str, list[str]]
) -> tuple[list[dict[str, Any]], int]:
    """Return the chosen extras and their price per unit, and check the rules of each group."""
    if not body.extras and not item["groups"]:
        return [], 0
    chosen = Counter(body.extras)
    known = item["extra_by_id"]
    if unknown := [extra_id for extra_id in chosen if extra_id not in known]:
        errors[f"{path}.extras"] = [f"{item['name']} has no extra {unknown[0]}."]
        return [], 0
    records: list[dict[str, Any]] = []
    total = 0
    problems: list[str] = []
    for group in item["groups"]:
        picked = [(extra, chosen[extra["id"]]) for extra in group["extras"] if extra["id"] in chosen]
        problems += _check_group(group, picked)
        total += _price_group(group, picked)
        records += [{**_to_choice(extra, currency), "quantity": count} for extra, count in picked]
    if problems:
        errors[f"{path}.extras"] = problems
    return records, total


def _check_group(group: Mapping[str, Any], picked: Sequence[tuple[Mapping[str, Any], int]]) -> list[str]:
    name, count = group["name"], sum(number for _, number in picked)
    problems = [f"{extra['name']} is sold out." for extra, _ in picked if extra["is_sold_out"]]
    if not group["allows_repeats"]:
        problems += [f"{name}: {extra['name']} can only be chosen once." for extra, number in picked if number > 1]
    if count < group["min_count"]:
        problems.append(f"{name}: choose at least {group['min_count']}.")
    if group["max_count"] is not None and count > group["max_count"]:
        problems.append(f"{name}: choose at most {group['max_count']}.")
    return problems


def _price_group(group: Mapping[str, Any], picked: Sequence[tuple[Mapping[str, Any], int]]) -> int:
    prices = [extra["price_minor"] for extra, number in picked for _ in range(number)]
    # The cheapest ones are free, so the client's order of extras does not matter.
    return sum(sorted(prices)[group["free_count"] :])


def _to_choice(row: Mapping[str, Any], currency: str) -> dict[str, Any]:
    return {"id": row["id"], "name": row["name"], "price": money.to_number(row["price_minor"], currency)}


def _to_stock_key(item: Mapping[str, Any], variant: Mapping[str, Any] | None) -> tuple[str, int] | None:
    if variant is not None and variant["stock"] is not None:
        return ("variant", variant["id"])
    return ("item", item["id"]) if item["stock"] is not None else None


def _check_tip(body: OrderBody, terms: StoreTerms, lines: Sequence[DraftLine], errors: dict[str, list[str]]) -> int:
    if not body.tip_amount:
        return 0
    try:
        tip = money.to_minor(body.tip_amount, terms.currency)
    except ValueError as error:
        errors["tip_amount"] = [str(error)]
        return 0
    subtotal = sum(line.unit_price_minor * line.quantity for line in lines)
    max_tip = max_tip_minor(subtotal, terms.currency)
    if tip > max_tip:
        errors["tip_amount"] = [f"A tip may be at most {money.to_decimal_string(max_tip, terms.currency)}."]
    return tip


def _check_open(terms: StoreTerms, moment: datetime) -> None:
    if terms.hours is None or terms.hours.is_open(terms.zone, moment):
        return
    next_open_at = terms.hours.next_open_at(terms.zone, moment)
    raise ValidationFailed(
        {"type": [f"{terms.title} is closed then."]}, extras={"reason": "store_closed", "next_open_at": next_open_at}
    )


def _check_not_paused(terms: StoreTerms, moment: datetime) -> None:
    pace = terms.pace.at(moment)
    if pace.status is not State.PAUSED:
        return
    raise ValidationFailed(
        {"type": [f"{terms.title} takes no orders just now."]},
        extras={"reason": "store_paused", "next_open_at": pace.until},
    )


def _price_draft(order_request: OrderRequest, tip_minor: int) -> pricing.Quote:
    terms, mode, lines = order_request.terms, order_request.body.type, order_request.lines
    discounted = order_request.discounted
    has_charge = mode in terms.service_charge_modes
    default_rate = terms.mode_tax_rates.get(mode, terms.tax_rate_ppm)
    return pricing.price_order(
        [
            pricing.LineInput(
                line.unit_price_minor,
                line.quantity,
                line.tax_rate_ppm,
                is_discountable=discounted is None or position in discounted,
            )
            for position, line in enumerate(lines)
        ],
        pricing.PricingTerms(
            is_tax_included=terms.is_tax_included,
            order_discount_minor=order_request.discount_minor,
            delivery_fee_minor=order_request.delivery_fee_minor,
            delivery_tax_rate_ppm=order_request.delivery_tax_rate_ppm,
            service_charge_ppm=terms.service_charge_ppm if has_charge else 0,
            service_charge_minor=terms.service_charge_minor if has_charge else 0,
            service_charge_tax_rate_ppm=default_rate if terms.is_service_charge_taxed else None,
            tip_minor=tip_minor,
        ),
    )
