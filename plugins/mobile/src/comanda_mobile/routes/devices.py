"""Devices that receive the person's push messages."""

from comanda.contracts import ANY_SCOPE, Caller, Routes
from comanda_notifications.api import (
    DeviceBody,
    DeviceRegistration,
    DeviceTokenBody,
    register_device,
    unregister_device,
)

from comanda_mobile.services.people import PEOPLE, require_person

routes = Routes("Mobile app", callers=PEOPLE)


@routes.post("/app/devices", scope=ANY_SCOPE, status=200)
async def register_push_device(caller: Caller, body: DeviceBody) -> DeviceRegistration:
    """Register this device for push messages until you log out on it; registering again renews it."""
    return await register_device(require_person(caller), body.platform, body.token, body.app_version, body.locale)


@routes.post("/app/devices/unregister", scope=ANY_SCOPE, status=200)
async def unregister_push_device(caller: Caller, body: DeviceTokenBody) -> DeviceRegistration:
    """Unregister a device from push messages; an unknown device is ignored."""
    return await unregister_device(require_person(caller), body.token)
