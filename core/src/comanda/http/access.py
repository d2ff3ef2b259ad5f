"""Who is calling, how often they may, and whether this route is theirs to call: 429, 401, 403, in that order."""

from collections.abc import Collection, Mapping
from typing import Any

from comanda.accounts import callers
from comanda.contracts import client_addresses
from comanda.contracts.callers import Caller, CallerKind
from comanda.contracts.calls import Call
from comanda.contracts.routes import ANY_SCOPE, API_PREFIX, Route
from comanda.errors import Forbidden, Unauthenticated
from comanda.http.limits import Allowance, Limiter

LEAKING_ADDRESS_WARNING = '299 - "The query parameter api_token leaks into logs; send Authorization: Bearer instead."'


class Access:
    """Admits calls to routes."""

    def __init__(
        self, kinds: Mapping[str, CallerKind], limiter: Limiter, requests_per_minute: int, trusted_proxies: int
    ) -> None:
        self._limiter = limiter
        self._requests_per_minute = requests_per_minute
        self._trusted_proxies = trusted_proxies
        self._by_prefix = {kind.prefix: kind for kind in kinds.values()}
        self._headers = {kind.header for kind in kinds.values()}

    async def admit(self, route: Route, call: Call) -> None:
        """Set ``call.caller``, or raise ``LimitExceeded``, ``Unauthenticated`` or ``Forbidden``."""
        try:
            caller = await self.identify(route.callers, call) if route.callers else None
        except Exception:
            # A suspended account, or a database that is away: refused like a call without a token, and counted like it.
            await self.admit_unknown(call)
            raise
        if route.prefix != API_PREFIX and not route.callers:
            return  # health checks and the like are polled, and turning them away would take the process out of service
        await self.count(call, f"token:{caller.token_id}" if caller else f"client:{call.client_network}")
        if not route.callers:
            return
        if caller is None:
            raise Unauthenticated
        call.caller = caller
        if route.scope != ANY_SCOPE and not caller.may(route.scope or ""):
            raise Forbidden(f"This token lacks the scope {route.scope}.", extras={"required": route.scope})

    async def admit_unknown(self, call: Call) -> None:
        """Count a call that no route answers against its client's address."""
        await self.count(call, f"client:{call.client_network}")

    def client_address(self, scope: Any, headers: Mapping[str, str]) -> str:
        """Tell the address of the client, looking past as many proxies as we trust."""
        return client_addresses.client_address(scope, headers, self._trusted_proxies)

    async def count(self, call: Call, bucket: str, limit: int | None = None) -> None:
        """Count a call and tell its allowance in headers; ``limit`` is per minute. Raises ``LimitExceeded``."""
        allowance = await self.hit(bucket, limit or self._requests_per_minute)
        call.extra_headers.update(allowance.headers())

    async def hit(self, bucket: str, limit: int, cost: int = 1) -> Allowance:
        """Count without telling. Raises ``LimitExceeded``, which tells."""
        return await self._limiter.hit(bucket, limit, cost)

    async def identify(self, kinds: Collection[str], call: Call, *, in_query: bool = True) -> Caller | None:
        """Return the caller whose token, of one of these kinds or of one that acts as it, the call carries, or None.

        ``in_query`` takes the token from the query too. Raises ``Forbidden`` for an owner who is suspended.
        """
        token, header = self._credential(call, in_query=in_query)
        kind = self._by_prefix.get(token.partition("_")[0] + "_") if token else None
        if token is None or kind is None or kind.header != header:
            return None
        if kind.code not in kinds and kind.acts_as not in kinds:
            return None
        return await callers.find_caller(token, kind)

    def _credential(self, call: Call, *, in_query: bool) -> tuple[str | None, str]:
        for header in self._headers - {"authorization"}:
            if token := call.headers.get(header):
                return token.strip(), header
        scheme, _, token = call.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and token:
            return token.strip(), "authorization"
        if in_query and "api_token" in call.query_string and (token := call.query.get("api_token", "")):
            call.extra_headers["Warning"] = LEAKING_ADDRESS_WARNING
            return token, "authorization"
        return None, "authorization"
