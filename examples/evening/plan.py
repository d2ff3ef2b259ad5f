"""The plan of an evening: orders, times, payments and failures, all from a seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

MINUTES = 240
# Waves of guests: middle, width, and share of all.
WAVES = ((70, 30, 0.45), (140, 35, 0.4), (120, 90, 0.15))


# What may be changed of the check of a table. ``comp_paid`` is a dish given away after its check was paid.
TABLE_CHANGES = ("void", "comp", "discount", "move", "merge", "split", "comp_paid")


@dataclass(frozen=True, slots=True)
class Dish:
    """A dish: its price in cents and its preparation time in minutes."""

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
    ``reopened``: called off and then wanted after all. ``refund`` is ``amount``, ``line`` or nothing. ``changes`` are
    made of an open check: a ``round``, then one of ``TABLE_CHANGES``.
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
    changes: tuple[str, ...]


def plan_orders(seed: int, count: int, modes: Sequence[Sequence[str]]) -> list[PlannedOrder]:
    """Return planned orders for stores with the given ``modes``, sorted by arrival."""
    random = Random(seed)
    minutes = sorted(_draw_arrival(random) for _ in range(count))
    return [_draw_order(random, number, minute, modes) for number, minute in enumerate(minutes, 1)]


def _draw_arrival(random: Random) -> float:
    middle, width, _ = random.choices(WAVES, [share for *_, share in WAVES])[0]
    return min(max(random.gauss(middle, width), 0), MINUTES - 1)


def _draw_order(random: Random, number: int, minute: float, modes: Sequence[Sequence[str]]) -> PlannedOrder:
    store = random.randrange(len(modes))
    mode = random.choices(modes[store], [3 if each == "delivery" else 2 for each in modes[store]])[0]
    channel = _draw_channel(random, mode)
    ending = random.choices(("served", "cancelled", "cancelled_paid", "reopened"), (90, 4, 3, 3))[0]
    pays_first = ending == "cancelled_paid" or (mode != "on-table" and random.random() < 0.5)
    positions = random.sample(range(len(DISHES)), random.choices((1, 2, 3, 4), (25, 40, 25, 10))[0])
    return PlannedOrder(
        number=number,
        minute=minute,
        store=store,
        mode=mode,
        channel=channel,
        lines=tuple((position, random.choices((1, 2, 3), (65, 27, 8))[0]) for position in positions),
        tip=random.choice((100, 150, 200, 350)) if mode == "delivery" and random.random() < 0.5 else 0,
        tender=_draw_tender(random, channel),
        parts=random.randint(2, 4) if mode == "on-table" and random.random() < 0.2 else 1,
        pays_first=pays_first,
        payment_tip=random.choice((50, 100, 200)) if mode == "on-table" and random.random() < 0.3 else 0,
        is_doubled=random.random() < 0.1,
        is_cut_off=random.random() < 0.06,
        ending=ending,
        refund=random.choice(("amount", "line")) if ending == "served" and random.random() < 0.054 else None,
        delivery_fails=mode == "delivery" and random.random() < 0.08,
        is_recalled=random.random() < 0.06,
        is_completed=random.random() < 0.8,
        changes=_draw_changes(random, mode) if ending == "served" and not pays_first else (),
    )


def _draw_channel(random: Random, mode: str) -> str:
    if mode == "delivery":
        return random.choices(("staff", "owner", "customer"), (5, 3, 4))[0]
    return random.choices(("staff", "owner", "storefront", "customer"), (11, 1, 4, 2))[0]


def _draw_changes(random: Random, mode: str) -> tuple[str, ...]:
    kinds = {"on-table": TABLE_CHANGES, "in_store": ("void",)}.get(mode)
    if kinds is None:
        return ()
    rounds = ("round",) if random.random() < 1 / 3 else ()
    return (*rounds, random.choice(kinds)) if random.random() < 0.2 else rounds


def _draw_tender(random: Random, channel: str) -> str:
    if channel == "customer":
        return random.choices(("store_credit", "gift_card", "cash", "card_external"), (5, 2, 2, 2))[0]
    return random.choices(("cash", "card_external", "gift_card"), (50, 35, 15))[0]
