"""The dashboard as plugins extend it: entries of its navigation, and panels on its pages."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from comanda.contracts.requests.callers import Caller

PREFIX: Final = "/dashboard"
# The groups of the navigation in their order, by audience; an entry of another group stops the startup.
GROUPS: Final = (
    "today",
    "orders",
    "menu",
    "selling",
    "people",
    "reports",
    "channels",
    "settings",
    "account",
    "developer",
    "reseller",
    "administration",
)
PANEL_PLACES: Final = ("today", "order", "receipt", "item", "customer", "store", "owner")
STORE_PARAMETER: Final = "{store_id}"


class Audience(StrEnum):
    """The people that a page of the dashboard is for. Staff are owners with fewer scopes, and one store."""

    OWNER = "owner"
    DEVELOPER = "developer"
    RESELLER = "reseller"
    ADMINISTRATOR = "administrator"


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """A link in the navigation of the dashboard.

    ``label`` is English and marked with ``N_``; ``path`` is below ``/dashboard`` and may contain ``{store_id}``, which
    becomes the store that is open. The entry is shown to people of the ``audience`` who hold ``scope``; one of a store
    only for ``store_types``, stores with the ``capability``, and those with one of the ``modes`` of fulfillment.
    ``icon`` names one of the design system.
    An entry that concerns few, such as resellers, has ``is_for``: a function of the caller that reads nothing, or a
    query of the plugin's tables in which ``$1`` is the caller's owner; it is shown if that finds a row.
    Entries of a group are sorted by ``position``.
    """

    label: str
    path: str
    group: str
    scope: str | None = None
    icon: str = "dot"
    position: int = 50
    store_types: tuple[str, ...] | None = None
    capability: str | None = None
    modes: tuple[str, ...] | None = None
    is_for: Callable[[Caller], bool] | str | None = None
    audience: Audience = Audience.OWNER

    @property
    def is_of_store(self) -> bool:
        """Whether the path leads to a store's page."""
        return STORE_PARAMETER in self.path


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a page of the dashboard that a plugin fills, such as what it knows of an order.

    ``load(visit, subject_id)`` returns HTML made with ``visit.render_fragment``, or None to show nothing; the subject
    is the order (also of a receipt), the item, the customer, the store, or the owner whom administrators look at.
    ``title`` is English and marked with ``N_``. A panel that raises is left out and logged with the plugin's name.
    One that mostly has nothing to show has ``is_for``, a query in which ``$1`` is the caller's owner and ``$2`` the
    subject, and is loaded if that finds a row: one statement asks for all panels of a page.
    Panels of a place are sorted by ``position``.
    """

    name: str
    place: str
    title: str
    load: Callable[[Any, int], Awaitable[str | None]]
    scope: str | None = None
    position: int = 50
    is_for: str | None = None
