"""Scopes: ``resource:action``, and the three coarse ones."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

ACTIONS = ("read", "write")
COARSE = ("*", "read", "write")

# The OAuth registry spells one resource in the singular; the coarse scopes may be written as what they mean.
ALIASES = {"restaurant:read": "restaurants:read", "*:read": "read", "*:write": "write"}


@dataclass(frozen=True, slots=True)
class Scope:
    """A permission that tokens of some caller ``kinds`` may carry, and that routes, tools and events may require.

    ``name`` is ``resource:action`` on owner tokens. The actions ``read`` and ``write`` are included in the coarse
    scopes and ``write`` in ``read``; any other action is included in ``write`` and ``*`` only. ``label`` says what it
    allows to whoever grants it.
    """

    name: str
    label: str
    kinds: tuple[str, ...] = ("owner",)


def create_scopes(resource: str, what: str) -> list[Scope]:
    """Return the scopes ``read`` and ``write`` of a resource on owner tokens; ``what`` names it in their labels."""
    return [Scope(f"{resource}:read", f"Read {what}"), Scope(f"{resource}:write", f"Read and change {what}")]


def is_granted(held: Collection[str], needed: str) -> bool:
    """Return whether a token with the scopes ``held`` may do what needs ``needed``.

    ``*`` grants everything, ``write`` every write and every read, ``read`` every read, ``x:write`` its own ``x:read``.
    """
    if needed in held or "*" in held or "write" in held:
        return True
    resource, _, action = needed.partition(":")
    return action == "read" and ("read" in held or f"{resource}:write" in held)


def common_scopes(one: Collection[str], other: Collection[str], known: Iterable[str]) -> list[str]:
    """Return scopes, of those ``known``, that grant what both sets grant, and nothing else."""
    for fewer, more in ((one, other), (other, one)):
        if all(is_granted(more, scope) for scope in fewer):
            return sorted(fewer)
    return [scope for scope in known if is_granted(one, scope) and is_granted(other, scope)]


def normalize_scopes(requested: Collection[str], known: Collection[str]) -> list[str]:
    """Return the scopes without aliases and repeats, in the order given.

    Raises ``ValueError`` with a sentence that names the scopes that are not among ``known``.
    """
    wanted = dict.fromkeys(ALIASES.get(scope, scope) for scope in requested)
    if unknown := [scope for scope in wanted if scope not in known]:
        raise ValueError(f"Unknown scope: {', '.join(unknown)}. Known are: {', '.join(sorted(known))}.")
    return list(wanted)
