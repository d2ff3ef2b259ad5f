"""How a store's kitchen works: how many bumps an item takes, and when courses are fired by themselves."""

from typing import Annotated, Final

from comanda.contracts import Count, StoreSettings, StoreSettingsFields, setting
from comanda.web import N_
from pydantic import Field

from comanda_kds.schemas import Bumps
from comanda_kds.services.order_lines import CAPABILITY

MAX_COURSE_MINUTES: Final = 240


class KitchenWorkflow(StoreSettingsFields):
    """How a kitchen works."""

    bumps: Bumps = setting(
        3,
        label=N_("Bumps of an item"),
        help_text=N_("1: to do, ready. 2: to do, cooking, ready. 3: the kitchen also marks what is served."),
    )
    next_course_minutes: Annotated[Count, Field(le=MAX_COURSE_MINUTES)] | None = setting(
        None,
        label=N_("Fire the next course"),
        help_text=N_("So many minutes after the course before it is ready. Leave it empty to fire courses by hand."),
        unit="min",
    )


STORE_SETTINGS: Final = StoreSettings(plugin="kds", title=N_("Kitchen"), fields=KitchenWorkflow, capability=CAPABILITY)
