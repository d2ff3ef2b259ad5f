"""The name of a new plugin and the names derived from it."""

import keyword
import re
from collections.abc import Collection
from dataclasses import dataclass

from comanda.composition import plugin_loader

# Longer names leave too little of the 63 characters that PostgreSQL allows for tables and indexes.
MAX_LENGTH = 24
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

# Names of Comanda's own plugins, existing or planned, and words with another meaning after `comanda_`.
RESERVED = frozenset(
    {
        "admin", "analytics", "api", "app", "carparts", "catalog", "clothing", "collection", "comanda", "core",
        "cosmetic", "coupons", "customer", "customers", "dashboard", "dev", "drawer", "drivers", "entitlements",
        "goods", "hotel", "kds", "laundry", "marketplace", "mcp", "mcp_admin", "mcp_catalog", "mcp_customer",
        "mcp_dev", "mcp_storefront", "migrations", "mobile", "notifications", "oauth", "payments", "pharmacy",
        "plugins", "reseller", "reservations", "restaurant", "retail", "shipping", "staff", "storefront", "testing",
        "webhooks",
    }
)  # fmt: skip


class InvalidPluginName(Exception):
    """The name cannot be used for a plugin; the message says why and what is allowed."""


@dataclass(frozen=True, slots=True)
class PluginNames:
    """The names derived from the name of a plugin."""

    name: str

    @property
    def package(self) -> str:
        """The importable package, such as ``comanda_flower_shop``."""
        return f"comanda_{self.name}"

    @property
    def slug(self) -> str:
        """The name in URLs, such as ``flower-shop``."""
        return self.name.replace("_", "-")

    @property
    def distribution(self) -> str:
        """The name of the wheel, such as ``comanda-flower-shop``."""
        return f"comanda-{self.slug}"

    @property
    def title(self) -> str:
        """The name for people, such as ``Flower shop``."""
        return self.name.replace("_", " ").capitalize()


def create_names(name: str, installed: Collection[str] | None = None) -> PluginNames:
    """Create the names of a new plugin. Raises ``InvalidPluginName``.

    ``installed`` are the names of existing plugins, by default those of this environment.
    """
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise InvalidPluginName(
            f"{name!r} is not a valid plugin name: use lower-case letters and digits, starting with a letter, and "
            "single underscores between words, such as flower_shop."
        )
    if len(name) > MAX_LENGTH:
        raise InvalidPluginName(f"{name} has {len(name)} characters; the maximum is {MAX_LENGTH}.")
    if name in RESERVED:
        raise InvalidPluginName(f"{name} is reserved by Comanda; choose another name.")
    for other in (point.name for point in plugin_loader.discover()) if installed is None else installed:
        _check_other(name, other)
    return PluginNames(name)


def _check_other(name: str, other: str) -> None:
    if name == other:
        raise InvalidPluginName(f"A plugin {name} is already installed; choose another name.")
    longer, shorter = (name, other) if len(name) > len(other) else (other, name)
    if longer.startswith(f"{shorter}_"):
        raise InvalidPluginName(
            f"The tables of {longer} would start with {shorter}_, like those of {shorter}, and {other} is installed; "
            "choose another name."
        )
