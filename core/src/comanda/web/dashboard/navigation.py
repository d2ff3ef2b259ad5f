"""The navigation of the dashboard: the entries that a person may use, in their groups."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Final

import asyncpg
import structlog

from comanda.contracts.requests.callers import Caller
from comanda.contracts.web.dashboard import GROUPS, PREFIX, STORE_PARAMETER, Audience, NavigationEntry
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.web.dashboard.stores import DashboardStore
from comanda.web.languages.translations import N_, gettext

log = structlog.get_logger(__name__)

GROUP_LABELS: Final = {
    "today": N_("Home"),
    "orders": N_("Orders"),
    "menu": N_("Menu"),
    "selling": N_("Selling"),
    "people": N_("People"),
    "reports": N_("Reports"),
    "channels": N_("Channels"),
    "settings": N_("Settings"),
    "account": N_("Account"),
    "developer": N_("Developer"),
    "reseller": N_("Reseller"),
    "administration": N_("Administration"),
}
# Those whose work is not that of a store.
BUSINESS_AUDIENCES: Final = frozenset({Audience.RESELLER, Audience.DEVELOPER})


@dataclass(frozen=True, slots=True)
class NavigationLink:
    """A link that a person sees."""

    label: str
    href: str
    icon: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class NavigationGroup:
    """Links under one heading."""

    name: str
    label: str
    entries: tuple[NavigationLink, ...]


def list_usable(caller: Caller, audiences: Iterable[Audience], store: DashboardStore | None) -> list[NavigationEntry]:
    """List the entries that a person may use; without a store, those of a store's pages are left out."""
    shown = set(audiences)
    return [
        entry for entry in runtime.registry().navigation if entry.audience in shown and _is_usable(entry, caller, store)
    ]


def list_queries(entries: Iterable[NavigationEntry]) -> list[str]:
    """List the queries by which ``find_matches`` with the owner's id finds the entries that concern a person."""
    return [entry.is_for for entry in entries if isinstance(entry.is_for, str)]


def list_groups(
    usable: Iterable[NavigationEntry], matches: Set[str], caller: Caller, store: DashboardStore | None, path: str
) -> list[NavigationGroup]:
    """List the groups with links for a person, of the entries that ``list_usable`` and ``find_matches`` found."""
    entries = _list_concerning(usable, matches, caller)
    current = _find_current(entries, store, path)
    found = []
    for group in GROUPS:
        members = sorted((entry for entry in entries if entry.group == group), key=lambda entry: entry.position)
        links = tuple(
            NavigationLink(gettext(entry.label), _to_href(entry, store), entry.icon, entry is current)
            for entry in members
        )
        if links:
            found.append(NavigationGroup(group, gettext(GROUP_LABELS[group]), links))
    return found


async def find_business_path(caller: Caller, audiences: Iterable[Audience]) -> str | None:
    """Return the path of a person's first page as a reseller or a developer; None for somebody who is neither."""
    shown = set(audiences) & BUSINESS_AUDIENCES
    entries = [
        each
        for each in runtime.registry().navigation
        if each.audience in shown and each.is_for is not None and _is_usable(each, caller, None)
    ]
    matches = await find_matches(list_queries(entries), caller.owner_id)
    found = _list_concerning(entries, matches, caller)
    first = min(found, key=lambda each: (GROUPS.index(each.group), each.position), default=None)
    return None if first is None else first.path


def _list_concerning(entries: Iterable[NavigationEntry], matches: Set[str], caller: Caller) -> list[NavigationEntry]:
    return [
        entry
        for entry in entries
        if entry.is_for is None or (entry.is_for in matches if isinstance(entry.is_for, str) else entry.is_for(caller))
    ]


async def find_matches(queries: Iterable[str], *ids: int) -> set[str]:
    """Return the queries that find a row; ``$1`` and further parameters are ``ids``. One statement asks for all."""
    asked = list(dict.fromkeys(queries))
    if not asked:
        return set()
    # Each parameter is named, whether or not a query has it.
    columns = [f"${number}::bigint" for number in range(1, len(ids) + 1)]
    try:
        row = await sql.one(f"SELECT {', '.join([*columns, *(f'EXISTS ({query})' for query in asked)])}", *ids)
    except asyncpg.SyntaxOrAccessError:
        if len(asked) > 1:
            # One plugin's mistake hides nothing of the others.
            return {query for each in asked for query in await find_matches([each], *ids)}
        log.exception("query_failed", query=asked[0])
        return set()
    return {query for query, is_found in zip(asked, row[len(ids) :], strict=True) if is_found}


def _is_usable(entry: NavigationEntry, caller: Caller, store: DashboardStore | None) -> bool:
    if entry.scope is not None and not caller.may(entry.scope):
        return False
    if not entry.is_of_store:
        return True
    if store is None or (entry.store_types is not None and store.store_type not in entry.store_types):
        return False
    if entry.modes is not None and store.modes.isdisjoint(entry.modes):
        return False
    return entry.capability is None or entry.capability in store.capabilities


def _to_href(entry: NavigationEntry, store: DashboardStore | None) -> str:
    return PREFIX + (entry.path.replace(STORE_PARAMETER, str(store.id)) if store is not None else entry.path)


def _find_current(
    entries: Sequence[NavigationEntry], store: DashboardStore | None, path: str
) -> NavigationEntry | None:
    """Return the entry whose page this is, or that it lies below."""
    found = [(len(href), entry) for entry in entries if _leads_to(href := _to_href(entry, store), path)]
    return max(found, key=lambda each: each[0])[1] if found else None


def _leads_to(href: str, path: str) -> bool:
    return path == href or path.startswith(href.rstrip("/") + "/")
