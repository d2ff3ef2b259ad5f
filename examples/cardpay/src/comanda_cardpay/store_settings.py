"""What an owner decides about card payments in one store."""

from typing import Final

from comanda.contracts import StoreSettings, StoreSettingsFields, setting


class CardPayStoreSettings(StoreSettingsFields):
    """The account that a store's payments go to."""

    merchant: str = setting(
        "", label="Merchant number", help_text="From your contract with CardPay.", pattern="^([0-9]{6,12})?$"
    )
    statement_text: str = setting(
        "", label="Text on card statements", help_text="Shown to the cardholder.", max_length=22
    )


STORE_SETTINGS: Final = StoreSettings(plugin="cardpay", title="Card payments", fields=CardPayStoreSettings)
