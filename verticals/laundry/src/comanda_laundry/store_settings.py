"""What an owner decides about a laundry."""

from typing import Final

from comanda.contracts import StoreSettings, StoreSettingsFields, setting
from comanda.web import N_

from comanda_laundry.item_capabilities import GARMENT_CARE
from comanda_laundry.schemas import MAX_READY_DAYS


class LaundrySettings(StoreSettingsFields):
    """When goods are ready."""

    ready_days: int = setting(
        3,
        label=N_("Ready after"),
        help_text=N_("Working days are those on which the store is open. An item can have days of its own."),
        unit=N_("working days"),
        ge=0,
        le=MAX_READY_DAYS,
    )


STORE_SETTINGS: Final = StoreSettings(
    plugin="laundry", title=N_("Laundry"), fields=LaundrySettings, capability=GARMENT_CARE.code
)
