"""A member's own profile, two-factor authentication and push devices."""

from comanda.contracts import ANY_SCOPE, Answer, Caller, Routes
from comanda_notifications.api import (
    DeviceBody,
    DeviceRegistration,
    DeviceTokenBody,
    register_device,
    unregister_device,
)

from comanda_staff.api import STAFF_ONLY
from comanda_staff.records import PendingTwoFactor, StaffProfile
from comanda_staff.schemas.login import LoggedOut, SecondFactorBody, TwoFactorOff, TwoFactorOn, TwoFactorState
from comanda_staff.services import login, profile, two_factor

routes = Routes("Staff", callers=STAFF_ONLY)

NO_STORE = {"Cache-Control": "no-store"}


@routes.get("/staff/me", scope=ANY_SCOPE)
async def get_me(caller: Caller) -> StaffProfile:
    """Return your own profile: role, current permissions, stations and store."""
    return await profile.get_profile(caller)


@routes.post("/staff/logout", scope=ANY_SCOPE, status=200)
async def log_out(caller: Caller) -> LoggedOut:
    """Log out: revoke the token that was used."""
    await login.log_out(caller)
    return LoggedOut(message="You are logged out.")


@routes.post("/staff/2fa/setup", scope=ANY_SCOPE, status=200, answers=PendingTwoFactor)
async def start_two_factor_setup(caller: Caller) -> Answer:
    """Start setting up two-factor: returns a secret for the authenticator app, to be confirmed within ten minutes."""
    return Answer(await two_factor.start_setup(caller), headers=dict(NO_STORE))


@routes.post("/staff/2fa/confirm", scope=ANY_SCOPE, status=200, answers=TwoFactorOn)
async def confirm_two_factor_setup(caller: Caller, body: SecondFactorBody) -> Answer:
    """Turn two-factor on with the app's first code; the response holds ten recovery codes, shown only once."""
    codes = await two_factor.confirm_setup(caller, body)
    return Answer(TwoFactorOn(two_factor=True, recovery_codes=codes), headers=dict(NO_STORE))


@routes.post("/staff/2fa/disable", scope=ANY_SCOPE, status=200)
async def disable_two_factor(caller: Caller, body: TwoFactorOff) -> TwoFactorState:
    """Turn two-factor off, with your password and a code."""
    await two_factor.disable(caller, body)
    return TwoFactorState(two_factor=False)


@routes.post("/staff/push/register-device", scope=ANY_SCOPE, status=200)
async def register_push_device(caller: Caller, body: DeviceBody) -> DeviceRegistration:
    """Register this device for push messages until you log out on it; registering again renews it."""
    return await register_device(caller, body.platform, body.token, body.app_version, body.locale)


@routes.post("/staff/push/unregister-device", scope=ANY_SCOPE, status=200)
async def unregister_push_device(caller: Caller, body: DeviceTokenBody) -> DeviceRegistration:
    """Unregister a device from push messages; an unknown device is ignored."""
    return await unregister_device(caller, body.token)
