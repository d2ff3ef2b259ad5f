"""Permissions by role, and the effective permissions of a member."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from comanda_staff.models import Member, Permission, Role

PERMISSIONS_BY_ROLE: Final[Mapping[Role, frozenset[Permission]]] = {
    Role.MANAGER: frozenset(Permission),
    Role.CASHIER: frozenset({Permission.ORDERS, Permission.CUSTOMERS, Permission.COUPONS}),
    Role.KITCHEN: frozenset({Permission.KDS}),
    Role.WAITER: frozenset({Permission.ORDERS}),
}

# The owner scope that covers what a permission allows on staff routes. Payments, refunds, coupons and kitchen tickets
# are covered by ``orders:write``; who sees reports may also close days, together with ``coupons``.
SCOPE_BY_PERMISSION: Final[Mapping[Permission, str]] = {
    Permission.ORDERS: "orders:write",
    Permission.MENU_EDIT: "menu:write",
    Permission.COUPONS: "orders:write",
    Permission.ANALYTICS: "analytics:write",
    Permission.KDS: "orders:write",
    Permission.CUSTOMERS: "customers:write",
}


def get_effective_permissions(role: Role, grants: Iterable[str], denials: Iterable[str]) -> list[Permission]:
    """Return the role's permissions and the grants, without the denials, in the order of ``Permission``."""
    allowed = (PERMISSIONS_BY_ROLE[role] | set(grants)) - set(denials)
    return [permission for permission in Permission if permission in allowed]


def list_permissions(member: Member) -> list[Permission]:
    """List a member's effective permissions, which are the scopes of their tokens."""
    return get_effective_permissions(Role(member.role), member.grants, member.denials)


def list_scopes(permissions: Iterable[str]) -> list[str]:
    """List the owner scopes that these permissions correspond to."""
    return list(dict.fromkeys(SCOPE_BY_PERMISSION[Permission(permission)] for permission in permissions))


def list_page_scopes(permissions: Collection[str]) -> list[str]:
    """List the owner scopes with which a member of these permissions uses the dashboard.

    They change no more than staff routes do, other than ``list_scopes``, which lists what covers all of it. So
    ``orders:write``, which includes refunds and discounts, needs the permission for those as well, the kitchen display
    alone shows no orders with the names of guests, and customers can be seen, not changed. ``orders:read`` also shows
    what belongs to orders, such as coupons and shifts of the drawer. ``analytics:write`` closes days, as staff do who
    may see reports and give refunds.
    """
    held = {Permission(permission) for permission in permissions if permission in set(Permission)}
    found = []
    if Permission.ORDERS in held:
        found.append("orders:write" if Permission.COUPONS in held else "orders:read")
    if Permission.MENU_EDIT in held:
        found.append("menu:write")
    if Permission.ANALYTICS in held:
        found.append("analytics:write" if Permission.COUPONS in held else "analytics:read")
    if Permission.CUSTOMERS in held:
        found.append("customers:read")
    return found
