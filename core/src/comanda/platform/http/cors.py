"""Which browsers' pages may read our answers."""

from dataclasses import dataclass

from comanda.contracts.requests.calls import Call
from comanda.contracts.requests.routes import Route
from comanda.platform.http.rest import get_protocol

EXPOSED = (
    "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, "
    "Retry-After, ETag, Allow, Warning, Idempotent-Replayed, Idempotency-Mismatch"
)
# Of a response that any page may read, since it says nothing of anybody.
READABLE = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED}
ALLOWED = ("Content-Type", "Idempotency-Key")
ALSO_ALLOWED = (
    *("X-Request-Id", "If-None-Match", "MCP-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name"),
    *("Last-Event-ID", "traceparent", "tracestate", "baggage"),
)


@dataclass(frozen=True, slots=True)
class Policy:
    """Any origin may call routes that say so, unless their protocol refuses it; the others only ``origins``.

    Cookies are never part of it. ``token_headers`` are the headers that carry tokens, such as ``authorization``.
    """

    origins: frozenset[str]
    token_headers: frozenset[str] = frozenset({"authorization"})

    def headers(self, call: Call, route: Route | None) -> dict[str, str]:
        """Headers that let the calling page read this answer, or none."""
        origin = call.headers["origin"]
        if route is not None and route.cors and get_protocol(route).allows_origin(origin):
            return READABLE.copy()
        if origin in self.origins:
            return {"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": EXPOSED, "Vary": "Origin"}
        return {}

    @property
    def allowed_headers(self) -> list[str]:
        """The request headers that pages may send."""
        tokens = sorted(header.title() for header in self.token_headers - {"authorization"})
        return ["Authorization", *ALLOWED, *tokens, *ALSO_ALLOWED]

    def preflight(self, call: Call, route: Route | None, methods: str) -> dict[str, str]:
        """Headers of the answer to a preflight."""
        allowed = self.headers(call, route) if "origin" in call.headers else {}
        if not allowed:
            return {"Allow": methods}
        return {
            **allowed,
            "Access-Control-Allow-Methods": methods,
            "Access-Control-Allow-Headers": ", ".join(self.allowed_headers),
            "Access-Control-Max-Age": "600",
        }
