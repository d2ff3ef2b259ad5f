"""The name of a new plugin, and the names that follow from it."""

import keyword
import re
from collections.abc import Collection
from dataclasses import dataclass

from comanda import plugin_loader

# Longer ones leave no room for a table's and an index's own name in PostgreSQL's 63 characters.
MAX_LENGTH = 24
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

# Names that Comanda's own plugins have or will have, and words that mean something else beside `comanda_`.
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
    """A name that a plugin cannot have; the message is a sentence that says why and what would do."""


@dataclass(frozen=True, slots=True)
class PluginNames:
    """What a plugin of one name is called everywhere."""

    name: str

    @property
    def package(self) -> str:
        """The importable package, such as ``comanda_flower_shop``."""
        return f"comanda_{self.name}"

    @property
    def slug(self) -> str:
        """The name in addresses, such as ``flower-shop``."""
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
    """Return the names of a new plugin. Raises ``BadName``; ``installed`` are the plugins here unless given."""
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise InvalidPluginName(
            f"{name!r} cannot name a plugin: take lower-case letters and digits, beginning with a letter, with single "
            "underscores between words, such as flower_shop."
        )
    if len(name) > MAX_LENGTH:
        raise InvalidPluginName(f"{name} has {len(name)} characters; a plugin's name may have {MAX_LENGTH}.")
    if name in RESERVED:
        raise InvalidPluginName(f"{name} is a name of Comanda's own; choose another.")
    for other in (point.name for point in plugin_loader.discover()) if installed is None else installed:
        _check_other(name, other)
    return PluginNames(name)


def _check_other(name: str, other: str) -> None:
    if name == other:
        raise InvalidPluginName(f"A plugin {name} is installed here; choose another name.")
    longer, shorter = (name, other) if len(name) > len(other) else (other, name)
    if longer.startswith(f"{shorter}_"):
        raise InvalidPluginName(
            f"The tables of {longer} would begin with {shorter}_, as those of {shorter} do, and {other} is installed "
            "here; choose another name."
        )
