"""The demo flower shop, created once through the services that its owner would use."""

from dataclasses import dataclass
from typing import Final

from comanda.contracts import Caller, DemoStore, Showcase
from comanda.menu import CategoryBody, ItemBody
from comanda.menu import services as menus

from comanda_florist.schemas.occasions import OccasionBody
from comanda_florist.schemas.shops import ShopSettingsChange
from comanda_florist.services import occasions, shops

SLUG: Final = "flores-da-ribeira"
ALL_DAY: Final = [{"open": "09:00", "close": "19:00"}]
STORE: Final = DemoStore(
    store_type="florist",
    title="Flores da Ribeira",
    slug=SLUG,
    settings={
        "country": "PT",
        "phone": "+351 22 555 0182",
        "address": "Cais da Ribeira 8, 4050-510 Porto",
        "tax_rate": 6,
        "is_tax_included": True,
        "hours": {
            **dict.fromkeys(("tuesday", "wednesday", "thursday", "friday"), ALL_DAY),
            "saturday": [{"open": "09:00", "close": "14:00"}],
            "sunday": [],
            "monday": [],
        },
    },
)
OCCASIONS: Final = (
    OccasionBody(recipient_name="Beatriz Pinto", what="Birthday", month=3, day=14, phone="+351 912 555 220"),
    OccasionBody(recipient_name="Rui and Clara", what="Wedding anniversary", month=9, day=7, note="White, no lilies"),
)


@dataclass(frozen=True, slots=True)
class Bouquet:
    """A bouquet of the demo; ``price`` is in euro, and without ``months`` it is available all year."""

    name: str
    price: float
    stems: int
    description: str
    care: str
    months: tuple[int, ...] = ()


BOUQUETS: Final = (
    Bouquet("Market morning", 18.0, 12, "What came in at dawn, tied by hand.", "Fresh water every second day."),
    Bouquet("Twelve red roses", 36.0, 12, "Long stems, dark red.", "Cut the stems anew at a slant, keep them cool."),
    Bouquet("White garden", 42.0, 18, "Roses, stocks and eucalyptus.", "Take off leaves below the waterline."),
    Bouquet(
        "Tulips by the armful", 22.0, 25, "One colour, your choice.", "Little water; they go on growing.", (2, 3, 4)
    ),
    Bouquet("Peonies", 38.0, 7, "Heavy heads, soft pink.", "Shake buds gently to wake them.", (5, 6)),
    Bouquet("Sunflowers", 20.0, 5, "Tall, and turned to the light.", "They drink a lot: fill up daily.", (7, 8, 9)),
    Bouquet("Dahlias", 24.0, 10, "From a garden upriver.", "Out of the sun, fresh water daily.", (8, 9, 10)),
    Bouquet(
        "Winter berries", 28.0, 9, "Ilex, pine and amaryllis.", "Tie the hollow stems before cutting.", (11, 12, 1)
    ),
)


async def fill(showcase: Showcase) -> None:
    """Create the shop, or keep it as its owner left it."""
    await showcase.open(STORE, _fill_shop)


async def _fill_shop(caller: Caller, store_id: int) -> None:
    await shops.update_shop_settings(caller, store_id, ShopSettingsChange(deliveries_per_day=12, remembers_gifts=True))
    category = await menus.create_category(caller, store_id, CategoryBody(name="Bouquets"))
    for position, bouquet in enumerate(BOUQUETS):
        await menus.create_item(caller, store_id, _to_item(bouquet, category.id, position))
    for occasion in OCCASIONS:
        await occasions.create_occasion(caller, store_id, occasion)


def _to_item(bouquet: Bouquet, category_id: int, position: int) -> ItemBody:
    return ItemBody.model_validate(
        {
            "category_id": category_id,
            "position": position,
            "name": bouquet.name,
            "price": bouquet.price,
            "description": bouquet.description,
            "stem_count": bouquet.stems,
            "care_notes": bouquet.care,
            "season_months": list(bouquet.months),
        }
    )
