"""The packaging of items and their variations, and the deposits on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from comanda.basics import money, to_ppm
from comanda.contracts import StoreTerms, Values
from comanda.stores import get_store_settings

from comanda_goods.store_settings import GoodsSettings


@dataclass(frozen=True, slots=True)
class DepositTerms:
    """How a store's deposits are taxed; None is not at all."""

    tax_rate_ppm: int | None = None


async def load_terms(store: StoreTerms) -> DepositTerms:
    """Return how a store's deposits are taxed, which is kept in memory with its menu."""
    rate = (await get_store_settings(GoodsSettings, store.owner_id, store.id)).tax_rate
    return DepositTerms(None if rate is None else to_ppm(round(Decimal(repr(rate)), 4)))


def find_packaging(values: Values, variation: str | None) -> Mapping[str, Any]:
    """Return the packaging of an item, or of its variation of this name; one without its own has that of the item."""
    if variation is not None:
        for row in values.get("variation_packaging") or ():
            if row["name"].casefold() == variation.casefold():
                found: Mapping[str, Any] = row
                return found
    return values


def get_deposit_minor(packaging: Mapping[str, Any], currency: str) -> int:
    """Return the deposit on a package in minor units."""
    deposit = packaging.get("container_deposit")
    return money.round_to_minor(deposit, currency) if deposit else 0
