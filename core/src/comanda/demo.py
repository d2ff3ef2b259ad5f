"""Demo data: what a newcomer finds in a fresh installation."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from comanda.accounts import services as accounts
from comanda.accounts.kinds import Caller
from comanda.accounts.services import IssuedToken


@dataclass(slots=True)
class Showcase:
    """What the demo steps made so far, handed from one step to the next and printed at the end.

    ``owners`` maps a role (``owner``, ``other_owner``) to an owner's id; ``stores`` are ``{id, slug, store_type}``;
    ``tokens`` and ``logins`` are what a person or a script needs to get in. ``kept`` are tokens of an earlier run by
    role, some of which may be revoked by now, or of another database.
    """

    owners: dict[str, int] = field(default_factory=dict)
    stores: list[dict[str, object]] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)
    logins: dict[str, object] = field(default_factory=dict)
    kept: Mapping[str, str] = field(default_factory=dict)

    def caller(self, role: str = "owner") -> Caller:
        """Return the caller that services take, as an owner of the demo who may do everything."""
        return Caller("owner", 0, self.owners[role], None, None, frozenset({"*"}), None)

    async def token(self, role: str, owner_id: int, issue: Callable[[], Awaitable[IssuedToken]]) -> None:
        """Set the role's token: the one of an earlier run while it is valid, else what ``issue`` makes."""
        kept = self.kept.get(role)
        if kept is None or not await accounts.is_live(kept, owner_id):
            kept = (await issue()).secret
        self.tokens[role] = kept


@dataclass(frozen=True, slots=True)
class DemoData:
    """One step of the demo. ``fill`` finds what it made before and completes it, so it may run again at any time.

    All steps run in one transaction: a demo is there or it is not. With ``needs_stores`` a step comes after all those
    that open stores, whichever plugins bring them.
    """

    name: str
    fill: Callable[[Showcase], Awaitable[None]]
    needs_stores: bool = False
