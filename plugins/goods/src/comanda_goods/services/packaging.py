"""The packaging of items and their variations, the deposits on it, and the prices of units."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from comanda.basics import money, round_to_ppm
from comanda.contracts import StoreTerms, Values
from comanda.stores import get_store_settings
from comanda.web import N_, format_minor
from comanda.web import gettext as _

from comanda_goods.schemas import KILOGRAM, LITRE, METRE, PIECE, SQUARE_METRE
from comanda_goods.store_settings import GoodsSettings

UNIT_PRICES: Final[Mapping[str, str]] = {
    KILOGRAM: N_("%(price)s/kg"),
    LITRE: N_("%(price)s/l"),
    METRE: N_("%(price)s/m"),
    SQUARE_METRE: N_("%(price)s/m²"),
    PIECE: N_("%(price)s per piece"),
}


@dataclass(frozen=True, slots=True)
class DepositTerms:
    """How a store's deposits are taxed; None is not at all."""

    tax_rate_ppm: int | None = None


async def load_terms(store: StoreTerms) -> DepositTerms:
    """Return how a store's deposits are taxed, which is kept in memory with its menu."""
    rate = (await get_store_settings(GoodsSettings, store.owner_id, store.id)).tax_rate
    return DepositTerms(None if rate is None else round_to_ppm(rate))


def find_packaging(values: Values, variation: str | None) -> Mapping[str, Any]:
    """Return the packaging of an item, or of its variation of this name; one without its own has that of the item."""
    if variation is not None:
        for row in values.get("variation_packaging") or ():
            if row["name"].casefold() == variation.casefold():
                found: Mapping[str, Any] = row
                return found
    return values


def format_unit_price(price_minor: int, unit: str, currency: str) -> str:
    """Return what a kilogram, or another unit that prices are compared by, costs."""
    return _(UNIT_PRICES[unit], price=format_minor(price_minor, currency))


def get_deposit_minor(packaging: Mapping[str, Any], currency: str) -> int:
    """Return the deposit on a package in minor units."""
    deposit = packaging.get("container_deposit")
    return money.round_to_minor(deposit, currency) if deposit else 0
