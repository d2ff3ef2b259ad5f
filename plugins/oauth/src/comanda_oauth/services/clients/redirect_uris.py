"""Redirect addresses: which a client may register, and which registered one a request names.

Sources: RFC 9700 section 4.1 (exact comparison), RFC 8252 sections 7 and 8 (native apps).
"""

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

from comanda.basics import ValidationFailed

MAX_REDIRECT_URIS: Final = 20
MAX_LENGTH: Final = 2048
LOOPBACK_HOSTS: Final = frozenset({"127.0.0.1", "::1", "localhost"})
# The host stands in the policy of the consent page, whose directives it must not end.
HOST: Final = re.compile(r"[a-z0-9.-]+|[0-9a-f:.]+")
# A scheme of an app's own is a domain name in reverse, so that no two apps have the same.
PRIVATE_SCHEME: Final = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")
# Printable ASCII without those characters that parsers disagree about.
CLEAN: Final = re.compile(r"[!#$%&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~]+")


def normalize_redirect_uris(uris: tuple[str, ...], *, is_public: bool) -> list[str]:
    """Return the addresses that a client registers. Raises ``ValidationFailed`` on ``redirect_uris``."""
    if not uris:
        raise ValidationFailed(redirect_uris=["Must contain at least 1 address."])
    if len(uris) > MAX_REDIRECT_URIS:
        raise ValidationFailed(redirect_uris=[f"Must contain at most {MAX_REDIRECT_URIS} addresses."])
    problems = [f"{uri[:200]}: {fault}" for uri in uris if (fault := _find_fault(uri, is_public=is_public))]
    if problems:
        raise ValidationFailed(redirect_uris=problems)
    return list(dict.fromkeys(uris))


def matches(requested: str, registered: str) -> bool:
    """Return whether a requested address matches the registered one exactly.

    The port of a loopback address may differ, because native apps listen on any free one.
    """
    if requested == registered:
        return True
    if not CLEAN.fullmatch(requested):
        return False
    one, other = _split(requested), _split(registered)
    if one is None or other is None or not (_is_loopback(one) and _is_loopback(other)):
        return False
    return _without_port(one) == _without_port(other)


def _find_fault(uri: str, *, is_public: bool) -> str | None:
    if len(uri) > MAX_LENGTH or not CLEAN.fullmatch(uri):
        return f"must be an absolute address of at most {MAX_LENGTH} printable ASCII characters."
    parts = _split(uri)
    if parts is None or "#" in uri or "@" in parts.netloc or "*" in parts.netloc:
        return "must be an absolute address without a fragment, a user name or a wildcard."
    if parts.scheme == "https":
        return None if HOST.fullmatch(parts.hostname or "") else "must have a host."
    if parts.scheme == "http":
        return None if parts.hostname in LOOPBACK_HOSTS else "must begin with https://."
    if is_public and PRIVATE_SCHEME.fullmatch(parts.scheme) and not parts.netloc and parts.path.startswith("/"):
        return None
    return (
        "must begin with https://, or, for an app on a device, with http:// and a loopback address or its own scheme."
    )


def _split(uri: str) -> SplitResult | None:
    try:
        parts = urlsplit(uri)
        # Reading the port raises ``ValueError`` for one that is no number.
        return parts if parts.scheme and (parts.port is None or parts.port > 0) else None
    except ValueError:
        return None


def _is_loopback(parts: SplitResult) -> bool:
    return parts.scheme == "http" and parts.hostname in LOOPBACK_HOSTS and "@" not in parts.netloc


def _without_port(parts: SplitResult) -> tuple[str | None, str, str, str]:
    return parts.hostname, parts.path, parts.query, parts.fragment
