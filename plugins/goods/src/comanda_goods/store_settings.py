"""How a store's container deposits are taxed."""

from typing import Annotated, Final

from comanda.contracts import Number, StoreSettings, StoreSettingsFields, setting
from comanda.web import N_
from pydantic import Field

Rate = Annotated[Number, Field(ge=0, le=100)]


class DepositSettings(StoreSettingsFields):
    """The tax on container deposits. Without a rate they are not taxed."""

    tax_rate: Rate | None = setting(
        None,
        label=N_("Tax rate of container deposits"),
        help_text=N_("Leave it empty if deposits are not taxed in your country."),
        unit="%",
    )


STORE_SETTINGS: Final = StoreSettings(
    plugin="goods", title=N_("Container deposits"), fields=DepositSettings, capability="packaging"
)
