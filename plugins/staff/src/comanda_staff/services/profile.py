"""The profile of the logged-in member of staff."""

from comanda.basics import NotFound, extend_record
from comanda.contracts import Caller
from comanda.stores import find_store, find_vertical

from comanda_staff.models import Member, Role
from comanda_staff.records import ProfileStore, StaffProfile
from comanda_staff.services import two_factor
from comanda_staff.services.permissions import list_permissions


async def get_profile(caller: Caller) -> StaffProfile:
    """Return the caller's profile with their current permissions and store. Raises ``NotFound``."""
    member = await Member.get_or_none(owner_id=caller.owner_id, store_id=caller.store_id, id=caller.subject_id)
    store = await find_store(caller.owner_id, caller.store_id or 0)
    if member is None or store is None:
        raise NotFound
    vertical = find_vertical(store.store_type)
    return extend_record(
        StaffProfile,
        member,
        role=Role(member.role),
        permissions=list_permissions(member),
        two_factor=member.totp_secret is not None,
        recovery_codes_left=await two_factor.count_recovery_codes(member),
        token_expires_at=caller.expires_at,
        store=ProfileStore(
            store.id,
            store.title,
            store.store_type,
            store.currency,
            store.timezone,
            vertical.fulfillment_modes if vertical is not None else (),
        ),
    )
