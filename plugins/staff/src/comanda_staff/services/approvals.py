"""Approval of what a member of staff may not do alone: by their own permission, or by the PIN of one who has it."""

from comanda.basics import Forbidden, Sentence
from comanda.contracts import Caller
from comanda.orders.amendments import OWN_RIGHT, Approval

from comanda_staff.models import Member, Permission
from comanda_staff.services import pins
from comanda_staff.services.lockout import PinLockout
from comanda_staff.services.permissions import list_permissions
from comanda_staff.services.stores import get_store

NOT_APPROVED = Approval(is_given=False)


async def get_approval(caller: Caller, pin: str | None) -> Approval:
    """Return whether a member may void what is being made, comp, discount and reopen, or who agrees with their PIN.

    Call it outside a transaction, because a rollback would undo the count of wrong PINs. Raises ``Forbidden`` with the
    reason ``approval_refused`` for a PIN that is unknown or whose owner may not approve, and ``RateLimited`` after too
    many of them.
    """
    if Permission.COUPONS in caller.scopes:
        return OWN_RIGHT
    if pin is None:
        return NOT_APPROVED
    store = await get_store(caller.known_store_id)
    lockout = await PinLockout.for_device(store, f"approval:{caller.token_id}", None)
    await lockout.count_attempt()
    member = await Member.get_or_none(
        owner_id=store.owner_id, store_id=store.id, is_active=True, pin_hash=await pins.hash_pin(store.id, pin)
    )
    if member is None:
        await lockout.record_failure()
        raise Forbidden(Sentence("Invalid PIN."), extras={"reason": "approval_refused"})
    await lockout.record_success()
    if Permission.COUPONS not in list_permissions(member):
        raise Forbidden(
            Sentence("%(name)s may not approve this.", name=member.name), extras={"reason": "approval_refused"}
        )
    return Approval(is_given=True, by=f"staff:{member.id}")
