"""What owners do with the people who work in a store. What they take away is gone at the very next request."""

from typing import Any, Final

import asyncpg
import structlog
from comanda import clock
from comanda.accounts import passwords
from comanda.accounts import services as accounts
from comanda.accounts.delegation import require_scopes_to_grant
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.stores import references
from comanda.stores.services import require_store
from comanda_notifications.api import forget_devices
from tortoise.exceptions import IntegrityError

from comanda_staff import pins
from comanda_staff.kinds import STAFF
from comanda_staff.models import Device, Member, RecoveryCode
from comanda_staff.permissions import of_member, scopes_of
from comanda_staff.schemas.members import MemberBody, MemberChange

log = structlog.get_logger(__name__)

# What anybody who manages the store may change; the rest decides who gets in and what they may do then.
HARMLESS: Final = frozenset({"name", "phone"})
PLAIN: Final = ("name", "role", "phone", "grants", "denials", "station_ids", "is_active")
# What null takes away; for the others it reads as "leave it".
NULLABLE: Final = frozenset({"email", "phone", "pin"})
TAKEN: Final = {
    "staff_member_email": ("email", "Somebody in this store has this e-mail."),
    "staff_member_pin": ("pin", "Choose another PIN: this one is taken."),
}


async def page_of_members(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List a store's staff, newest first. Raises ``NotFound`` for another owner's store."""
    await require_store(caller, store_id)
    found = Member.filter(owner_id=caller.owner_id, store_id=store_id)
    rows = await found.order_by("-id").offset(page.offset()).limit(page.size())
    return page.envelope([record(row) for row in rows], await found.count())


async def member(caller: Caller, store_id: int, staff_id: int) -> dict[str, Any]:
    """Show one member. Raises ``NotFound``."""
    await require_store(caller, store_id)
    found = await Member.get_or_none(id=staff_id, owner_id=caller.owner_id, store_id=store_id)
    if found is None:
        raise NotFound
    return record(found)


async def add_member(caller: Caller, store_id: int, body: MemberBody) -> dict[str, Any]:
    """Let somebody work in a store.

    Raises ``NotFound``; ``Forbidden`` unless the caller holds the scopes that the member's permissions amount to;
    ``ValidationFailed``, also for an e-mail or PIN in use.
    """
    await require_store(caller, store_id)
    made = Member(owner_id=caller.owner_id, store_id=store_id, created_at=clock.now())
    made.update_from_dict({name: _column(getattr(body, name)) for name in PLAIN})
    require_scopes_to_grant(caller, scopes_of(of_member(made)))
    await references.check_references("station", "station_ids", caller.owner_id, store_id, body.station_ids)
    await _set_email_and_password(made, body.email, body.password)
    made.pin_hash = await pins.hash_of(store_id, body.pin) if body.pin else None
    _must_have_a_way_in(made)
    await _save(made)
    return {**record(made), "warnings": _warnings(body.pin)}


async def change_member(caller: Caller, store_id: int, staff_id: int, body: MemberChange) -> dict[str, Any]:
    """Change a member; what the body leaves out stays.

    Other permissions hold for the tokens that there are. A new password or PIN, and an end of being active, make all of
    them void. Raises ``NotFound``; ``Forbidden`` and ``ValidationFailed`` like ``add_member``. Only a name, a phone
    and an end of being active need no more than managing the store; for all else the caller must hold the scopes of
    what the member may do, before the change and after it.
    """
    await require_store(caller, store_id)
    given = {
        name: getattr(body, name)
        for name in body.model_fields_set & type(body).model_fields.keys()
        if name in NULLABLE or getattr(body, name) is not None
    }
    await _check_allowed(caller, store_id, staff_id, given)
    pin_hash = await pins.hash_of(store_id, given["pin"]) if given.get("pin") else None
    new_password = await _checked_password(caller, store_id, staff_id, given)
    async with sql.transaction():
        # A login at this moment waits, and then finds what it may be; or it is through, and its token changes below.
        found = await _locked(caller, store_id, staff_id)
        # A station that is gone since it was assigned may stay in a list that is sent back as it was read.
        new_stations = set(given.get("station_ids", [])) - set(found.station_ids)
        await references.check_references("station", "station_ids", caller.owner_id, store_id, new_stations)
        was, permitted = (found.password_hash, found.pin_hash), of_member(found)
        found.update_from_dict({name: _column(value) for name, value in given.items() if name in PLAIN})
        if _is_delicate(given):
            require_scopes_to_grant(caller, scopes_of([*permitted, *of_member(found)]))
        if "email" in given:
            found.email = given["email"]
            found.password_hash = found.password_hash if found.email else None
        if new_password is not None:
            found.password_hash = new_password
        if "pin" in given:
            found.pin_hash = pin_hash
        _must_have_a_way_in(found)
        await _save(found)
        if not found.is_active or was != (found.password_hash, found.pin_hash):
            await _shut_out(found, is_leaving=not found.is_active)
        else:
            await accounts.update_scopes(found.owner_id, STAFF.code, found.id, of_member(found))
    return {**record(found), "warnings": _warnings(given.get("pin"))}


async def delete_member(caller: Caller, store_id: int, staff_id: int) -> None:
    """Delete a member; orders and histories keep their number. Their tokens are void at once. Raises ``NotFound``."""
    async with sql.transaction():
        found = await _locked(caller, store_id, staff_id)
        await _shut_out(found, is_leaving=True)
        await found.delete()


async def reset_two_factor(caller: Caller, store_id: int, staff_id: int) -> dict[str, Any]:
    """Turn two-factor off for somebody who lost it, and make their tokens void. It is logged.

    Raises ``NotFound``, ``Forbidden`` unless the caller holds the scopes that the member's permissions amount to.
    """
    async with sql.transaction():
        found = await _locked(caller, store_id, staff_id)
        require_scopes_to_grant(caller, scopes_of(of_member(found)))
        await forget_two_factor(found)
        await _shut_out(found, is_leaving=False)
    log.warning("staff_two_factor_reset", owner_id=caller.owner_id, store_id=store_id, staff_id=staff_id,
                actor=caller.actor)  # fmt: skip
    return {"two_factor": False}


async def forget_two_factor(found: Member) -> None:
    """Take a member's secret, recovery codes and known devices away, in the open transaction."""
    nothing = dict.fromkeys(("totp_secret", "totp_pending_secret", "totp_pending_until"))
    await found.update_from_dict(nothing).save(update_fields=list(nothing))
    await RecoveryCode.filter(owner_id=found.owner_id, staff_id=found.id).delete()
    await Device.filter(owner_id=found.owner_id, staff_id=found.id).delete()


def record(found: Member) -> dict[str, Any]:
    """Make a member's record, without anything that opens a door."""
    return {
        "id": found.id,
        "restaurant_id": found.store_id,
        **{name: getattr(found, name) for name in ("name", "email", "phone", "role", "grants", "denials")},
        "permissions": of_member(found),
        "station_ids": found.station_ids,
        "is_active": found.is_active,
        "has_password": found.password_hash is not None,
        "has_pin": found.pin_hash is not None,
        "two_factor": found.totp_secret is not None,
        "last_login_at": found.last_login_at,
        "created_at": found.created_at,
    }


def _is_delicate(given: dict[str, Any]) -> bool:
    """Return whether a change is about who gets in or what they may do then."""
    is_leaving = given.get("is_active") is False
    return bool(given.keys() - HARMLESS - ({"is_active"} if is_leaving else set()))


async def _check_allowed(caller: Caller, store_id: int, staff_id: int, given: dict[str, Any]) -> None:
    """Raise ``NotFound`` or ``Forbidden`` before a password is hashed; what the locked row says decides in the end."""
    found = await Member.get_or_none(id=staff_id, owner_id=caller.owner_id, store_id=store_id)
    if found is None:
        raise NotFound
    if _is_delicate(given):
        require_scopes_to_grant(caller, scopes_of(of_member(found)))


async def _locked(caller: Caller, store_id: int, staff_id: int) -> Member:
    await require_store(caller, store_id)
    mine = Member.filter(owner_id=caller.owner_id, store_id=store_id)
    found = await mine.select_for_update(no_key=True).get_or_none(id=staff_id)
    if found is None:
        raise NotFound
    return found


async def _shut_out(found: Member, *, is_leaving: bool) -> None:
    await accounts.revoke_tokens(found.owner_id, STAFF.code, found.id)
    await Device.filter(owner_id=found.owner_id, staff_id=found.id).delete()
    if is_leaving:
        await forget_devices(found.owner_id, STAFF.code, found.id)


async def _set_email_and_password(made: Member, email: str | None, password: str | None) -> None:
    made.email = email or None
    if password is None:
        return
    if not email:
        raise ValidationFailed(email=["This is required with a password."])
    passwords.check_password(password, email, refuse_common=True)
    made.password_hash = await passwords.hash_password(password)


async def _checked_password(caller: Caller, store_id: int, staff_id: int, given: dict[str, Any]) -> str | None:
    if "password" not in given:
        return None
    found = await Member.get_or_none(id=staff_id, owner_id=caller.owner_id, store_id=store_id)
    if found is None:
        raise NotFound
    email = given.get("email", found.email)
    if not email:
        raise ValidationFailed(email=["This is required with a password."])
    passwords.check_password(given["password"], email, refuse_common=True)
    return await passwords.hash_password(given["password"])


def _must_have_a_way_in(found: Member) -> None:
    if found.password_hash and not found.email:
        raise ValidationFailed(email=["This is required with a password."])
    if found.password_hash is None and found.pin_hash is None:
        raise ValidationFailed(pin=["Give a PIN, or an e-mail and a password, or nobody can log in."])


def _column(value: Any) -> Any:
    return list(dict.fromkeys(value)) if isinstance(value, list) else value


async def _save(found: Member) -> None:
    try:
        async with sql.transaction():
            await found.save()
    except IntegrityError as error:
        cause = error.__cause__ or error.args[0]
        name = cause.constraint_name if isinstance(cause, asyncpg.UniqueViolationError) else None
        if name not in TAKEN:
            raise
        field, sentence = TAKEN[name]
        raise ValidationFailed({field: [sentence]}) from error


def _warnings(pin: str | None) -> list[str]:
    weakness = pins.weakness(pin) if pin else None
    return [weakness] if weakness else []
