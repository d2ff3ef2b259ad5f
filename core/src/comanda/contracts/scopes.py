"""Scopes: ``resource:action``, and the three coarse ones."""

from collections.abc import Collection

RESOURCES = ("restaurants", "menu", "orders", "customers", "analytics", "drivers", "webhooks")
ACTIONS = ("read", "write")
COARSE = ("*", "read", "write")

# The OAuth registry spells one resource in the singular; the coarse scopes may be written as what they mean.
ALIASES = {"restaurant:read": "restaurants:read", "*:read": "read", "*:write": "write"}


def is_granted(held: Collection[str], needed: str) -> bool:
    """Return whether a token with the scopes ``held`` may do what needs ``needed``.

    ``*`` grants everything, ``write`` every write and every read, ``read`` every read, ``x:write`` its own ``x:read``.
    """
    if needed in held or "*" in held or "write" in held:
        return True
    resource, _, action = needed.partition(":")
    return action == "read" and ("read" in held or f"{resource}:write" in held)


def common_scopes(one: Collection[str], other: Collection[str]) -> list[str]:
    """Return scopes that grant what both sets grant, and nothing else."""
    for fewer, more in ((one, other), (other, one)):
        if all(is_granted(more, scope) for scope in fewer):
            return sorted(fewer)
    return [scope for scope in owner_scopes() if is_granted(one, scope) and is_granted(other, scope)]


def normalize_scopes(requested: Collection[str], known: Collection[str]) -> list[str]:
    """Return the scopes without aliases and repeats, in the order given.

    Raises ``ValueError`` with a sentence that names the scopes that are not among ``known``.
    """
    wanted = dict.fromkeys(ALIASES.get(scope, scope) for scope in requested)
    if unknown := [scope for scope in wanted if scope not in known]:
        raise ValueError(f"Unknown scope: {', '.join(unknown)}. Known are: {', '.join(sorted(known))}.")
    return list(wanted)


def owner_scopes() -> list[str]:
    """List every scope that an owner's token can carry."""
    return [*COARSE, *(f"{resource}:{action}" for resource in RESOURCES for action in ACTIONS)]
