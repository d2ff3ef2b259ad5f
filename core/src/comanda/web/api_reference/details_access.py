"""Who may see an installation from inside: its metrics, and what stands behind its readiness."""

import hmac
from ipaddress import ip_address
from urllib.parse import urlsplit

from comanda.contracts.requests.calls import Call
from comanda.platform import runtime
from comanda.platform.settings import Settings

# What proxies say that they are: with one of these the client is elsewhere, whatever the connection's address is.
FORWARDING_HEADERS = frozenset(
    {"forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"}
)


def may_see_details(call: Call) -> bool:
    """Return whether a call has the token of ``COMANDA_METRICS_TOKEN``, or is local where no token is set."""
    settings = runtime.settings()
    if settings.metrics_token is None:
        return _is_local(call, settings)
    scheme, _, given = call.headers.get("authorization", "").partition(" ")
    expected = settings.metrics_token.get_secret_value().encode()
    return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode("utf-8", "surrogatepass"), expected)


def _is_local(call: Call, settings: Settings) -> bool:
    """Return whether a call comes from this machine and through no proxy, as far as anything tells."""
    if settings.trusted_proxies or FORWARDING_HEADERS & call.headers.keys():
        return False
    if settings.public_url and not _is_loopback(urlsplit(settings.public_url).hostname or ""):
        return False  # the public comes through something that may not name itself
    return _is_loopback(call.client)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
