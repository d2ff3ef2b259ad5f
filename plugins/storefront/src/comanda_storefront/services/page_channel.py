"""The sales channel of a store's page, which offers more fulfillment modes than the storefront API."""

from dataclasses import replace
from typing import Final

from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.order_participants import StoreTerms

from comanda_storefront import store_settings
from comanda_storefront.services.channels import STOREFRONT_CHANNEL

# The settings with which an owner takes a mode from the page.
SETTING_BY_MODE: Final = {
    "delivery": "offers_delivery",
    "ship": "offers_shipping",
    "appointment": "offers_appointments",
}


def is_on_page(mode: FulfillmentMode, terms: StoreTerms) -> bool:
    """Return whether guests may order so on a store's page.

    Beside the modes of the storefront API these are the ones that say so, unless the owner does not offer them, and the
    one that a store's vertical lists first, such as room service at a hotel.
    """
    if mode.is_for_guests or (terms.vertical is not None and terms.vertical.fulfillment_modes[0] == mode.code):
        return True
    setting = SETTING_BY_MODE.get(mode.code)
    return mode.on_page and (setting is None or bool(getattr(store_settings.get_settings(terms), setting)))


# The prices, limits and idempotency keys are those of the storefront API.
PAGE_CHANNEL: Final = replace(STOREFRONT_CHANNEL, collection_only=False, asks_guests=True, offers=is_on_page)
