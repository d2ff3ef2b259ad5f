"""Store settings of shopping agents: whether they find the store, and whether they may place its orders."""

from typing import Final

from comanda.contracts import StoreSettings, StoreSettingsFields, setting
from comanda.web import N_


class UcpSettings(StoreSettingsFields):
    """What shopping agents can do in a store."""

    is_offered: bool = setting(
        False,
        label=N_("Shopping agents"),
        help_text=N_("Assistants that speak the Universal Commerce Protocol can read the menu and fill carts."),
    )
    places_orders: bool = setting(
        True,
        label=N_("Agents place orders"),
        help_text=N_("Only orders that guests fetch and pay at the store. Otherwise guests order on the store's page."),
    )


STORE_SETTINGS: Final = StoreSettings(plugin="ucp", title=N_("Shopping agents"), fields=UcpSettings)
