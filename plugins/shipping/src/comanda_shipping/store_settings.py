"""What an owner charges for shipping in one store."""

from typing import Annotated, Final

from comanda.contracts import Amount, Number, StoreSettings, StoreSettingsFields, setting
from pydantic import Field

Rate = Annotated[Number, Field(ge=0, le=100)]


class ShippingRates(StoreSettingsFields):
    """The price of shipping an order, in the store's currency. Without a tax rate it is not taxed."""

    rate: Amount = setting(
        0.0, label="Shipping rate", help_text="Charged once for each order that is shipped, in the store's currency."
    )
    free_over: Amount | None = setting(
        None, label="Free from", help_text="Orders whose items come to this amount are shipped free of charge."
    )
    tax_rate: Rate | None = setting(
        None, label="Tax rate", help_text="Leave it empty if shipping is not taxed.", unit="%"
    )


STORE_SETTINGS: Final = StoreSettings(
    plugin="shipping", title="Shipping rates", fields=ShippingRates, capability="shipping"
)
