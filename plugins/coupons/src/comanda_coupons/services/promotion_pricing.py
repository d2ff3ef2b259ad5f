"""The promotions of an order by the published rule of stacking. No database.

A line has at most one promotion of its own: of all promotions, the one that takes most off the lines that are left is
taken first, then the next one of the lines that remain. Then one promotion of the whole order, the best one, takes off
what those have left; a coupon comes after that. Where two take the same, the older one wins.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda.basics import clock
from comanda.contracts import DraftLine, Orderability, OrderPromotion, OrderRequest, time_windows
from comanda.orders import parse_promotions, pricing

from comanda_coupons.models import PromotionType
from comanda_coupons.services.effects import Effect
from comanda_coupons.services.promotion_limits import Columns, is_over

ORDER_TYPES: Final = frozenset({PromotionType.PERCENTAGE, PromotionType.FIXED})
# Channels in which orders are placed; agents of guests order in the storefront.
AGENTS: Final = "mcp"
STOREFRONT: Final = "storefront"
# The participant, whose preparation says which of the promotions for some guests are for this one.
NAME: Final = "promotions"


@dataclass(frozen=True, slots=True)
class LoadedPromotion:
    """A promotion as loaded for pricing orders. ``times`` None is at any time; empty sets mean everything."""

    id: int
    name: str
    effect: Effect
    min_subtotal_minor: int | None
    starts_at: datetime | None
    ends_at: datetime | None
    times: time_windows.WeeklyTimes | None
    modes: frozenset[str]
    channels: frozenset[str]
    item_ids: frozenset[int]
    category_ids: frozenset[int]
    is_active: bool
    is_over: bool
    has_limit: bool
    per_customer_limit: int | None = None
    first_order_only: bool = False

    @property
    def is_per_guest(self) -> bool:
        """Return whether it depends on who orders."""
        return self.first_order_only or self.per_customer_limit is not None

    @property
    def is_for_order(self) -> bool:
        """Whether it is taken off the whole order, after those of lines."""
        return self.effect.type in ORDER_TYPES and not (self.item_ids or self.category_ids)

    def find_period(self, zone: ZoneInfo, moment: datetime) -> Orderability:
        """Return whether it is on at a moment, and when that changes."""
        moment = moment.astimezone(UTC)
        if not self.is_active or self.is_over or (self.ends_at is not None and moment >= self.ends_at):
            return Orderability(False)
        if self.starts_at is not None and moment < self.starts_at:
            return Orderability(False, self.starts_at)
        # Windows turn at whole minutes, and every order and page of a minute asks.
        minute = moment.replace(second=0, microsecond=0)
        state = Orderability(True) if self.times is None else time_windows.find_state(self.times, zone, minute)
        turns = [turn for turn in (state.changes_at, self.ends_at) if turn is not None]
        return replace(state, changes_at=min(turns, default=None))

    def is_open_to(self, request: OrderRequest) -> bool:
        """Return whether orders of this type, channel and guest have it."""
        if self.is_per_guest and self.id not in request.prepared.get(NAME, ()):
            return False
        channel = STOREFRONT if request.audience == AGENTS else request.audience
        return (not self.modes or request.body.type in self.modes) and (not self.channels or channel in self.channels)

    def covers(self, line: DraftLine, request: OrderRequest) -> bool:
        """Return whether it is for a line."""
        if not (self.item_ids or self.category_ids):
            return True
        # A combo is one thing to promote, whatever it consists of.
        item_id = line.sold_item_id
        return item_id in self.item_ids or request.items[item_id].category_id in self.category_ids


@dataclass(frozen=True, slots=True)
class Candidate:
    """A promotion with the lines that it may take something off, the rounds it counts, and the most it may take."""

    promotion: LoadedPromotion
    lines: tuple[DraftLine, ...]
    rounds: tuple[int, ...]
    cap_minor: int | None = None

    def compute_discount(self, lines: Iterable[DraftLine], left: Mapping[int, int]) -> int:
        """Return what it takes off those lines, at most what is left of them."""
        covered = list(lines)
        effect, available = self.promotion.effect, sum(left[line.position] for line in covered)
        if effect.type is PromotionType.PERCENTAGE:
            # Of what other promotions have left, which no unit costs.
            discount = effect.compute_discount([(available, 1)])
        else:
            discount = effect.compute_discount(_list_units(covered))
        return min(discount, available, *([] if self.cap_minor is None else [self.cap_minor]))


def _list_units(lines: Iterable[DraftLine]) -> list[tuple[int, int]]:
    """Return the prices of units with their counts; a combo is one unit with all its lines."""
    units: dict[int | str, tuple[int, int]] = {}
    for line in lines:
        key = line.position if line.combo is None else line.combo.id
        before, _ = units.get(key, (0, 0))
        units[key] = before + line.unit_price_minor, line.quantity
    return list(units.values())


@dataclass(frozen=True, slots=True)
class PricedPromotion:
    """What a promotion takes off the lines at some positions, none if there are none."""

    candidate: Candidate
    discount_minor: int = 0
    positions: frozenset[int] = frozenset()

    def to_order_promotion(self) -> OrderPromotion:
        """Return it as it stands in the order."""
        promotion = self.candidate.promotion
        return OrderPromotion(promotion.id, promotion.name, self.discount_minor, self.candidate.rounds)


def price_promotions(request: OrderRequest, promotions: Sequence[LoadedPromotion]) -> list[PricedPromotion]:
    """Return the promotions that cover lines of an order, those that take something off first, as they are applied."""
    candidates = list_candidates(request, promotions)
    taken = _choose(request.lines, [each for each in candidates if not each.promotion.is_for_order])
    left = get_left(request.lines, taken)
    whole = [each for each in candidates if each.promotion.is_for_order]
    if (
        best := _find_best([(each, each.lines, each.compute_discount(each.lines, left)) for each in whole])
    ) is not None:
        taken.append(best)
    known = {each.candidate.promotion.id for each in taken}
    return [*taken, *(PricedPromotion(each) for each in candidates if each.promotion.id not in known)]


def list_candidates(request: OrderRequest, promotions: Sequence[LoadedPromotion]) -> list[Candidate]:
    """Return the promotions that cover lines of an order, each with those lines.

    An order that is amended keeps those of its rounds, for the lines of these; added lines have those of now.
    """
    if not request.lines:
        return []
    moment, kept = clock.now(), _list_kept(request)
    subtotal = request.subtotal_minor
    candidates = []
    for promotion in promotions:
        is_on = promotion.is_open_to(request) and promotion.find_period(request.terms.zone, moment).is_orderable
        rounds, amount = kept.get(promotion.id, (frozenset[int](), 0))
        if not is_on and not rounds:
            continue
        lines = [
            (line, number)
            for line, number, is_new in _list_rounds(request)
            if (number in rounds or (is_on and is_new)) and promotion.covers(line, request)
        ]
        if not lines:
            continue
        is_below = promotion.min_subtotal_minor is not None and subtotal < promotion.min_subtotal_minor
        # What is over gives no more than it has given; what an order has too little for may still come.
        cap = 0 if is_below else amount if promotion.is_over else None
        found_rounds = tuple(sorted({number for _, number in lines}))
        candidates.append(Candidate(promotion, tuple(line for line, _ in lines), found_rounds, cap))
    return candidates


def get_left(lines: Sequence[DraftLine], taken: Sequence[PricedPromotion]) -> dict[int, int]:
    """Return what promotions leave of each line's price, by position: the algorithm that prices the order says it."""
    if not taken:
        return {line.position: line.unit_price_minor * line.quantity for line in lines}
    places = {line.position: place for place, line in enumerate(lines)}
    quote = pricing.price_order(
        [pricing.LineInput(line.unit_price_minor, line.quantity, line.tax_rate_ppm) for line in lines],
        pricing.PricingTerms(
            is_tax_included=True,
            order_discounts=tuple(
                pricing.OrderDiscount(each.discount_minor, frozenset(places[position] for position in each.positions))
                for each in taken
            ),
        ),
    )
    return {
        line.position: priced.gross_minor - priced.discount_minor
        for line, priced in zip(lines, quote.lines, strict=True)
    }


def to_loaded_promotion(row: Columns, windows: Sequence[Mapping[str, Any]]) -> LoadedPromotion:
    """Return the promotion in a row of the table, with the windows of its column ``valid_at``."""
    return LoadedPromotion(
        id=row["id"],
        name=row["name"],
        effect=Effect(
            PromotionType(row["type"]), row["value_ppm"], row["value_minor"], row["quantity"], row["max_discount_minor"]
        ),
        min_subtotal_minor=row["min_subtotal_minor"],
        starts_at=row["starts_at"],
        ends_at=row["ends_at"],
        times=time_windows.to_weekly_times(windows) if windows else None,
        modes=frozenset(row["modes"]),
        channels=frozenset(row["channels"]),
        item_ids=frozenset(row["item_ids"]),
        category_ids=frozenset(row["category_ids"]),
        is_active=row["is_active"],
        is_over=is_over(row),
        has_limit=any(row[name] is not None for name in ("usage_limit", "budget_minor", "per_customer_limit"))
        or row["first_order_only"],
        per_customer_limit=row["per_customer_limit"],
        first_order_only=row["first_order_only"],
    )


def _choose(lines: Sequence[DraftLine], candidates: Sequence[Candidate]) -> list[PricedPromotion]:
    """Return the promotions of lines, one at most for each line, the one that takes most off first."""
    gross = get_left(lines, ())
    free = set(gross)
    open_to = {each.promotion.id: each for each in candidates}
    offers = {id: (each, each.lines, each.compute_discount(each.lines, gross)) for id, each in open_to.items()}
    taken = []
    while (best := _find_best(offers.values())) is not None:
        taken.append(best)
        free -= best.positions
        for id, (candidate, covered, _) in list(offers.items()):
            if not best.positions.isdisjoint(line.position for line in covered):
                rest = tuple(line for line in covered if line.position in free)
                offers[id] = (candidate, rest, candidate.compute_discount(rest, gross))
    return taken


def _find_best(offers: Iterable[tuple[Candidate, Sequence[DraftLine], int]]) -> PricedPromotion | None:
    """Return the offer that takes most off, the oldest of equal ones, or None if none takes anything off."""
    candidate, lines, discount = max(
        offers, key=lambda offer: (offer[2], -offer[0].promotion.id), default=(None, (), 0)
    )
    if candidate is None or not discount:
        return None
    return PricedPromotion(candidate, discount, frozenset(line.position for line in lines))


def _list_rounds(request: OrderRequest) -> list[tuple[DraftLine, int, bool]]:
    """Return the lines of an order with their rounds, and whether each is new."""
    if request.amends is None:
        return [(line, 1, True) for line in request.lines]
    return [
        (line, number, line_id is None)
        for line, number, line_id in zip(request.lines, request.amends.rounds, request.amends.line_ids, strict=True)
    ]


def _list_kept(request: OrderRequest) -> dict[int, tuple[frozenset[int], int]]:
    """Return the rounds of each promotion that an order has had, with what it took off."""
    amends = request.amends
    if amends is None:
        return {}
    kept: dict[int, tuple[frozenset[int], int]] = {}
    for order, before in ((amends.order, 0), (amends.absorbed, amends.last_round)):
        if order is None:
            continue
        for each in parse_promotions(order.attributes, order.currency):
            rounds, amount = kept.get(each.id, (frozenset[int](), 0))
            shifted = {number + before for number in each.rounds}
            kept[each.id] = (rounds | shifted, amount + each.amount_minor)
    return kept
