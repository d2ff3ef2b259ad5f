"""Names of hosts: how they are spelled, and which of them no store can have."""

import re
from typing import Final
from urllib.parse import urlsplit

import idna
from comanda.platform import Settings
from comanda.web import N_

# Leaves room for the label of the record that proves it.
MAX_LENGTH: Final = 230
LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# The last label has letters, so that no IP address is a name, whichever way it is written.
NAME: Final = re.compile(rf"(?:{LABEL}\.)+(?:[a-z]{{2,63}}|xn--[a-z0-9-]{{2,59}})", re.ASCII)
# RFC 6761, 6762, 7686, 8375, 9476 and what networks use for themselves.
PRIVATE_ENDS: Final = frozenset(
    {"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private"}
    | {"invalid", "onion", "arpa", "alt"}
)
# Labels that people take for pages of the operator, or that mail and certificates use.
RESERVED_LABELS: Final = frozenset(
    {
        "www",
        "api",
        "app",
        "admin",
        "account",
        "accounts",
        "auth",
        "billing",
        "dashboard",
        "docs",
        "help",
        "login",
        "mail",
    }
    | {"mcp", "oauth", "orders", "pay", "payments", "secure", "signin", "smtp", "sso", "static", "status", "support"}
    | {"autoconfig", "autodiscover", "wpad", "ns1", "ns2", "mx", "imap", "pop", "ftp"}
)

NOT_A_NAME: Final = N_("Must be a host name, such as pizzeria-roma.com.")
IN_USE: Final = N_("This name is already in use.")
OPERATORS_OWN: Final = N_("This name belongs to the platform.")


def to_host_name(text: str) -> str | None:
    """Return a host name in lower case and ASCII, as browsers send it; None for text that is none."""
    name = text.strip().lower().removesuffix(".")
    try:
        # As browsers do: of names beyond ASCII, those that IDNA 2008 allows.
        name = idna.encode(name, uts46=True).decode() if not name.isascii() else name
        for label in name.split("."):
            if label.startswith("xn--"):
                idna.ulabel(label)
    except (idna.IDNAError, UnicodeError):
        return None
    is_name = len(name) <= MAX_LENGTH and NAME.fullmatch(name) is not None
    return name if is_name and name.rpartition(".")[2] not in PRIVATE_ENDS else None


def is_operators_own(name: str, base_domain: str | None, settings: Settings) -> bool:
    """Return whether a name is the installation's own, or one below the operator's domain that no store can have."""
    hosts = (urlsplit(settings.site_url).hostname, *settings.mcp_allowed_hosts)
    if name in {host.partition(":")[0].lower() for host in hosts if host} | {base_domain}:
        return True
    if base_domain is None or not name.endswith(f".{base_domain}"):
        return False
    label = name.removesuffix(f".{base_domain}")
    return "." in label or label in RESERVED_LABELS or label.startswith(("xn--", "_"))
