"""The person behind a token of the app: an owner or a member of staff, and their stores."""

from typing import Final

from comanda.basics import Unauthenticated
from comanda.contracts import OWNER, Caller, PageRequest
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.stores import list_stores
from comanda_staff import api as staff

from comanda_mobile.records import AppIdentity, AppStore, AppUser

MAX_STORES: Final = 100
SELECT_OWNER: Final = "SELECT id, name, email FROM core_owner_v1 WHERE id = $1"
# Tokens of apps of third parties act as their owner, and are no person's.
PEOPLE: Final = (*OWNER, *staff.STAFF_ONLY)


def require_person(caller: Caller) -> Caller:
    """Return the caller if it is an owner or a member of staff. Raises ``Unauthenticated`` for any other kind."""
    if caller.kind not in PEOPLE:
        raise Unauthenticated
    return caller


async def get_identity(caller: Caller) -> AppIdentity:
    """Return the person behind a token. Raises ``Unauthenticated`` for a token that is no person's."""
    require_person(caller)
    user = await (_get_owner(caller) if caller.kind == "owner" else _get_member(caller))
    page = await list_stores(caller, PageRequest(1, MAX_STORES))
    registry = runtime.registry()
    stores = [
        AppStore(store.id, store.title, store.slug, store.store_type, registry.store_path(store.slug))
        for store in page.data
    ]
    return AppIdentity(user, stores, page.total, caller.expires_at)


async def _get_owner(caller: Caller) -> AppUser:
    row = await sql.require_one(SELECT_OWNER, caller.owner_id)
    return AppUser(row["id"], "owner", row["name"], row["email"], None, None)


async def _get_member(caller: Caller) -> AppUser:
    profile = await staff.get_profile(caller)
    return AppUser(profile.id, "staff", profile.name, profile.email, profile.role.value, list(profile.permissions))
