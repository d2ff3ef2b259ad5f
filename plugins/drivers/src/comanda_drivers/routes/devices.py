"""The devices on which drivers hear of offers and assignments."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.routes import ANY_SCOPE, Routes
from comanda_notifications.api import (
    DeviceBody,
    DeviceTokenBody,
    Registered,
    register_device,
    unregister_device,
)

routes = Routes("Driver", callers=("driver",))


@routes.post("/driver/push/register-device", scope=ANY_SCOPE, cors=True, status=200, answers=Registered)
async def register(caller: Caller, body: DeviceBody) -> dict[str, Any]:
    """Let a device hear of offers and assignments, until the token that was used is void."""
    return await register_device(caller, body.platform, body.token, body.app_version, body.locale)


@routes.post("/driver/push/unregister-device", scope=ANY_SCOPE, cors=True, status=200, answers=Registered)
async def unregister(caller: Caller, body: DeviceTokenBody) -> dict[str, Any]:
    """Let a device hear nothing any more; one that is not there changes nothing."""
    return await unregister_device(caller, body.token)
