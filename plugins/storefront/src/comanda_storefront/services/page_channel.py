"""The sales channel of a store's page, which offers more fulfillment modes than the storefront API."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from comanda.contracts import FulfillmentMode, StoreTerms, VerticalGroup
from comanda.web import N_

from comanda_storefront import store_settings
from comanda_storefront.services.channels import STOREFRONT_CHANNEL

TAKEAWAY: Final = "takeaway"
NAME_REQUIRED: Final = N_("A name is required, so that the store knows whose order it is.")
PHONE_REQUIRED: Final = N_("A phone number is required, in case the store has a question.")
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


def list_guest_fields(mode: FulfillmentMode, terms: StoreTerms) -> Sequence[tuple[str, str]]:
    """Return the fields that guests have to give on a store's page: those of the mode, and who fetches the order.

    The owner may do without names and phone numbers, except where the mode itself needs them.
    """
    settings = store_settings.get_settings(terms)
    is_service = terms.vertical is not None and terms.vertical.group is VerticalGroup.SERVICES
    fields = dict(mode.required_fields + mode.guest_fields)
    if mode.is_delivery and not settings.asks_for_phone:
        fields.pop("phone", None)
    if settings.asks_for_name and (is_service or mode.is_scheduled or mode.code == TAKEAWAY):
        fields.setdefault("customer_name", NAME_REQUIRED)
    if settings.asks_for_phone and is_service:
        fields.setdefault("phone", PHONE_REQUIRED)
    return tuple(fields.items())


# The prices, limits and idempotency keys are those of the storefront API.
PAGE_CHANNEL: Final = replace(
    STOREFRONT_CHANNEL, collection_only=False, guest_fields=list_guest_fields, offers=is_on_page
)
