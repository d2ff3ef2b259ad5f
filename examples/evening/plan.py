"""What happens on the evening: who orders what, when, how it is paid, what goes wrong; all of it from a seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

MINUTES = 240
# When guests come: the middle of a wave, how wide it is, and its share of all.
WAVES = ((70, 30, 0.45), (140, 35, 0.4), (120, 90, 0.15))


@dataclass(frozen=True, slots=True)
class Dish:
    """Something on a menu: its price in cents, and how many minutes it takes."""

    name: str
    price: int
    minutes: float


DISHES = (
    Dish("Onion soup", 650, 5),
    Dish("Green salad", 590, 4),
    Dish("Grilled sardines", 1250, 9),
    Dish("Mushroom risotto", 1390, 12),
    Dish("Roast chicken", 1480, 11),
    Dish("Lamb stew", 1795, 10),
    Dish("Fish of the day", 1950, 12),
    Dish("Potatoes", 380, 6),
    Dish("Caramel flan", 520, 3),
    Dish("Walnut cake", 545, 3),
    Dish("Bread and olives", 310, 2),
    Dish("House lemonade", 345, 2),
)


@dataclass(frozen=True, slots=True)
class PlannedOrder:
    """An order before it is placed. ``lines`` are positions on the menu with quantities; amounts are in cents.

    ``channel`` is who places it: staff, owner, storefront or customer. ``is_doubled`` sends it twice at once,
    ``is_cut_off`` hangs up on the first try. ``ending`` is ``served``, ``cancelled``, ``cancelled_paid``, or
    ``reopened``: called off and then wanted after all. ``refund`` is ``amount``, ``line`` or nothing.
    """

    number: int
    minute: float
    store: int
    mode: str
    channel: str
    lines: tuple[tuple[int, int], ...]
    tip: int
    tender: str
    parts: int
    pays_first: bool
    payment_tip: int
    is_doubled: bool
    is_cut_off: bool
    ending: str
    refund: str | None
    delivery_fails: bool
    is_recalled: bool
    is_completed: bool


def orders(seed: int, count: int, modes: Sequence[Sequence[str]]) -> list[PlannedOrder]:
    """Plan so many orders for stores of which each takes some ``modes``, by the minute at which they come."""
    dice = Random(seed)  # noqa: S311 - an evening, not a secret
    minutes = sorted(_arrival(dice) for _ in range(count))
    return [_order(dice, number, minute, modes) for number, minute in enumerate(minutes, 1)]


def _arrival(dice: Random) -> float:
    middle, width, _ = dice.choices(WAVES, [share for *_, share in WAVES])[0]
    return min(max(dice.gauss(middle, width), 0), MINUTES - 1)


def _order(dice: Random, number: int, minute: float, modes: Sequence[Sequence[str]]) -> PlannedOrder:
    store = dice.randrange(len(modes))
    mode = dice.choices(modes[store], [3 if each == "delivery" else 2 for each in modes[store]])[0]
    channel = _channel(dice, mode)
    ending = dice.choices(("served", "cancelled", "cancelled_paid", "reopened"), (90, 4, 3, 3))[0]
    positions = dice.sample(range(len(DISHES)), dice.choices((1, 2, 3, 4), (25, 40, 25, 10))[0])
    return PlannedOrder(
        number=number,
        minute=minute,
        store=store,
        mode=mode,
        channel=channel,
        lines=tuple((position, dice.choices((1, 2, 3), (65, 27, 8))[0]) for position in positions),
        tip=dice.choice((100, 150, 200, 350)) if mode == "delivery" and dice.random() < 0.5 else 0,
        tender=_tender(dice, channel),
        parts=dice.randint(2, 4) if mode == "on-table" and dice.random() < 0.2 else 1,
        pays_first=ending == "cancelled_paid" or (mode != "on-table" and dice.random() < 0.5),
        payment_tip=dice.choice((50, 100, 200)) if mode == "on-table" and dice.random() < 0.3 else 0,
        is_doubled=dice.random() < 0.1,
        is_cut_off=dice.random() < 0.06,
        ending=ending,
        refund=dice.choice(("amount", "line")) if ending == "served" and dice.random() < 0.054 else None,
        delivery_fails=mode == "delivery" and dice.random() < 0.08,
        is_recalled=dice.random() < 0.06,
        is_completed=dice.random() < 0.8,
    )


def _channel(dice: Random, mode: str) -> str:
    if mode == "delivery":
        return dice.choices(("staff", "owner", "customer"), (5, 3, 4))[0]
    return dice.choices(("staff", "owner", "storefront", "customer"), (11, 1, 4, 2))[0]


def _tender(dice: Random, channel: str) -> str:
    if channel == "customer":
        return dice.choices(("store_credit", "gift_card", "cash", "card_external"), (5, 2, 2, 2))[0]
    return dice.choices(("cash", "card_external", "gift_card"), (50, 35, 15))[0]
