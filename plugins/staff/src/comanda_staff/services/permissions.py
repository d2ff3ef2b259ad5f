"""Permissions by role, and the effective permissions of a member."""

from collections.abc import Iterable, Mapping
from typing import Final

from comanda_staff.api import Permission
from comanda_staff.models import Member, Role

PERMISSIONS_BY_ROLE: Final[Mapping[Role, frozenset[Permission]]] = {
    Role.MANAGER: frozenset(Permission),
    Role.CASHIER: frozenset({Permission.ORDERS, Permission.CUSTOMERS, Permission.COUPONS}),
    Role.KITCHEN: frozenset({Permission.KDS}),
    Role.WAITER: frozenset({Permission.ORDERS}),
}

# The owner scope that covers what a permission allows on staff routes. Payments, refunds, coupons and kitchen tickets
# are covered by ``orders:write``.
SCOPE_BY_PERMISSION: Final[Mapping[Permission, str]] = {
    Permission.ORDERS: "orders:write",
    Permission.MENU_EDIT: "menu:write",
    Permission.COUPONS: "orders:write",
    Permission.ANALYTICS: "analytics:read",
    Permission.KDS: "orders:write",
    Permission.CUSTOMERS: "customers:write",
}


def get_effective_permissions(role: Role, grants: Iterable[str], denials: Iterable[str]) -> list[str]:
    """Return the role's permissions and the grants, without the denials, in the order of ``Permission``."""
    allowed = (PERMISSIONS_BY_ROLE[role] | set(grants)) - set(denials)
    return [permission.value for permission in Permission if permission in allowed]


def list_permissions(member: Member) -> list[str]:
    """List a member's effective permissions, which are the scopes of their tokens."""
    return get_effective_permissions(Role(member.role), member.grants, member.denials)


def list_scopes(permissions: Iterable[str]) -> list[str]:
    """List the owner scopes that these permissions correspond to."""
    return list(dict.fromkeys(SCOPE_BY_PERMISSION[Permission(permission)] for permission in permissions))
