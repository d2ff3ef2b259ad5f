"""How guests of a store pay: online or at the store, with a tip at the table, and which gift cards they can buy."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final

from comanda.contracts import Amount, Count, StoreSettings, StoreSettingsFields, StoreTerms, setting
from comanda.stores import get_store_settings
from comanda.web import N_
from pydantic import Field

Years = Annotated[Count, Field(ge=1, le=50)]
# A provider's page is open for an hour at most.
PayMinutes = Annotated[Count, Field(ge=5, le=60)]
# The name of the order participant, whose settings are held in memory with the store's menu.
PARTICIPANT_NAME: Final = "guest_payments"


class OnlineRule(StrEnum):
    """Whether guests may pay online, have to before their order is made, or pay at the store."""

    OPTIONAL = "optional"
    REQUIRED = "required"
    OFF = "off"


RULE_LABELS: Final[Mapping[str, str]] = {
    OnlineRule.OPTIONAL: N_("Online if guests like"),
    OnlineRule.REQUIRED: N_("Online, before the order is made"),
    OnlineRule.OFF: N_("Not online"),
}

SETTING_BY_MODE: Final = {
    "on-table": "online_at_table",
    "takeaway": "online_pickup",
    "pickup_slot": "online_pickup",
    "in_store": "online_pickup",
    "delivery": "online_delivery",
    "ship": "online_shipping",
    "appointment": "online_appointments",
    "room_service": "online_room_service",
}


class GuestPayments(StoreSettingsFields):
    """How guests pay their orders in each mode, and the gift cards that they can buy, in the store's currency."""

    online_at_table: OnlineRule = setting(
        OnlineRule.OPTIONAL,
        label=N_("Payment at the table"),
        help_text=N_("Online payments need a payment account that is ready."),
        choices=RULE_LABELS,
    )
    online_pickup: OnlineRule = setting(
        OnlineRule.OPTIONAL, label=N_("Payment of takeaway and pick-up"), choices=RULE_LABELS
    )
    online_delivery: OnlineRule = setting(OnlineRule.OPTIONAL, label=N_("Payment of deliveries"), choices=RULE_LABELS)
    online_shipping: OnlineRule = setting(OnlineRule.OPTIONAL, label=N_("Payment of shipments"), choices=RULE_LABELS)
    online_appointments: OnlineRule = setting(
        OnlineRule.OPTIONAL, label=N_("Payment of appointments"), choices=RULE_LABELS
    )
    online_room_service: OnlineRule = setting(
        OnlineRule.OPTIONAL, label=N_("Payment of room service"), choices=RULE_LABELS
    )
    pay_minutes: PayMinutes = setting(
        20,
        label=N_("Time to pay"),
        help_text=N_("An order that has to be paid online first is cancelled if it is not paid by then."),
        unit="min",
    )
    offers_tips: bool = setting(
        True,
        label=N_("Offer tips at the table"),
        help_text=N_("Guests at a table can add a tip when they pay online."),
    )
    sells_gift_cards: bool = setting(
        False,
        label=N_("Sell gift cards on the store's page"),
        help_text=N_("Guests pay online and get the code by e-mail. The store needs a payment account."),
    )
    smallest_amount: Amount = setting(10.0, label=N_("Smallest gift card"))
    largest_amount: Amount = setting(200.0, label=N_("Largest gift card"))
    valid_years: Years | None = setting(
        3,
        label=N_("Gift cards are valid for"),
        unit=N_("years"),
        help_text=N_("Until the end of the year. Leave it empty for cards that never expire."),
    )

    def get_rule(self, mode: str) -> OnlineRule:
        """Return how orders of a mode are paid; those of modes without a setting online or at the store."""
        name = SETTING_BY_MODE.get(mode)
        return OnlineRule.OPTIONAL if name is None else OnlineRule(getattr(self, name))


STORE_SETTINGS: Final = StoreSettings(plugin="payments", title=N_("Payments of guests"), fields=GuestPayments)


async def load_settings(terms: StoreTerms) -> GuestPayments:
    """Return the settings of a store, to be kept in memory with its menu."""
    return await get_settings(terms.owner_id, terms.id)


async def get_settings(owner_id: int, store_id: int) -> GuestPayments:
    """Return the settings of a store."""
    return await get_store_settings(GuestPayments, owner_id, store_id)


def get_loaded_settings(terms: StoreTerms) -> GuestPayments:
    """Return the settings held in memory for a store; the defaults while they cannot be loaded."""
    parts = (part for joined in terms.parts.values() for part in joined if part.participant.name == PARTICIPANT_NAME)
    found = next((part.loaded for part in parts if part.is_loaded), None)
    return found if isinstance(found, GuestPayments) else GuestPayments()


def sells_gift_cards(terms: StoreTerms) -> bool:
    """Return whether the pages of a store lead to its gift cards."""
    return get_loaded_settings(terms).sells_gift_cards
