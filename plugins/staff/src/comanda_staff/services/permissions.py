"""What each role lets people do, and what one member may do in the end."""

from collections.abc import Iterable, Mapping
from typing import Final

from comanda_staff.api import Permission
from comanda_staff.models import Member, Role

OF_ROLE: Final[Mapping[Role, frozenset[Permission]]] = {
    Role.MANAGER: frozenset(Permission),
    Role.CASHIER: frozenset({Permission.ORDERS, Permission.CUSTOMERS, Permission.COUPONS}),
    Role.KITCHEN: frozenset({Permission.KDS}),
    Role.WAITER: frozenset({Permission.ORDERS}),
}

# The scope of owner routes that reaches what a permission reaches on staff routes. Payments, refunds, coupons and
# kitchen tickets are ``orders:write`` for owners too.
SCOPE_OF_PERMISSION: Final[Mapping[Permission, str]] = {
    Permission.ORDERS: "orders:write",
    Permission.MENU_EDIT: "menu:write",
    Permission.COUPONS: "orders:write",
    Permission.ANALYTICS: "analytics:read",
    Permission.KDS: "orders:write",
    Permission.CUSTOMERS: "customers:write",
}


def effective(role: Role, grants: Iterable[str], denials: Iterable[str]) -> list[str]:
    """List what holds: the role's permissions and the grants, without the denials; always in one order."""
    allowed = (OF_ROLE[role] | set(grants)) - set(denials)
    return [permission.value for permission in Permission if permission in allowed]


def of_member(member: Member) -> list[str]:
    """List what a member may do, which are the scopes of their tokens."""
    return effective(Role(member.role), member.grants, member.denials)


def scopes_of(permissions: Iterable[str]) -> list[str]:
    """Return the scopes of owner routes that these permissions amount to."""
    return list(dict.fromkeys(SCOPE_OF_PERMISSION[Permission(permission)] for permission in permissions))
