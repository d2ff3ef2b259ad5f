"""Staff for other plugins: the caller kind, login, profiles, permissions, names and kitchen stations."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import Caller

from comanda_staff.models import Member, Permission
from comanda_staff.records import ProfileStore, SessionMember, StaffProfile, StaffSession
from comanda_staff.schemas.fields import CodeText, DeviceIdentifier, EmailText, Password
from comanda_staff.schemas.login import StaffLoginBody
from comanda_staff.services import login, store_selection, stores
from comanda_staff.services.names import get_names
from comanda_staff.services.profile import get_profile

__all__ = [
    "STAFF_ONLY",
    "CodeText",
    "DeviceIdentifier",
    "EmailText",
    "Password",
    "Permission",
    "ProfileStore",
    "SessionMember",
    "StaffLoginBody",
    "StaffProfile",
    "StaffSession",
    "find_staff_ids",
    "get_names",
    "get_profile",
    "list_station_ids",
    "log_in",
]

STAFF_ONLY: Final = ("staff",)


async def log_in(body: StaffLoginBody, *, store_id: int | None = None, owner_id: int | None = None) -> StaffSession:
    """Log in by e-mail and password at a store, or without one at the store, of ``owner_id``, whose password it is.

    Raises ``Unauthenticated`` with the reason ``invalid_credentials``, after the same work whether or not the e-mail is
    known, or ``two_factor_required``; ``ValidationFailed`` for a wrong code, and on ``restaurant_id`` with ``choices``
    if the password is that of several stores; ``RateLimited`` after too many attempts; ``NotFound`` for an unknown
    store, or one of a suspended owner. Limits by client address are the caller's.
    """
    if store_id is not None:
        return await login.log_in_by_password(await stores.get_store(store_id), body)
    return await login.log_in_by_password(await store_selection.find_store_of_login(body, owner_id), body)


async def list_station_ids(caller: Caller) -> list[int]:
    """List the ids of the kitchen stations whose tickets a member of staff sees; an empty list means all stations."""
    member = await Member.get_or_none(owner_id=caller.owner_id, store_id=caller.store_id, id=caller.subject_id)
    return list(member.station_ids) if member is not None else []


async def find_staff_ids(owner_id: int, store_id: int, staff_ids: Sequence[int]) -> frozenset[int]:
    """Return those of the ids that are of members of a store's staff."""
    found = Member.filter(owner_id=owner_id, store_id=store_id, id__in=list(staff_ids))
    return frozenset(member.id for member in await found)
