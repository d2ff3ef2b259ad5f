"""The fields of an app that need more than their type: prices, addresses and subscribed events."""

import re
from collections.abc import Mapping, MutableMapping
from decimal import Decimal
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from comanda.basics import ValidationFailed, to_minor
from comanda.platform import runtime
from comanda_webhooks import api as webhooks

from comanda_marketplace.models import Billing

# The host of an embedded page stands in a Content-Security-Policy, whose directives it must not end.
HOST_NAME: Final = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+\.?")
LOOPBACK_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
# A change of any of these sends a listed app back to review.
REVIEWED_FIELDS: Final = frozenset({"scopes", "billing", "price", "period_days", "trial_days"})


async def validate_fields(columns: Mapping[str, Any], currency: str) -> Mapping[str, Any]:
    """Return the columns of an app with normalized addresses and events.

    ``columns`` has ``billing`` and ``price``. Raises ``ValidationFailed`` with all errors.
    """
    found, errors = dict(columns), dict[str, list[str]]()
    if fault := _find_price_fault(Billing(found["billing"]), found["price"], currency):
        errors["price"] = [fault]
    if found.get("embed_url") and (fault := find_embed_fault(found["embed_url"])):
        errors["embed_url"] = [fault]
    for name, url in found.get("links", {}).items():
        if fault := find_url_fault(url):
            errors[f"links.{name}"] = [fault]
    await _validate_webhook(found, errors)
    if errors:
        raise ValidationFailed(errors)
    return found


def find_url_fault(url: str) -> str | None:
    """Return why an address cannot be shown or embedded, or None: it must be public https."""
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        return "Must be an address of printable ASCII characters."
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "Must be an address that begins with https://."
    host = parts.hostname or ""
    if runtime.settings().development and parts.scheme in {"http", "https"} and host in LOOPBACK_HOSTS:
        return None
    if parts.scheme != "https" or not host or "@" in parts.netloc:
        return "Must be an address that begins with https:// and has no user name."
    if not _is_public_name(host) or port == 0:
        return "Must have a public host name."
    return None


def find_embed_fault(url: str) -> str | None:
    """Return why a page cannot be embedded, or None: a page of this host would be as powerful as its own pages."""
    if fault := find_url_fault(url):
        return fault
    is_own = to_origin(url) == to_origin(runtime.settings().site_url)
    return "Must be on another host than this installation." if is_own else None


def to_origin(url: str) -> str:
    """Return the origin of an address, as browsers compare it."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    default = {"https": 443, "http": 80}.get(parts.scheme)
    return f"{parts.scheme}://{host}" + ("" if parts.port in {None, default} else f":{parts.port}")


def _is_public_name(host: str) -> bool:
    try:
        return ip_address(host).is_global
    except ValueError:
        is_local = host.rstrip(".").endswith((".local", ".internal", ".localhost"))
        return HOST_NAME.fullmatch(host) is not None and not is_local


def _find_price_fault(billing: Billing, price: Decimal, currency: str) -> str | None:
    if billing is Billing.FREE:
        return "A free app has no price." if price else None
    if price <= 0:
        return "Must be more than 0."
    if billing is Billing.RECURRING:
        try:
            to_minor(price, currency)
        except ValueError as error:
            return str(error)
    return None


async def _validate_webhook(found: MutableMapping[str, Any], errors: dict[str, list[str]]) -> None:
    if found.get("webhook_url"):
        try:
            found["webhook_url"] = await webhooks.check_url(found["webhook_url"])
        except ValidationFailed as error:
            errors["webhook_url"] = error.errors["url"]
    if found.get("webhook_events"):
        try:
            found["webhook_events"] = webhooks.check_events(found["webhook_events"])
        except ValidationFailed as error:
            errors["webhook_events"] = error.errors["events"]
