"""What an owner lets pass when the days of a store are closed."""

from typing import Final

from comanda.contracts import StoreSettings, StoreSettingsFields, setting
from comanda.web import N_


class ClosingSettings(StoreSettingsFields):
    """Whether a day can be closed while something of it is open."""

    allows_open_checks: bool = setting(
        False,
        label=N_("Close days with open checks"),
        help_text=N_("What is paid of them later counts on the day on which it is paid."),
    )
    allows_open_drawers: bool = setting(
        False,
        label=N_("Close days with open cash drawers"),
        help_text=N_("For stores whose drawers stay open over night."),
    )


STORE_SETTINGS: Final = StoreSettings(plugin="closings", title=N_("Closing of days"), fields=ClosingSettings)
