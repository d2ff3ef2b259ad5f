"""What the demo laundry washes and presses. Prices are in euro."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Service:
    """One item of the price list; ``kinds`` are its variations, each with a price that replaces ``price``."""

    name: str
    price: float
    description: str
    is_popular: bool = False
    stock: int | None = None
    kinds: tuple[tuple[str, float], ...] = ()


WASHING = (
    Service("Wash and fold", 9.5, "Washed, dried and folded by the bag.", is_popular=True,
            kinds=(("Up to 5 kg", 9.5), ("Up to 8 kg", 13.5), ("Up to 12 kg", 18.0))),
    Service("Bed linen set", 11.0, "A fitted sheet, a duvet cover and two pillowcases, pressed.",
            kinds=(("Single", 11.0), ("Double", 14.0))),
    Service("Duvet", 22.0, "Washed at 60 °C and dried until no damp is left inside.",
            kinds=(("Synthetic", 22.0), ("Down", 29.0))),
)  # fmt: skip
PRESSING = (
    Service("Shirt", 2.8, "Washed, pressed by hand.", is_popular=True, kinds=(("On a hanger", 2.8), ("Folded", 3.2))),
    Service("Suit", 16.5, "Dry cleaned and pressed, jacket and trousers.", is_popular=True,
            kinds=(("Two pieces", 16.5), ("Three pieces", 21.0))),
    Service("Dress", 13.0, "Dry cleaned, seams and buttons looked over.",
            kinds=(("Everyday", 13.0), ("Evening", 24.0))),
    Service("Winter coat", 19.5, "Dry cleaned and aired for a day."),
)  # fmt: skip
TAILOR = (
    Service("Hem a pair of trousers", 10.0, "Pinned while you wear them: take an appointment."),
    Service("New zip", 14.0, "Jackets, trousers and bags.", kinds=(("Trousers", 14.0), ("Jacket", 22.0))),
    Service("Fitting of a wedding dress", 35.0, "Half an hour with our seamstress, by appointment."),
)
COUNTER = (
    Service("Linen laundry bag", 8.9, "Holds 8 kg, with a tag for your name.", stock=40),
    Service("Cedar moth rings, twelve", 5.5, "For the wardrobe.", stock=25),
)

MENU = {
    "Washing": WASHING,
    "Dry cleaning and pressing": PRESSING,
    "Alterations": TAILOR,
    "At the counter": COUNTER,
}
