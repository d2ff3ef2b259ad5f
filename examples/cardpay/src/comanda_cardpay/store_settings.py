"""What an owner decides about card payments in one store."""

from typing import Final

from comanda.contracts import StoreSettings, StoreSettingsFields, setting


class CardPayStoreSettings(StoreSettingsFields):
    """What cardholders read."""

    statement_text: str = setting(
        "", label="Text on card statements", help_text="Shown to the cardholder.", max_length=22
    )


STORE_SETTINGS: Final = StoreSettings(plugin="cardpay", title="Card payments", fields=CardPayStoreSettings)
