"""Entitlements: which owners may use which features of plugins, and how much of them."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that an owner's plan may or may not include; a quota of it counts ``quota_unit``, if it can have one.

    What every owner has, and a plan can only limit, such as stores, ``is_limit``: a plan that does not name it leaves
    it unlimited. ``count_used`` returns how much of the quota an owner uses.
    Without an entitlement provider every owner is entitled to every feature, without a quota.
    """

    code: str
    label: str
    quota_unit: str | None = None
    is_limit: bool = False
    count_used: Callable[[int], Awaitable[int]] | None = None


@dataclass(frozen=True, slots=True)
class Entitlement:
    """Whether an owner may use a feature, and up to which ``quota`` of its unit; None is unlimited."""

    is_granted: bool = True
    quota: int | None = None


UNLIMITED: Final = Entitlement()


@dataclass(frozen=True, slots=True)
class EntitlementProvider:
    """What decides on entitlements: ``find(owner_id, feature)`` is awaited for each service that needs a feature.

    ``find_all(owner_id, features, owner_version)`` is awaited on the way to routes and tools, with the version of the
    owner's row that was read with the token; without it, ``find`` is. Answers kept in memory under that version are
    current if each change of an owner's entitlements calls ``bump_owner_version`` of ``comanda.accounts.services`` in
    its transaction. No answer may be from before a revocation that has committed.
    """

    find: Callable[[int, str], Awaitable[Entitlement]]
    find_all: Callable[[int, Collection[str], int | None], Awaitable[Mapping[str, Entitlement]]] | None = None
