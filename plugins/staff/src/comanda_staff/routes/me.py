"""What a member of staff does with their own account and device."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer
from comanda.contracts.routes import ANY_SCOPE, Routes
from comanda_notifications.api import DeviceBody, DeviceTokenBody, Registered, register_device, unregister_device

from comanda_staff.api import STAFF_ONLY
from comanda_staff.schemas.entering import (
    LoggedOut,
    Me,
    SecondFactorBody,
    TwoFactorOff,
    TwoFactorOn,
    TwoFactorSetup,
    TwoFactorState,
)
from comanda_staff.services import entering, twofactor

routes = Routes("Staff", callers=STAFF_ONLY)

SECRET = {"Cache-Control": "no-store"}


@routes.get("/staff/me", scope=ANY_SCOPE, answers=Me)
async def show_me(caller: Caller) -> dict[str, Any]:
    """Tell who one is: role, permissions as they hold now, stations, the store."""
    return await entering.me(caller)


@routes.post("/staff/logout", scope=ANY_SCOPE, status=200, answers=LoggedOut)
async def logout(caller: Caller) -> dict[str, Any]:
    """Make this device's token void."""
    return await entering.logout(caller)


@routes.post("/staff/2fa/setup", scope=ANY_SCOPE, status=200, answers=TwoFactorSetup)
async def set_up_two_factor(caller: Caller) -> Answer:
    """Begin two-factor: a secret for the authenticator app, to be confirmed within ten minutes."""
    return Answer(await twofactor.set_up(caller), headers=dict(SECRET))


@routes.post("/staff/2fa/confirm", scope=ANY_SCOPE, status=200, answers=TwoFactorOn)
async def confirm_two_factor(caller: Caller, body: SecondFactorBody) -> Answer:
    """Turn two-factor on with the app's first code; the answer holds ten recovery codes, shown this once."""
    return Answer(await twofactor.confirm(caller, body), headers=dict(SECRET))


@routes.post("/staff/2fa/disable", scope=ANY_SCOPE, status=200, answers=TwoFactorState)
async def turn_two_factor_off(caller: Caller, body: TwoFactorOff) -> dict[str, Any]:
    """Turn two-factor off, with the password and a code."""
    return await twofactor.turn_off(caller, body)


@routes.post("/staff/push/register-device", scope=ANY_SCOPE, status=200, answers=Registered)
async def register(caller: Caller, body: DeviceBody) -> dict[str, Any]:
    """Let this device hear push messages until one logs out on it; registering again renews it."""
    return await register_device(caller, body.platform, body.token, body.app_version, body.locale)


@routes.post("/staff/push/unregister-device", scope=ANY_SCOPE, status=200, answers=Registered)
async def unregister(caller: Caller, body: DeviceTokenBody) -> dict[str, Any]:
    """Let a device hear no more; one that is not registered changes nothing."""
    return await unregister_device(caller, body.token)
