"""Store settings of orders from a store's page: tips, the time that an order takes, and orders for later."""

from typing import Annotated, Final

from comanda.contracts import Count, StoreSettings, StoreSettingsFields, StoreTerms, setting
from comanda.stores import get_store_settings
from comanda.web import N_
from pydantic import Field

# The name of the order participant, whose settings are held in memory with the store's menu.
PARTICIPANT_NAME: Final = "storefront_ordering"

Minutes = Annotated[Count, Field(le=24 * 60)]
Edition = Annotated[Count, Field(ge=1, le=1_000_000)]
Days = Annotated[Count, Field(le=60)]


class OrderingSettings(StoreSettingsFields):
    """What guests can do when they order on a store's page."""

    offers_tips: bool = setting(
        True, label=N_("Offer tips"), help_text=N_("Guests of restaurants can add a tip to their order.")
    )
    preparation_minutes: Minutes = setting(
        0,
        label=N_("Preparation time"),
        help_text=N_("Guests see when their order will be ready. With 0 no time is shown."),
        unit="min",
    )
    order_ahead_days: Days = setting(
        7,
        label=N_("Orders for later"),
        help_text=N_("How many days ahead guests can order. With 0 they order for now only."),
        unit="days",
    )
    cancel_minutes: Minutes = setting(
        0,
        label=N_("Cancel an order"),
        help_text=N_("How long guests can cancel an order that nobody has started, with a refund. With 0 they cannot."),
        unit="min",
    )
    allows_rounds: bool = setting(
        False,
        label=N_("Order more at the table"),
        help_text=N_("Guests at a table can add to their order from its page until it is paid."),
    )
    opens_checks: bool = setting(
        False,
        label=N_("Open the check by the table's code"),
        help_text=N_(
            "Guests who scan the code of a table see what is on its open check, and can pay it or their part of it."
        ),
    )
    table_codes_edition: Edition = setting(
        1,
        label=N_("Edition of the tables' codes"),
        help_text=N_("With another number, codes printed before lead to the menu only. Print the cards again then."),
    )
    asks_for_name: bool = setting(
        True,
        label=N_("Ask for a name"),
        help_text=N_("Guests have to give a name for takeaway, for pick-up slots and for services."),
    )
    asks_for_phone: bool = setting(
        True,
        label=N_("Ask for a phone number"),
        help_text=N_("Guests have to give a phone number for deliveries and for services."),
    )
    offers_delivery: bool = setting(
        True,
        label=N_("Offer delivery"),
        help_text=N_("Fees, areas and minimum orders are those of the delivery terms."),
    )
    offers_shipping: bool = setting(
        True, label=N_("Offer shipping"), help_text=N_("The price is that of the shipping rates.")
    )
    offers_appointments: bool = setting(
        True, label=N_("Offer appointments"), help_text=N_("Guests choose one of the times that are free.")
    )


STORE_SETTINGS: Final = StoreSettings(plugin="storefront", title=N_("Ordering page"), fields=OrderingSettings)


async def load_settings(terms: StoreTerms) -> OrderingSettings:
    """Return the settings of a store, to be kept in memory with its menu."""
    return await get_store_settings(OrderingSettings, terms.owner_id, terms.id)


def get_settings(terms: StoreTerms) -> OrderingSettings:
    """Return the settings held in memory for a store; the defaults while they cannot be loaded."""
    parts = (part for joined in terms.parts.values() for part in joined if part.participant.name == PARTICIPANT_NAME)
    found = next((part.loaded for part in parts if part.is_loaded), None)
    return found if isinstance(found, OrderingSettings) else OrderingSettings()
