"""Demo data: the steps that fill a fresh installation."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from comanda.contracts.requests.callers import Caller


@dataclass(frozen=True, slots=True)
class DemoStore:
    """A store of the demo. ``settings`` are those of ``PUT /restaurants/{id}/settings``."""

    store_type: str
    title: str
    slug: str
    settings: Mapping[str, Any]
    currency: str = "EUR"
    timezone: str = "Europe/Lisbon"


class DemoToken(Protocol):
    """A token that was just issued."""

    @property
    def secret(self) -> str:
        """The token as clients send it."""


class Showcase(Protocol):
    """What the demo steps created so far, passed from one step to the next and printed at the end.

    ``owners`` maps a role (``owner``, ``other_owner``) to an owner's id; ``stores`` are ``{id, slug, store_type}``, and
    ``page``, a path, where a plugin shows them to the public; ``tokens`` and ``logins`` are what a person or a script
    needs to get in, and ``details`` further entries of ``comanda demo --json``, by name. ``kept`` are tokens of an
    earlier run by role, some of which may have been revoked since, or belong to another database.
    """

    owners: dict[str, int]
    stores: list[dict[str, object]]
    tokens: dict[str, str]
    logins: dict[str, object]
    details: dict[str, object]
    kept: Mapping[str, str]

    def caller(self, role: str = "owner") -> Caller:
        """Return the caller that services take: an owner of the demo with every scope."""

    async def open(self, store: DemoStore, furnish: Callable[[Caller, int], Awaitable[None]]) -> None:
        """Open a store of the demo's owner once and fill it with ``furnish``; later runs leave it as it is."""

    async def token(self, role: str, owner_id: int, issue: Callable[[], Awaitable[DemoToken]]) -> None:
        """Set the role's token: that of an earlier run while it is valid, else a new one from ``issue``."""


@dataclass(frozen=True, slots=True)
class DemoData:
    """One step of the demo. ``fill`` may run again at any time: it makes each thing once, with ``create_once``.

    All steps run in one transaction: a demo is there or it is not. With ``needs_stores`` a step comes after all those
    that open stores, whichever plugins bring them. ``list_people`` takes the id of the demo's owner and returns who of
    the people that the step made can get in now, such as ``manager marta@demo.example``; it only reads.
    """

    name: str
    fill: Callable[[Showcase], Awaitable[None]]
    needs_stores: bool = False
    list_logins: Callable[[int], Awaitable[Sequence[str]]] | None = None
