"""The scopes that programs may ask owners and customers for, and their names in the OAuth registry."""

from collections.abc import Collection, Iterable
from typing import Final

from comanda.contracts import ALIASES, Scope, common_scopes, is_granted, normalize_scopes
from comanda.web import N_
from comanda_customers import api as customers

KINDS: Final = ("app",)
USE_MCP: Final = "mcp:use"

APP_SCOPES: Final = (
    Scope("menu:read", N_("Read menus, categories and items"), KINDS),
    Scope("menu:write", N_("Create and update menu items"), KINDS),
    Scope("orders:read", N_("Read orders and their status"), KINDS),
    Scope("orders:write", N_("Create and update orders"), KINDS),
    Scope("analytics:read", N_("Read scan and sales analytics"), KINDS),
    Scope("restaurants:read", N_("Read restaurant profile and settings"), KINDS),
    Scope(USE_MCP, N_("Let AI agents use the tools of the MCP server"), KINDS),
)
ASSISTANT_SCOPES: Final = tuple(Scope(name, label, ("assistant",)) for name, label in customers.SCOPE_LABELS.items())
LABELS: Final = {scope.name: scope.label for scope in APP_SCOPES}
CUSTOMER_LABELS: Final = {scope.name: scope.label for scope in ASSISTANT_SCOPES}
# Of owners and of customers.
NAMES: Final = (*LABELS, *CUSTOMER_LABELS)
# The registry spells one scope in the singular.
_REGISTERED: Final = {"restaurants:read": "restaurant:read"}
REGISTRY: Final = tuple(_REGISTERED.get(name, name) for name in LABELS)


def normalize(requested: Collection[str], known: Collection[str] = NAMES) -> tuple[str, ...]:
    """Return scopes as tokens carry them, without repeats. Raises ``ValueError`` for one that is not ``known``."""
    return tuple(normalize_scopes(requested, known))


def to_wire(scopes: Iterable[str]) -> str:
    """Return scopes as clients see them: in the spelling and order of the registry, separated by spaces."""
    return " ".join(_REGISTERED.get(scope, scope) for scope in sorted(scopes, key=NAMES.index))


def parse(text: str) -> list[str]:
    """Return the scopes of a request, as tokens carry them; unknown ones stay as they are."""
    return list(dict.fromkeys(ALIASES.get(scope, scope) for scope in text.split()))


def includes(held: Collection[str], wanted: Iterable[str]) -> bool:
    """Return whether all wanted scopes are known and included in those held."""
    return all(scope in NAMES and is_granted(held, scope) for scope in wanted)


def intersect(one: Collection[str], other: Collection[str]) -> tuple[str, ...]:
    """Return the scopes that both sets grant."""
    return tuple(common_scopes(one, other, NAMES))
