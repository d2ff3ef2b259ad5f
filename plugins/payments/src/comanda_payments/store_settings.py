"""Whether a store's page sells gift cards, and which."""

from typing import Annotated, Final

from comanda.contracts import Amount, Count, StoreSettings, StoreSettingsFields, StoreTerms, setting
from comanda.stores import get_store_settings
from comanda.web import N_
from pydantic import Field

Years = Annotated[Count, Field(ge=1, le=50)]
PARTICIPANT_NAME: Final = "gift_card_sales"


class GiftCardSales(StoreSettingsFields):
    """The gift cards that guests can buy on the store's page, in the store's currency."""

    sells_gift_cards: bool = setting(
        False,
        label=N_("Sell gift cards on the store's page"),
        help_text=N_("Guests pay online and get the code by e-mail. The store needs a payment account."),
    )
    smallest_amount: Amount = setting(10.0, label=N_("Smallest amount"))
    largest_amount: Amount = setting(200.0, label=N_("Largest amount"))
    valid_years: Years | None = setting(
        3,
        label=N_("Valid for"),
        unit=N_("years"),
        help_text=N_("Until the end of the year. Leave it empty for cards that never expire."),
    )


STORE_SETTINGS: Final = StoreSettings(plugin="payments", title=N_("Gift cards online"), fields=GiftCardSales)


async def load_sales(terms: StoreTerms) -> GiftCardSales:
    """Return the settings of a store, to be kept in memory with its menu."""
    return await get_store_settings(GiftCardSales, terms.owner_id, terms.id)


def sells_gift_cards(terms: StoreTerms) -> bool:
    """Return whether the pages of a store lead to its gift cards."""
    parts = (part for joined in terms.parts.values() for part in joined if part.participant.name == PARTICIPANT_NAME)
    return any(isinstance(part.loaded, GiftCardSales) and part.loaded.sells_gift_cards for part in parts)
