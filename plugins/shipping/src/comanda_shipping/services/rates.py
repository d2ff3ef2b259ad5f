"""The price of shipping an order."""

from dataclasses import dataclass
from typing import Final

from comanda.basics import money, round_to_ppm
from comanda.contracts import Charge, StoreTerms
from comanda.stores import get_store_settings

from comanda_shipping.store_settings import ShippingRates

CHARGE_CODE: Final = "shipping"


@dataclass(frozen=True, slots=True)
class ShippingTerms:
    """A store's shipping rates in minor units; ``free_over_minor`` None is never free."""

    rate_minor: int = 0
    free_over_minor: int | None = None
    tax_rate_ppm: int | None = None

    def list_charges(self, subtotal_minor: int) -> list[Charge]:
        """Return the charge for an order whose items come to ``subtotal_minor``, if there is one."""
        is_free = self.free_over_minor is not None and subtotal_minor >= self.free_over_minor
        if is_free or not self.rate_minor:
            return []
        return [Charge(CHARGE_CODE, "Shipping", self.rate_minor, self.tax_rate_ppm)]


async def load_terms(store: StoreTerms) -> ShippingTerms:
    """Return a store's shipping rates, which are cached with its menu."""
    rates = await get_store_settings(ShippingRates, store.owner_id, store.id)
    return ShippingTerms(
        rate_minor=money.round_to_minor(rates.rate, store.currency),
        free_over_minor=None if rates.free_over is None else money.round_to_minor(rates.free_over, store.currency),
        tax_rate_ppm=None if rates.tax_rate is None else round_to_ppm(rates.tax_rate),
    )
