"""Management of a store's staff by its owner. Changes take effect with the next request."""

from typing import Any, Final

import asyncpg
import structlog
from comanda.accounts import passwords, require_scopes_to_grant
from comanda.accounts import services as accounts
from comanda.basics import NotFound, Sentence, ValidationFailed, clock, extend_record, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform import require_quota
from comanda.platform.db import get_constraint_name, sql
from comanda.stores import references, require_store
from comanda_notifications.api import delete_devices
from tortoise.exceptions import IntegrityError

from comanda_staff.caller_kinds import STAFF
from comanda_staff.entitlements import STAFF_MEMBERS
from comanda_staff.models import KnownDevice, Member, Permission, RecoveryCode, Role
from comanda_staff.records import SavedMember, StaffMember
from comanda_staff.schemas.members import MemberBody, MemberChange
from comanda_staff.services import pins
from comanda_staff.services.permissions import list_permissions, list_scopes

log = structlog.get_logger(__name__)

# Anybody who manages the store may change these; all other fields affect who can log in and what they may do.
UNRESTRICTED_FIELDS: Final = frozenset({"name", "phone"})
PLAIN_FIELDS: Final = ("name", "role", "phone", "grants", "denials", "station_ids", "is_active")
# Null clears these fields; for the others it means "unchanged".
NULLABLE_FIELDS: Final = frozenset({"email", "phone", "pin"})
UNIQUE_CONSTRAINT_ERRORS: Final = {
    "staff_member_email": ("email", "This e-mail is already in use in this store."),
    "staff_member_pin": ("pin", "This PIN is already in use. Choose another one."),
}


async def list_members(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[StaffMember]:
    """List a store's staff, newest first. Raises ``NotFound`` for another owner's store."""
    await require_store(caller, store_id)
    found = Member.filter(owner_id=caller.owner_id, store_id=store_id)
    rows = await found.order_by("-id").offset(page.offset()).limit(page.size())
    return page.of([_to_member(row) for row in rows], await page.get_total(rows, found.count))


async def get_member(caller: Caller, store_id: int, staff_id: int) -> StaffMember:
    """Return a member. Raises ``NotFound``."""
    await require_store(caller, store_id)
    member = await Member.get_or_none(id=staff_id, owner_id=caller.owner_id, store_id=store_id)
    if member is None:
        raise NotFound
    return _to_member(member)


async def create_member(caller: Caller, store_id: int, body: MemberBody) -> SavedMember:
    """Create a member of staff.

    Raises ``NotFound``; ``Forbidden`` unless the caller holds the scopes that the member's permissions correspond to;
    ``ValidationFailed``, also for an e-mail or PIN in use and beyond the number of members of the owner's plan.
    """
    await require_store(caller, store_id)
    member = Member(owner_id=caller.owner_id, store_id=store_id, created_at=clock.now())
    member.update_from_dict({name: _to_column(getattr(body, name)) for name in PLAIN_FIELDS})
    require_scopes_to_grant(caller, list_scopes(list_permissions(member)))
    await references.check_references("station", "station_ids", caller.owner_id, store_id, body.station_ids)
    await _set_email_and_password(member, body.email, body.password)
    member.pin_hash = await pins.hash_pin(store_id, body.pin) if body.pin else None
    _check_can_log_in(member)
    async with sql.transaction():
        await require_quota(caller.owner_id, STAFF_MEMBERS.code)
        await _save_member(member)
    return _to_member(member, new_pin=body.pin)


async def update_member(caller: Caller, store_id: int, staff_id: int, body: MemberChange) -> SavedMember:
    """Update a member; fields left out of the body are unchanged.

    New permissions apply to existing tokens. A new password or PIN, and deactivation, revoke all of them. Raises
    ``NotFound``; ``Forbidden`` and ``ValidationFailed`` like ``create_member``. Except for a new name or phone and for
    deactivation, the caller must hold the scopes of the member's permissions before and after the change.
    """
    await require_store(caller, store_id)
    given = _list_given(body)
    await _check_scopes(caller, store_id, staff_id, body)
    pin_hash = await pins.hash_pin(store_id, body.pin) if body.pin else None
    new_password = await _hash_new_password(caller, store_id, staff_id, body)
    async with sql.transaction():
        # A concurrent login waits for this lock and then sees the change, or its token is updated below.
        member = await _lock_member(caller, store_id, staff_id)
        # A station deleted since it was assigned may stay in a list that is sent back unchanged.
        new_stations = set(body.station_ids or []) - set(member.station_ids)
        await references.check_references("station", "station_ids", caller.owner_id, store_id, new_stations)
        old_credentials, old_permissions = (member.password_hash, member.pin_hash), list_permissions(member)
        member.update_from_dict({name: _to_column(getattr(body, name)) for name in PLAIN_FIELDS if name in given})
        if _affects_access(body):
            require_scopes_to_grant(caller, list_scopes([*old_permissions, *list_permissions(member)]))
        if "email" in given:
            member.email = body.email
            member.password_hash = member.password_hash if member.email else None
        if new_password is not None:
            member.password_hash = new_password
        if "pin" in given:
            member.pin_hash = pin_hash
        _check_can_log_in(member)
        await _save_member(member)
        if not member.is_active or old_credentials != (member.password_hash, member.pin_hash):
            await _revoke_access(member, is_leaving=not member.is_active)
        else:
            await accounts.update_scopes(member.owner_id, STAFF.code, member.id, list_permissions(member))
    return _to_member(member, new_pin=body.pin)


async def delete_member(caller: Caller, store_id: int, staff_id: int) -> None:
    """Delete a member and revoke their tokens; orders and histories keep the id. Raises ``NotFound``."""
    async with sql.transaction():
        member = await _lock_member(caller, store_id, staff_id)
        await _revoke_access(member, is_leaving=True)
        await member.delete()


async def reset_two_factor(caller: Caller, store_id: int, staff_id: int) -> None:
    """Turn two-factor off for a member who lost access to it, and revoke their tokens. It is logged.

    Raises ``NotFound``, ``Forbidden`` unless the caller holds the scopes that the member's permissions correspond to.
    """
    async with sql.transaction():
        member = await _lock_member(caller, store_id, staff_id)
        require_scopes_to_grant(caller, list_scopes(list_permissions(member)))
        await delete_two_factor(member)
        await _revoke_access(member, is_leaving=False)
    log.warning("staff_two_factor_reset", owner_id=caller.owner_id, store_id=store_id, staff_id=staff_id,
                actor=caller.actor)  # fmt: skip


async def delete_two_factor(member: Member) -> None:
    """Delete a member's secret, recovery codes and known devices, in the open transaction."""
    nothing = dict.fromkeys(("totp_secret", "totp_pending_secret", "totp_pending_until"))
    await member.update_from_dict(nothing).save(update_fields=list(nothing))
    await RecoveryCode.filter(owner_id=member.owner_id, staff_id=member.id).delete()
    await KnownDevice.filter(owner_id=member.owner_id, staff_id=member.id).delete()


def _to_member(row: Member, new_pin: str | None = None) -> SavedMember:
    return extend_record(
        SavedMember,
        row,
        role=Role(row.role),
        grants=[Permission(name) for name in row.grants],
        denials=[Permission(name) for name in row.denials],
        permissions=list_permissions(row),
        has_password=row.password_hash is not None,
        has_pin=row.pin_hash is not None,
        two_factor=row.totp_secret is not None,
        warnings=_list_warnings(new_pin),
    )


def _list_given(body: MemberChange) -> frozenset[str]:
    """Return the fields to change."""
    return frozenset(
        name
        for name in body.model_fields_set & type(body).model_fields.keys()
        if name in NULLABLE_FIELDS or getattr(body, name) is not None
    )


def _affects_access(body: MemberChange) -> bool:
    """Return whether a change affects who can log in or what they may do."""
    is_leaving = body.is_active is False
    return bool(_list_given(body) - UNRESTRICTED_FIELDS - ({"is_active"} if is_leaving else set()))


async def _check_scopes(caller: Caller, store_id: int, staff_id: int, body: MemberChange) -> None:
    """Raise ``NotFound`` or ``Forbidden`` before a password is hashed; checked again on the locked row."""
    member = await Member.get_or_none(id=staff_id, owner_id=caller.owner_id, store_id=store_id)
    if member is None:
        raise NotFound
    if _affects_access(body):
        require_scopes_to_grant(caller, list_scopes(list_permissions(member)))


async def _lock_member(caller: Caller, store_id: int, staff_id: int) -> Member:
    await require_store(caller, store_id)
    mine = Member.filter(owner_id=caller.owner_id, store_id=store_id)
    return require_found(await mine.select_for_update(no_key=True).get_or_none(id=staff_id))


async def _revoke_access(member: Member, *, is_leaving: bool) -> None:
    await accounts.revoke_tokens(member.owner_id, STAFF.code, member.id)
    await KnownDevice.filter(owner_id=member.owner_id, staff_id=member.id).delete()
    if is_leaving:
        await delete_devices(member.owner_id, STAFF.code, member.id)


async def _set_email_and_password(member: Member, email: str | None, password: str | None) -> None:
    member.email = email or None
    if password is None:
        return
    if not email:
        raise ValidationFailed(email=[Sentence("This is required with a password.")])
    passwords.check_password(password, email, refuse_common=True)
    member.password_hash = await passwords.hash_password(password)


async def _hash_new_password(caller: Caller, store_id: int, staff_id: int, body: MemberChange) -> str | None:
    if body.password is None:
        return None
    member = require_found(await Member.get_or_none(id=staff_id, owner_id=caller.owner_id, store_id=store_id))
    email = body.email if "email" in body.model_fields_set else member.email
    if not email:
        raise ValidationFailed(email=[Sentence("This is required with a password.")])
    passwords.check_password(body.password, email, refuse_common=True)
    return await passwords.hash_password(body.password)


def _check_can_log_in(member: Member) -> None:
    if member.password_hash and not member.email:
        raise ValidationFailed(email=[Sentence("This is required with a password.")])
    if member.password_hash is None and member.pin_hash is None:
        raise ValidationFailed(pin=[Sentence("A PIN, or an e-mail and a password, is required.")])


def _to_column(value: Any) -> Any:
    return list(dict.fromkeys(value)) if isinstance(value, list) else value


async def _save_member(member: Member) -> None:
    try:
        async with sql.transaction():
            await member.save()
    except IntegrityError as error:
        cause = error.__cause__ or error.args[0]
        name = get_constraint_name(cause) if isinstance(cause, asyncpg.UniqueViolationError) else None
        if name not in UNIQUE_CONSTRAINT_ERRORS:
            raise
        field, sentence = UNIQUE_CONSTRAINT_ERRORS[name]
        raise ValidationFailed({field: [sentence]}) from error


def _list_warnings(pin: str | None) -> list[str]:
    weakness = pins.find_weakness(pin) if pin else None
    return [weakness] if weakness else []
