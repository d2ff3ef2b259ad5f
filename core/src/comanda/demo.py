"""Demo data: what a newcomer finds in a fresh installation."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Showcase:
    """What the demo steps made so far, handed from one step to the next and printed at the end.

    ``owners`` maps a role (``owner``, ``other_owner``) to an owner's id; ``stores`` are ``{id, slug, store_type}``;
    ``tokens`` and ``logins`` are what a person or a script needs to get in.
    """

    owners: dict[str, int] = field(default_factory=dict)
    stores: list[dict[str, object]] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)
    logins: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DemoData:
    """One step of the demo. ``fill`` finds what it made before and completes it, so it may run again at any time."""

    name: str
    fill: Callable[[Showcase], Awaitable[None]]
