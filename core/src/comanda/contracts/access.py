"""Access control as the protocols of routes see it."""

from collections.abc import Collection
from typing import Protocol

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Call, CallCounter


class AccessRule(Protocol):
    """Who may call a route: codes of caller kinds, none for a public route, and the scope that their token needs."""

    @property
    def callers(self) -> tuple[str, ...]:
        """The caller kinds."""

    @property
    def scope(self) -> str | None:
        """The scope."""

    @property
    def feature(self) -> str | None:
        """The feature to which the owner must be entitled."""

    @property
    def is_delegable(self) -> bool:
        """Whether callers may use it whose kind acts as one of those, such as apps."""

    @property
    def prefix(self) -> str:
        """What the path begins with, such as ``/api/v1``."""


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
