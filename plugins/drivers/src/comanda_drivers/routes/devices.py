"""Devices of drivers that receive push messages."""

from comanda.contracts import ANY_SCOPE, Caller, Routes
from comanda_notifications.api import (
    DeviceBody,
    DeviceRegistration,
    DeviceTokenBody,
    register_device,
    unregister_device,
)

routes = Routes("Driver", callers=("driver",))


@routes.post("/driver/push/register-device", scope=ANY_SCOPE, cors=True, status=200)
async def create_device(caller: Caller, body: DeviceBody) -> DeviceRegistration:
    """Register a device for push messages about offers and assignments, until the token of the request is revoked."""
    return await register_device(caller, body.platform, body.token, body.app_version, body.locale)


@routes.post("/driver/push/unregister-device", scope=ANY_SCOPE, cors=True, status=200)
async def delete_device(caller: Caller, body: DeviceTokenBody) -> DeviceRegistration:
    """Unregister a device; an unknown device changes nothing."""
    return await unregister_device(caller, body.token)
