"""What an owner decides about the hire of tools in one store."""

from typing import Final

from comanda.contracts import StoreSettings, StoreSettingsFields, setting

from comanda_rental.item_capabilities import DAILY_HIRE


class HireSettings(StoreSettingsFields):
    """Deposit and longest hire of a tool-hire shop."""

    deposit: int = setting(
        0, label="Deposit", help_text="For each tool, in whole units of the store's currency.", ge=0, le=100_000
    )
    max_days: int = setting(30, label="Longest hire", unit="days", ge=1, le=90)


STORE_SETTINGS: Final = StoreSettings(
    plugin="rental", title="Tool hire", fields=HireSettings, capability=DAILY_HIRE.code
)
