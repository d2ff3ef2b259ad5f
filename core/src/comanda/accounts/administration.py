"""Administration of owners and their tokens across tenants, for the command line and for administrators.

A suspension holds from its commit: tokens and web sessions are refused, stores and their pages are hidden, and nothing
is sent in the owner's name. Nothing is deleted, so everything goes on when it is lifted. Plugins read it in
``core_owner_v1``.
"""

from collections.abc import Sequence
from typing import Final

from comanda.accounts.models import AccessToken, Owner
from comanda.accounts.records import OwnerSummary
from comanda.accounts.services import find_owner, get_owner
from comanda.basics import clock
from comanda.basics.errors import Conflict, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import Caller
from comanda.platform.audit_log.entries import record_action
from comanda.platform.db import sql

# Who runs the installation: may lift every suspension, while others lift those that they made.
OPERATOR: Final = "operator"
MAX_REASON_LENGTH: Final = 500

SELECT_OWNERS = """
    SELECT o.id, o.email, o.name, o.is_suspended, o.is_administrator, o.created_at, o.suspended_at, o.suspend_reason,
           (SELECT count(*) FROM core_store s WHERE s.owner_id = o.id) AS stores_count
    FROM core_owner o ORDER BY o.id
"""
# A suspension by the operator replaces another's, which its author could lift; no other replaces any.
SUSPEND_OWNER: Final = f"""
    UPDATE core_owner SET is_suspended = true, suspended_at = coalesce(suspended_at, $2), suspend_reason = $3,
        suspended_by = $4
    WHERE id = $1 AND (NOT is_suspended OR ($4 = '{OPERATOR}' AND suspended_by IS NOT NULL AND suspended_by <> $4))
"""
UNSUSPEND_OWNER: Final = f"""
    UPDATE core_owner SET is_suspended = false, suspended_at = NULL, suspend_reason = NULL, suspended_by = NULL
    WHERE id = $1 AND is_suspended AND ($2 = '{OPERATOR}' OR suspended_by = $2)
"""
SET_ADMINISTRATOR: Final = """
    UPDATE core_owner SET is_administrator = $2 WHERE id = $1 AND is_administrator IS DISTINCT FROM $2
"""


async def list_owners() -> list[OwnerSummary]:
    """List every owner, oldest first."""
    return [sql.to_record(OwnerSummary, row) for row in await sql.fetch(SELECT_OWNERS)]


async def suspend_owner(owner_id: int, reason: str, *, by: str = OPERATOR) -> bool:
    """Suspend an owner, in the open transaction if there is one; return whether that changed anything.

    ``by`` is the actor who does so, such as ``owner:12`` for a reseller. An owner who is suspended stays so, with the
    reason and time of the first; only the operator's suspension replaces another's reason, so that nobody else can
    lift it. Raises ``NotFound``.
    """
    if await sql.execute(SUSPEND_OWNER, owner_id, clock.now(), reason, by):
        return True
    await get_owner(owner_id)
    return False


async def unsuspend_owner(owner_id: int, *, by: str = OPERATOR) -> bool:
    """Lift a suspension, in the open transaction if there is one; return whether there was one.

    Raises ``Conflict`` with the reason ``suspended_by_other`` unless ``by`` is the operator or made the suspension, and
    ``NotFound`` if there is no such owner.
    """
    if await sql.execute(UNSUSPEND_OWNER, owner_id, by):
        return True
    if (await get_owner(owner_id)).is_suspended:
        raise Conflict(
            Sentence("This account was suspended by somebody else."), extras={"reason": "suspended_by_other"}
        )
    return False


async def suspend_as_administrator(caller: Caller, owner_id: int, reason: str) -> bool:
    """Suspend an owner for an administrator, with an entry in that owner's audit log; return whether that is new.

    Raises ``ValidationFailed`` without a reason, ``Conflict`` for the administrator's own account, and ``NotFound``.
    """
    if not reason.strip():
        raise ValidationFailed(reason=["Must contain at least 1 character."])
    if owner_id == caller.owner_id:
        raise Conflict(Sentence("You cannot suspend your own account."), extras={"reason": "own_account"})
    async with sql.transaction():
        is_changed = await suspend_owner(owner_id, reason.strip()[:MAX_REASON_LENGTH])
        if is_changed:
            await record_decision(caller, owner_id, "account/suspend")
    return is_changed


async def unsuspend_as_administrator(caller: Caller, owner_id: int) -> bool:
    """Lift an owner's suspension for an administrator, with an entry in that owner's audit log.

    Return whether there was one. Raises ``NotFound``.
    """
    async with sql.transaction():
        is_changed = await unsuspend_owner(owner_id)
        if is_changed:
            await record_decision(caller, owner_id, "account/unsuspend")
    return is_changed


async def record_decision(caller: Caller, owner_id: int, action: str) -> None:
    """Insert what an administrator decided about an owner into that owner's audit log, in the open transaction."""
    ids = {"administrator_id": caller.owner_id}
    await record_action(owner_id, action, actor_kind=OPERATOR, actor_id=0, ids=ids)


async def set_suspended(email: str, *, is_suspended: bool, reason: str = "") -> Owner:
    """Suspend an owner by e-mail address, or lift the suspension. Raises ``NotFound``."""
    owner = await find_owner(email)
    await (suspend_owner(owner.id, reason) if is_suspended else unsuspend_owner(owner.id))
    await owner.refresh_from_db()
    return owner


async def set_administrator(email: str, *, is_administrator: bool) -> bool:
    """Grant or revoke the administration of the installation; return whether that changed anything.

    Administrators use the pages of administration. It leaves an entry in the owner's audit log. Raises ``NotFound``.
    """
    owner = await find_owner(email)
    async with sql.transaction():
        is_changed = bool(await sql.execute(SET_ADMINISTRATOR, owner.id, is_administrator))
        if is_changed:
            action = "account/administrator_grant" if is_administrator else "account/administrator_revoke"
            await record_action(owner.id, action, actor_kind=OPERATOR, actor_id=0)
    return is_changed


async def list_tokens(email: str) -> Sequence[AccessToken]:
    """List an owner's tokens of every kind that are not revoked, oldest first. Raises ``NotFound``."""
    owner = await find_owner(email)
    return await AccessToken.filter(owner_id=owner.id, revoked_at=None).order_by("id")
