"""What a hotel asks its guests to pay when they book on its page, or do not come."""

from typing import Annotated, Final

from comanda.contracts import Amount, Count, StoreSettings, StoreSettingsFields, setting
from comanda.web import N_
from pydantic import Field

from comanda_hotel.services.hotels import CAPABILITY


class StayDeposits(StoreSettingsFields):
    """The deposit of stays that guests book on the hotel's page: the largest of what is set, at most the whole price.

    It is kept if they cancel later than ``deposit_free_hours`` before the check-in, or do not come. Who has paid none
    and does not come is asked for the larger of what is set as a no-show fee.
    """

    deposit_percent: Annotated[Count, Field(le=100)] = setting(
        0,
        label=N_("Deposit"),
        unit="%",
        help_text=N_("Guests who book on your page pay this share of the price online. 0 is no deposit."),
    )
    deposit_amount: Amount | None = setting(
        None,
        label=N_("At least"),
        help_text=N_("An amount for each stay, in your currency, but never more than its price."),
    )
    deposit_first_night: bool = setting(False, label=N_("At least the first night"))
    deposit_free_hours: Annotated[Count, Field(le=8760)] = setting(
        48,
        label=N_("Cancelled free of charge until"),
        unit=N_("hours before"),
        help_text=N_("Counted from the check-in time of the day of arrival. Later, the deposit is kept."),
    )
    deposit_hold_minutes: Annotated[Count, Field(ge=10, le=1440)] = setting(
        30, label=N_("Held unpaid for"), unit=N_("minutes"), help_text=N_("Then the room is free again.")
    )
    no_show_percent: Annotated[Count, Field(le=100)] = setting(
        0,
        label=N_("No-show fee"),
        unit="%",
        help_text=N_(
            "Guests without a deposit who do not come get a link to pay this share of the price. 0 is no fee."
        ),
    )
    no_show_first_night: bool = setting(False, label=N_("No-show fee of at least the first night"))


STORE_SETTINGS: Final = StoreSettings(
    plugin="hotel", title=N_("Deposits and no-shows"), fields=StayDeposits, capability=CAPABILITY
)
