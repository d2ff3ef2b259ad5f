"""Order drafts: validation of an order against the menu, and pricing. No database."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

from comanda.basics import clock, money
from comanda.basics.errors import ComandaError, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.bodies import OrderBody
from comanda.contracts.orders.charges import Discount
from comanda.contracts.orders.fulfillment import FulfillmentMode
from comanda.contracts.orders.intake_status import State
from comanda.contracts.orders.participants import (
    NOTHING,
    Contribution,
    DraftLine,
    OrderRequest,
    Problem,
    StoreParticipant,
    StoreTerms,
    parse_fields,
)
from comanda.contracts.requests.callers import Caller
from comanda.menu.price_lists.menus import price_for_order
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders.drafts import pricing
from comanda.orders.drafts.combos import expand_combos
from comanda.orders.drafts.contributions import CombinedContributions, combine_contributions, price_lines, price_request
from comanda.orders.drafts.draft_lines import draft_line
from comanda.orders.drafts.limits import MAX_LINES, check_total, max_tip_minor
from comanda.orders.participant_calls import await_preparation, call_step, check_answer, require_loaded
from comanda.platform import runtime


@dataclass(frozen=True, slots=True)
class OrderLimits:
    """The maximum number of lines of an order, and the maximum quantity of a line."""

    lines: int
    quantity: int


@dataclass(frozen=True, slots=True)
class OrderChannel:
    """A channel of orders: its audience for idempotency keys, the default ``source``, and limits.

    With ``keeps_hours`` a closed or paused store takes no orders; with ``collection_only`` only modes for guests are
    offered, and otherwise those that ``offers`` accepts for a store; with ``is_anonymous`` callers are unknown, so
    short idempotency keys are combined with the body, and only published stores take orders; ``guest_fields`` returns
    the fields that guests of a store have to give in a mode, in place of the ones that it requires of everybody; with
    ``is_served`` the caller serves the orders, and stands in their field ``served_by``. ``price_channel`` is the
    channel whose price lists hold, the audience if it is empty. With ``priced_by`` that plugin alone prices the orders,
    which guests have bought elsewhere: the store adds no service charge, and other plugins nothing at all.
    """

    audience: str
    source: str
    limits: OrderLimits
    keeps_hours: bool = False
    collection_only: bool = False
    is_anonymous: bool = False
    guest_fields: Callable[[FulfillmentMode, StoreTerms], Sequence[tuple[str, str]]] | None = None
    offers: Callable[[FulfillmentMode, StoreTerms], bool] | None = None
    is_served: bool = False
    price_channel: str = ""
    priced_by: str = ""

    def has(self, mode: FulfillmentMode, terms: StoreTerms) -> bool:
        """Return whether a mode of a store's vertical is offered in this channel."""
        if self.collection_only and not mode.is_for_guests:
            return False
        return self.offers is None or self.offers(mode, terms)

    def list_required_fields(self, mode: FulfillmentMode, terms: StoreTerms) -> Sequence[tuple[str, str]]:
        """Return the fields of the body that a mode requires in this channel, with the sentence for a missing one."""
        return mode.required_fields if self.guest_fields is None else self.guest_fields(mode, terms)


@dataclass(frozen=True, slots=True)
class OrderDraft:
    """An order as it would be placed: its lines, its price, and what stands against it.

    Lines that cannot be ordered are left out and reported in ``problems``; each line knows its position in the body.
    ``mode`` is None if the store does not have it. ``parts`` are the participants of plugins. ``fault`` is a failure or
    a conflict of plugins; the quote is then the menu's, without what plugins contribute.
    """

    mode: FulfillmentMode | None
    request: OrderRequest
    quote: pricing.Quote
    contributions: CombinedContributions
    parts: tuple[StoreParticipant, ...]
    problems: tuple[Problem, ...]
    fault: ComandaError | None = None

    @property
    def lines(self) -> tuple[DraftLine, ...]:
        """The lines that can be ordered."""
        return self.request.lines

    def list_body_lines(self) -> Mapping[int, tuple[DraftLine, pricing.PricedLine]]:
        """Return the lines by their places in the body, each combo as one line with all that it costs."""
        found: dict[int, tuple[DraftLine, pricing.PricedLine]] = {}
        for line, paid in zip(self.lines, self.quote.lines, strict=True):
            if line.body_position is None:
                found[line.position] = line, paid
            else:
                heading, before = found[line.body_position]
                unit_price_minor = heading.unit_price_minor + line.unit_price_minor
                found[line.body_position] = replace(heading, unit_price_minor=unit_price_minor), before + paid
        return found

    @property
    def currency(self) -> str:
        """The currency of the amounts."""
        return self.request.terms.currency

    @property
    def needs_transaction(self) -> bool:
        """Whether more than the order has to be written: counted stock, rows of plugins, or that it is paid already."""
        return (
            any(part.participant.writes for part in self.parts)
            or any(line.stock_key for line in self.lines)
            or self.quote.total_minor == 0
        )

    @property
    def reserves(self) -> bool:
        """Whether a participant reserves something before the order is written."""
        return any(part.participant.reserve is not None for part in self.parts)

    def require_valid(self) -> None:
        """Raise ``fault``, or ``ValidationFailed`` with all problems by field, see ``require_none``."""
        require_none(self.problems)
        if self.fault is not None:
            raise self.fault


def require_none(problems: Sequence[Problem]) -> None:
    """Raise ``ValidationFailed`` with all problems by field; those with the same extras stand alone."""
    if alone := next((problem for problem in problems if problem.extras), None):
        together = [problem for problem in problems if problem.extras == alone.extras]
        raise ValidationFailed(group_problems(together), extras=alone.extras)
    if problems:
        raise ValidationFailed(group_problems(problems))


def group_problems(problems: Sequence[Problem]) -> dict[str, list[str]]:
    """Return the sentences of problems by field."""
    errors: dict[str, list[str]] = {}
    for problem in problems:
        if problem.message not in errors.setdefault(problem.field, []):
            errors[problem.field].append(problem.message)
    return errors


async def prepare_order(body: OrderBody, snapshot: MenuSnapshot, caller: Caller) -> Mapping[str, Any]:
    """Return what participants have to read before an order is priced, by their names; usually nothing."""
    prepared: dict[str, Any] = {}
    for part in snapshot.terms.parts.get(body.type, ()):
        if part.participant.prepare is not None and part.is_loaded:
            answer = await await_preparation(part, body, caller, snapshot.terms)
            if answer is not None:
                prepared[part.participant.name] = answer
    return prepared or NOTHING


def draft_order(
    body: OrderBody,
    snapshot: MenuSnapshot,
    channel: OrderChannel,
    caller: Caller,
    *,
    is_quote: bool = False,
    prepared: Mapping[str, Any] = NOTHING,
) -> OrderDraft:
    """Draft an order: price what can be ordered, and list what stands against it.

    With ``is_quote`` the lines that can be ordered are priced as if they were the whole order. ``prepared`` is what
    ``prepare_order`` has found; without it participants offer nothing that depends on it.
    """
    snapshot = price_for_order(snapshot, body.type, channel.price_channel or channel.audience)
    terms, limits = snapshot.terms, channel.limits
    if channel.priced_by:
        terms = replace(terms, service_charge_modes=frozenset())
    problems: list[Problem] = []
    mode = _check_mode(body, terms, channel, problems)
    lines: list[DraftLine] = []
    if len(body.items) > limits.lines:
        text = Sentence(
            "An order may have at most %(max)s lines; this one has %(number)s.",
            max=limits.lines,
            number=len(body.items),
        )
        problems.append(Problem("items", text))
    else:
        for position, item in enumerate(body.items):
            line = draft_line(item, position, snapshot, limits.quantity, body.type, problems)
            if line is not None:
                lines.append(line)
    is_complete = is_quote or len(lines) == len(body.items)
    lines = expand_combos(lines, len(body.items), snapshot, body.type)
    if len(lines) > MAX_LINES:
        text = Sentence("An order may have at most %(number)s lines, items of combos included.", number=MAX_LINES)
        problems.append(Problem("items", text))
    fields = _Fields()
    parts: Sequence[StoreParticipant] = ()
    if mode is not None and len(body.items) <= limits.lines:
        parts = terms.parts.get(body.type, ())
        _parse_all_fields(body, mode, parts, fields, problems)
    request = OrderRequest(
        terms,
        body,
        caller,
        channel.audience,
        tuple(lines),
        is_complete,
        snapshot.items,
        MappingProxyType(fields.values) if fields.values else NOTHING,
        body.scheduled_for,
        prepared=prepared,
        priced_by=channel.priced_by,
    )
    return ask_participants(request, mode, parts, fields.sources, problems)


def ask_participants(
    request: OrderRequest,
    mode: FulfillmentMode | None,
    parts: Sequence[StoreParticipant],
    field_sources: Mapping[str, str],
    problems: list[Problem],
    given: Sequence[Discount] = (),
) -> OrderDraft:
    """Return the draft with the contributions of the participants that the order concerns.

    ``given`` are the discounts that people gave an order that is amended; they come after those of participants.
    """
    fault: ComandaError | None = None
    concerned: tuple[StoreParticipant, ...] = ()
    priced, combined = request, CombinedContributions(attributes=request.fields)
    try:
        require_loaded(parts)
        # A list is built faster than a generator is read, and most participants are concerned by every order.
        concerned = tuple([part for part in parts if part.participant.concerns is None or _is_concerned(request, part)])
        may_price = [part for part in concerned if _may_price(request, part)] if request.priced_by else concerned
        priced = price_lines(request, may_price)
        contributions = _collect_contributions(priced, concerned, problems)
        combined = combine_contributions(priced, contributions, field_sources)
    except ValidationFailed as refusal:
        problems += to_problems(refusal)
    except ComandaError as error:
        fault, priced = error, request
    body = request.body
    if given:
        combined = replace(combined, discounts=(*combined.discounts, *given))
    tip_minor = _check_tip(request, priced.lines, problems)
    is_unused = body.coupon_code and mode is not None and fault is None and combined.coupon_code is None
    if is_unused and not any(problem.field == "coupon_code" for problem in problems):
        problems.append(Problem("coupon_code", Sentence("This store does not accept coupons.")))
    quote = price_request(priced, combined, tip_minor)
    if not problems:
        errors = check_total(quote, request.terms.currency)
        problems += [Problem(name, text) for name, texts in errors.items() for text in texts]
    return OrderDraft(mode, priced, quote, combined, concerned, tuple(problems), fault)


def _may_price(request: OrderRequest, part: StoreParticipant) -> bool:
    return request.priced_by in {"", part.plugin}


def _is_concerned(request: OrderRequest, part: StoreParticipant) -> bool:
    concerns = part.participant.concerns
    return concerns is None or bool(call_step(part, concerns, request, part.loaded))


def _collect_contributions(
    request: OrderRequest, parts: Sequence[StoreParticipant], problems: list[Problem]
) -> list[tuple[StoreParticipant, Contribution]]:
    """Return what each participant contributes; what they find wrong goes to ``problems``."""
    contributions: list[tuple[StoreParticipant, Contribution]] = []
    for part in parts:
        if part.participant.validate is None:
            continue
        try:
            contribution = call_step(part, part.participant.validate, request, part.loaded)
        except ValidationFailed as refusal:
            problems += to_problems(refusal)
            continue
        if contribution is not None:
            check_answer(part, contribution, Contribution, "validate")
            problems += contribution.problems
            contributions.append((part, contribution if _may_price(request, part) else _without_prices(contribution)))
    return contributions


def _without_prices(contribution: Contribution) -> Contribution:
    return replace(contribution, charges=(), discounts=(), coupon_code=None, promotions=())


def to_problems(refusal: ValidationFailed) -> list[Problem]:
    """Return the problems that an error reports."""
    return [
        Problem(name, sentence, refusal.extras) for name, sentences in refusal.errors.items() for sentence in sentences
    ]


@dataclass(slots=True)
class _Fields:
    """The fields that the mode and participants add to a body, and the plugins of those of participants."""

    values: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)

    def add(self, source: str | None, values: Mapping[str, Any]) -> None:
        self.values.update(values)
        if source is not None:
            self.sources.update(dict.fromkeys(values, source))


def _parse_all_fields(
    body: OrderBody, mode: FulfillmentMode, parts: Sequence[StoreParticipant], fields: _Fields, problems: list[Problem]
) -> None:
    """Parse the fields of the mode and the participants. What a required field's own sentence says is not repeated."""
    known = {problem.field for problem in problems}
    models: list[tuple[str | None, type[BaseModel]]] = [] if mode.fields is None else [(None, mode.fields)]
    models += [(part.plugin, part.participant.fields) for part in parts if part.participant.fields is not None]
    for source, model in models:
        values, wrong = parse_fields(model, body.model_extra)
        fields.add(source, values)
        problems += [problem for problem in wrong if problem.field not in known]


def list_modes(terms: StoreTerms, channel: OrderChannel) -> list[FulfillmentMode]:
    known = runtime.registry().fulfillment_modes
    modes = [known[code] for code in terms.vertical.fulfillment_modes] if terms.vertical else []
    return [mode for mode in modes if channel.has(mode, terms)]


def _check_mode(
    body: OrderBody, terms: StoreTerms, channel: OrderChannel, problems: list[Problem]
) -> FulfillmentMode | None:
    is_ours = terms.vertical is not None and body.type in terms.vertical.fulfillment_modes
    mode = runtime.registry().fulfillment_modes[body.type] if is_ours else None
    if mode is None or not channel.has(mode, terms):
        allowed = ", ".join(mode.code for mode in list_modes(terms, channel))
        text = f"This store takes: {allowed or 'no orders, as its vertical is not installed'}."
        problems.append(Problem("type", text))
        return None
    if channel.keeps_hours:
        problems += check_intake(terms, mode, body.scheduled_for or clock.now())
    problems += [
        Problem(name, text) for name, text in channel.list_required_fields(mode, terms) if not getattr(body, name, None)
    ]
    return mode


def check_intake(terms: StoreTerms, mode: FulfillmentMode, moment: datetime) -> list[Problem]:
    """Return why a store takes no orders at a moment: it is closed, which does not matter for bookings, or paused."""
    closed = [] if mode.is_scheduled else _check_open(terms, moment)
    return closed + _check_not_paused(terms, moment)


def _check_tip(request: OrderRequest, lines: Sequence[DraftLine], problems: list[Problem]) -> int:
    body, terms = request.body, request.terms
    if not body.tip_amount:
        return 0
    try:
        tip = money.to_minor(body.tip_amount, terms.currency)
    except ValueError as error:
        problems.append(Problem("tip_amount", str(error)))
        return 0
    if request.amends is not None:
        return tip  # it was given for what the order was then
    subtotal = sum(line.unit_price_minor * line.quantity for line in lines)
    max_tip = max_tip_minor(subtotal, terms.currency)
    if tip > max_tip:
        text = Sentence("A tip may be at most %(amount)s.", amount=money.to_decimal_string(max_tip, terms.currency))
        problems.append(Problem("tip_amount", text))
        return 0
    return tip


def _check_open(terms: StoreTerms, moment: datetime) -> list[Problem]:
    if terms.hours is None or terms.hours.is_open(terms.zone, moment):
        return []
    next_open_at = terms.hours.next_open_at(terms.zone, moment)
    extras = {"reason": "store_closed", "next_open_at": next_open_at}
    return [Problem("type", f"{terms.title} is closed then.", extras)]


def _check_not_paused(terms: StoreTerms, moment: datetime) -> list[Problem]:
    pace = terms.pace.at(moment)
    if pace.status is not State.PAUSED:
        return []
    extras = {"reason": "store_paused", "next_open_at": pace.until}
    return [Problem("type", f"{terms.title} takes no orders just now.", extras)]
