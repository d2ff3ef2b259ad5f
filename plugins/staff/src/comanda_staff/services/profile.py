"""The profile of the logged-in member of staff."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.errors import NotFound
from comanda.stores.models import Store

from comanda_staff.models import Member
from comanda_staff.services import two_factor
from comanda_staff.services.permissions import list_permissions


async def get_profile(caller: Caller) -> dict[str, Any]:
    """Return the caller's profile with their current permissions and store. Raises ``NotFound``."""
    member = await Member.get_or_none(owner_id=caller.owner_id, store_id=caller.store_id, id=caller.subject_id)
    store = await Store.get_or_none(owner_id=caller.owner_id, id=caller.store_id or 0)
    if member is None or store is None:
        raise NotFound
    return {
        **{name: getattr(member, name) for name in ("id", "name", "email", "phone", "role", "station_ids")},
        "permissions": list_permissions(member),
        "two_factor": member.totp_secret is not None,
        "recovery_codes_left": await two_factor.count_recovery_codes(member),
        "token_expires_at": caller.expires_at,
        "restaurant": {
            name: getattr(store, name) for name in ("id", "title", "store_type", "currency", "timezone")
        },
    }  # fmt: skip
