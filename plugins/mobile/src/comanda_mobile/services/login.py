"""Login of owners and staff by e-mail and password, and logout."""

from datetime import datetime
from typing import Final

from comanda.accounts import owner_login, tokens
from comanda.accounts import services as accounts
from comanda.basics import Unauthenticated
from comanda.contracts import Caller, SecondFactor
from comanda.platform.db import sql
from comanda_staff import api as staff

from comanda_mobile.records import AppLogin
from comanda_mobile.schemas import AppLoginBody
from comanda_mobile.services.people import get_identity, require_person

DEFAULT_DEVICE_NAME: Final = "Mobile app"


async def log_in(body: AppLoginBody, network: str) -> AppLogin:
    """Log an owner or a member of staff in by e-mail and password. ``network`` is that of the request.

    Raises ``Unauthenticated`` with the reason ``invalid_credentials``, after the same work whether or not the e-mail is
    known, or ``two_factor_required``; ``ValidationFailed`` for a wrong code, and on ``restaurant_id`` with ``choices``
    if the password is that of several stores; ``RateLimited`` after too many attempts; ``NotFound`` with the reason
    ``account_suspended`` once the password was right.
    """
    is_staff_only = body.account == "staff" or body.restaurant_id is not None or body.owner is not None
    if body.account == "owner" or not is_staff_only:
        try:
            return await _log_in_owner(body, network)
        except Unauthenticated as error:
            if body.account == "owner" or error.extras.get("reason") != "invalid_credentials":
                raise
    return await _log_in_staff(body)


@sql.transaction()
async def log_out(caller: Caller) -> None:
    """Revoke the token that was used and no other; web sessions opened with it and its push devices end with it."""
    require_person(caller)
    await accounts.revoke_token(caller.owner_id, caller.token_id)


async def _log_in_owner(body: AppLoginBody, network: str) -> AppLogin:
    second_factor = SecondFactor(body.otp, body.recovery_code)
    owner = await owner_login.login_owner(body.email, body.password, network, second_factor)
    issued = await owner_login.issue_login_token(owner, name=_get_token_name(body.device))
    caller = Caller("owner", issued.id, owner.id, None, owner.id, frozenset(issued.scopes), issued.expires_at)
    return await _to_login(caller, issued.secret, issued.expires_at)


async def _log_in_staff(body: AppLoginBody) -> AppLogin:
    credentials = staff.StaffLoginBody(
        email=body.email, password=body.password, device=body.device, otp=body.otp, recovery_code=body.recovery_code
    )
    session = await staff.log_in(credentials, store_id=body.restaurant_id, owner_id=body.owner)
    permissions = frozenset(session.staff.permissions)
    caller = Caller(
        "staff", session.token_id, session.owner_id, session.store_id, session.staff.id, permissions, session.expires_at
    )
    return await _to_login(caller, session.token, session.expires_at)


async def _to_login(caller: Caller, token: str, expires_at: datetime | None) -> AppLogin:
    identity = await get_identity(caller)
    return AppLogin(token, expires_at, identity.user, identity.stores, identity.stores_count)


def _get_token_name(device: str | None) -> str:
    # The value of an enrolled device of staff is a secret.
    is_secret = device is not None and tokens.is_well_formed(device, device.partition("_")[0] + "_")
    return DEFAULT_DEVICE_NAME if device is None or is_secret else device
