"""Access control: who may use a route, a tool or a page, and what the protocols of routes see of it."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Protocol

from comanda.basics.errors import Forbidden, Unauthenticated
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Call, CallCounter

# What people read, who have no token.
NO_PERMISSION: Final = "You do not have the permission for this."


@dataclass(frozen=True, slots=True)
class AccessRule:
    """Who may use a route, a tool or a page.

    ``callers`` are codes of caller kinds, none for everybody. A caller needs one of the ``scopes``, if there are any,
    and the owner must be entitled to the ``feature``. What ``is_delegable`` may also be used by callers whose kind
    acts as one of those, such as apps.
    """

    callers: tuple[str, ...]
    scopes: tuple[str, ...] = ()
    feature: str | None = None
    is_delegable: bool = True

    def find_refusal(self, caller: Caller | None) -> Unauthenticated | Forbidden | None:
        """Return why a caller may not use it, or None. The feature is not looked at, as that takes a query."""
        if not self.callers:
            return None
        if caller is None:
            return Unauthenticated()
        if self.scopes and not any(caller.may(scope) for scope in self.scopes):
            return _create_scope_error(caller, self.scopes[0])
        if caller.kind in self.callers or (self.is_delegable and caller.acts_as in self.callers):
            return None
        sentence = "Apps cannot do this on somebody's behalf." if caller.has_token else NO_PERMISSION
        return Forbidden(sentence, extras={"reason": "not_delegable"})


class AccessControl(CallCounter, Protocol):
    """Authenticates callers and counts their calls."""

    async def admit(self, rule: AccessRule, call: Call) -> None:
        """Set ``call.caller``. Raises ``LimitExceeded``, ``Unauthenticated`` or ``Forbidden``."""

    async def admit_unknown(self, call: Call) -> None:
        """Count a call that no route answers against its client's address."""

    async def count(self, call: Call, bucket: str, limit: int | None = None) -> None:
        """Count a call and add its allowance to the headers of the answer. Raises ``LimitExceeded``."""

    async def identify(self, kinds: Collection[str], call: Call, *, in_query: bool = True) -> Caller | None:
        """Return the caller whose token the call carries, or None. Raises ``Forbidden`` for a suspended owner."""


def _create_scope_error(caller: Caller, scope: str) -> Forbidden:
    # Programs that act for somebody learn in a header what to ask for (RFC 6750, section 3).
    challenge = {"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'}
    return Forbidden(
        f"This token lacks the scope {scope}." if caller.has_token else NO_PERMISSION,
        extras={"required": scope},
        headers=challenge if caller.has_token and caller.acts_as is not None else {},
    )
