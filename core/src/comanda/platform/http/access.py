"""Authentication, rate limits and authorization of calls: 429, 401, 403, in that order."""

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from typing import Any

from comanda.basics.errors import NotFound
from comanda.contracts.requests import client_addresses
from comanda.contracts.requests.access import AccessRule
from comanda.contracts.requests.callers import Caller, CallerKind
from comanda.contracts.requests.calls import Call
from comanda.contracts.requests.routes import API_PREFIX, Route
from comanda.platform.entitlements import require_feature_of
from comanda.platform.http.rate_limits import Allowance, RateLimiter

QUERY_CREDENTIAL_WARNING = '299 - "The query parameter api_token leaks into logs; send Authorization: Bearer instead."'


FindCaller = Callable[[str, CallerKind], Awaitable[Caller | None]]


class Access:
    """Access control of routes. ``find_caller`` returns the caller that a token of a kind belongs to, or None."""

    def __init__(
        self,
        kinds: Mapping[str, CallerKind],
        find_caller: FindCaller,
        limiter: RateLimiter,
        requests_per_minute: int,
        trusted_proxies: int,
    ) -> None:
        self._find_caller = find_caller
        self._limiter = limiter
        self._requests_per_minute = requests_per_minute
        self._trusted_proxies = trusted_proxies
        self._kinds = kinds
        self._by_prefix = {kind.prefix: kind for kind in kinds.values()}
        self._token_headers = {kind.header for kind in kinds.values()} - {"authorization"}

    async def admit(self, rule: AccessRule, call: Call) -> None:
        """Set ``call.caller``, or raise ``LimitExceeded``, ``Unauthenticated`` or ``Forbidden``."""
        try:
            caller = await self.identify(rule.callers, call) if rule.callers else None
        except Exception:
            # A suspended account or an unavailable database: count it like a call without a token.
            await self.admit_unknown(call)
            raise
        if not rule.callers and not f"{call.path}/".startswith(f"{API_PREFIX}/"):
            return  # rejecting health checks would take the process out of service
        await self.count(call, caller.limit_bucket if caller else f"client:{call.client_network}")
        call.caller = caller
        await authorize(rule, caller)

    async def admit_unknown(self, call: Call) -> None:
        """Count a call that matches no route against the address of its client."""
        await self.count(call, f"client:{call.client_network}")

    def client_address(self, scope: Any, headers: Mapping[str, str]) -> str:
        """Return the address of the client, behind the trusted proxies."""
        return client_addresses.client_address(scope, headers, self._trusted_proxies)

    async def count(self, call: Call, bucket: str, limit: int | None = None) -> None:
        """Count a call and set its rate limit headers; ``limit`` is per minute. Raises ``LimitExceeded``."""
        allowance = await self.hit(bucket, limit or self._requests_per_minute, is_exact=False)
        call.extra_headers.update(allowance.headers())

    async def hit(self, bucket: str, limit: int, cost: int = 1, *, is_exact: bool = True) -> Allowance:
        """Count without setting headers. Raises ``LimitExceeded``, which carries them."""
        return await self._limiter.hit(bucket, limit, cost, is_exact=is_exact)

    async def identify(self, kinds: Collection[str], call: Call, *, in_query: bool = True) -> Caller | None:
        """Return the caller of one of these kinds, or of a kind that acts as one of them, or None.

        ``in_query`` accepts a token in the query as well. Raises ``Forbidden`` for a suspended owner.
        """
        for token, header in self._list_credentials(call, in_query=in_query):
            kind = self._by_prefix.get(token.partition("_")[0] + "_")
            # Programs send all the tokens that they have; the one that the route takes counts.
            if kind is None or kind.header != header or not (kind.code in kinds or kind.acts_as in kinds):
                continue
            caller = await self._find_caller(token, kind)
            if caller is not None:
                await self.check_standing(caller, call.path)
            return caller
        return None

    async def check_standing(self, caller: Caller, path: str) -> None:
        """Run the check of the caller's kind. Raises what refuses the caller, such as one for a suspended app."""
        kind = self._kinds.get(caller.kind)
        if kind is not None and kind.check is not None:
            await kind.check(caller, path)

    def _list_credentials(self, call: Call, *, in_query: bool) -> Iterator[tuple[str, str]]:
        """Yield the tokens of a call with their headers; one in the query counts if no header has any."""
        found = False
        for header in self._token_headers:
            if token := call.headers.get(header):
                found = True
                yield token.strip(), header
        scheme, _, token = call.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and token:
            found = True
            yield token.strip(), "authorization"
        if in_query and not found and "api_token" in call.query_string and (token := call.query.get("api_token", "")):
            call.extra_headers["Warning"] = QUERY_CREDENTIAL_WARNING
            yield token, "authorization"


async def authorize(rule: AccessRule, caller: Caller | None) -> None:
    """Check that a caller may use what a rule guards. Raises ``Unauthenticated`` or ``Forbidden``."""
    if refusal := rule.find_refusal(caller):
        raise refusal
    if caller is not None and rule.feature is not None:
        await require_feature_of(caller, rule.feature)


def check_store(route: Route, path: Mapping[str, str], caller: Caller | None) -> None:
    """Check that a token of one store stays in it. Services check it too; here no route can leave it out."""
    if caller is None or caller.acts_as is None or caller.store_id is None:
        return
    if route.is_of_store and path["id"] != str(caller.store_id):
        raise NotFound
