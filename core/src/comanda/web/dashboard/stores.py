"""The stores of the person who is signed in, as the dashboard's frame shows them."""

from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from comanda.contracts.requests.callers import Caller
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.stores.business_days import format_time_of_day
from comanda.web.languages.translations import gettext as _

# One who has more finds the others in the list of stores.
MAX_STORES: Final = 100

STORE_COLUMNS: Final = (
    "id",
    "title",
    "slug",
    "store_type",
    "currency",
    "timezone",
    "country",
    "is_published",
    "day_start_minutes",
)
SELECT_STORES: Final = f"""
    SELECT {", ".join(STORE_COLUMNS)}, menu_version FROM core_store
    WHERE owner_id = $1 AND ($2::bigint IS NULL OR id = $2) AND ($3::bigint IS NULL OR id = $3)
    ORDER BY title, id LIMIT $4
"""


@dataclass(frozen=True, slots=True)
class DashboardStore:
    """A store that a person may open."""

    id: int
    title: str
    slug: str
    store_type: str
    currency: str
    timezone: str
    country: str | None
    is_published: bool
    day_start_minutes: int
    row: sql.Row

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the store's days and hours."""
        return ZoneInfo(self.timezone)

    @property
    def day_start(self) -> str:
        """The time at which its business days begin, as in its settings."""
        return format_time_of_day(self.day_start_minutes)

    @property
    def capabilities(self) -> frozenset[str]:
        """What stores of this type have; nothing if the plugin of the type is not installed."""
        vertical = runtime.registry().verticals.get(self.store_type)
        return frozenset() if vertical is None else frozenset(vertical.capabilities)

    @property
    def modes(self) -> frozenset[str]:
        """The ways in which orders of this type of store reach their customers."""
        vertical = runtime.registry().verticals.get(self.store_type)
        return frozenset() if vertical is None else frozenset(vertical.fulfillment_modes)

    def list_modes(self) -> list[tuple[str, str]]:
        """List the installed ones among ``modes`` by code, with their labels."""
        known = runtime.registry().fulfillment_modes
        return [(code, _(known[code].label)) for code in sorted(self.modes) if code in known]

    @property
    def url(self) -> str:
        """The address of the store's public page."""
        return runtime.registry().store_url(runtime.settings().site_url, self.slug)


async def list_stores(caller: Caller, store_id: int | None = None) -> list[DashboardStore]:
    """List the stores of the caller by title, or the one with this id."""
    rows = await sql.fetch(SELECT_STORES, caller.owner_id, caller.store_id, store_id, MAX_STORES)
    return [DashboardStore(**{name: row[name] for name in STORE_COLUMNS}, row=row) for row in rows]
