"""Enrolled devices: requested by a device, approved and revoked by an owner or a manager."""

from typing import Any, Final

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import ANY_SCOPE, PUBLIC, Routes

from comanda_staff.api import STAFF_ONLY
from comanda_staff.schemas.devices import (
    DeviceApproval,
    DeviceEnrolled,
    DevicePollBody,
    DevicePolled,
    DeviceRequestBody,
    DeviceRequested,
    DeviceRequestOut,
    EnrolledDeviceOut,
    PinPolicyBody,
    PinPolicyOut,
)
from comanda_staff.services import enrolment, shops
from comanda_staff.services.orders import store_of

public_routes = Routes("Staff", callers=PUBLIC)
owner_routes = Routes("Staff")
staff_routes = Routes("Staff", callers=STAFF_ONLY)

# For a store and a client's address.
REQUESTS_PER_MINUTE: Final = 6
POLLS_PER_MINUTE: Final = 60
SECRET: Final = {"Cache-Control": "no-store"}


@public_routes.post("/restaurants/{id}/staff-devices/requests", answers=DeviceRequested)
async def request_enrolment(call: Call, id: int, body: DeviceRequestBody) -> Answer:
    """Request that this device be enrolled; it shows the ``user_code`` and polls until somebody approves it."""
    await call.count(f"staff_enrolment:{id}:{call.client_network}", REQUESTS_PER_MINUTE)
    return Answer(await enrolment.request(await shops.find(id), body, call.client_network), headers=dict(SECRET))


@public_routes.post("/restaurants/{id}/staff-devices/requests/poll", status=200, answers=DevicePolled)
async def poll_enrolment(call: Call, id: int, body: DevicePollBody) -> Answer:
    """Get the ``device`` value of this device once its request was approved."""
    await call.count(f"staff_enrolment_poll:{id}:{call.client_network}", POLLS_PER_MINUTE)
    return Answer(await enrolment.poll(await shops.find(id), body.poll_token), headers=dict(SECRET))


@owner_routes.get("/restaurants/{id}/staff-devices", scope="restaurants:read", answers=Page[EnrolledDeviceOut])
async def list_devices(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List the devices that are enrolled in a store, newest first."""
    return await enrolment.page_of_devices(caller, id, page)


@owner_routes.get("/restaurants/{id}/staff-devices/requests/{code}", scope="restaurants:read", answers=DeviceRequestOut)
async def show_request(caller: Caller, id: int, code: str) -> dict[str, Any]:
    """Show which device shows a code, before approving it."""
    return await enrolment.get_request(caller, id, code)


@owner_routes.post("/restaurants/{id}/staff-devices", scope="restaurants:write", answers=DeviceEnrolled)
async def enrol_device(caller: Caller, id: int, body: DeviceApproval) -> Answer:
    """Enrol the device that shows ``user_code``; without a code, the one that this is called from."""
    return Answer(await enrolment.approve(caller, id, body), headers=dict(SECRET))


@owner_routes.delete("/restaurants/{id}/staff-devices/{deviceId}", scope="restaurants:write")
async def revoke_device(caller: Caller, id: int, device_id: int) -> None:
    """Revoke a device, and make the tokens void that were issued on it."""
    await enrolment.revoke(caller, id, device_id)


@owner_routes.get("/restaurants/{id}/pin-login", scope="restaurants:read", answers=PinPolicyOut)
async def show_policy(caller: Caller, id: int) -> dict[str, Any]:
    """Show whether PINs are taken from enrolled devices only."""
    return await enrolment.get_policy(caller, id)


@owner_routes.put("/restaurants/{id}/pin-login", scope="restaurants:write", answers=PinPolicyOut)
async def set_policy(caller: Caller, id: int, body: PinPolicyBody) -> dict[str, Any]:
    """Set whether PINs are taken from enrolled devices only."""
    return await enrolment.set_policy(caller, id, body)


@staff_routes.get("/staff/devices", scope=ANY_SCOPE, answers=Page[EnrolledDeviceOut])
async def list_own_devices(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the devices that are enrolled in one's store; for managers."""
    return await enrolment.page_of_devices(caller, store_of(caller), page)


@staff_routes.get("/staff/devices/requests/{code}", scope=ANY_SCOPE, answers=DeviceRequestOut)
async def show_own_request(caller: Caller, code: str) -> dict[str, Any]:
    """Show which device shows a code, before approving it; for managers."""
    return await enrolment.get_request(caller, store_of(caller), code)


@staff_routes.post("/staff/devices", scope=ANY_SCOPE, answers=DeviceEnrolled)
async def enrol_own_device(caller: Caller, body: DeviceApproval) -> Answer:
    """Enrol the device that shows ``user_code``, or without one this device; for managers logged in by password."""
    return Answer(await enrolment.approve(caller, store_of(caller), body), headers=dict(SECRET))


@staff_routes.delete("/staff/devices/{deviceId}", scope=ANY_SCOPE)
async def revoke_own_device(caller: Caller, device_id: int) -> None:
    """Revoke a device of one's store; for managers."""
    await enrolment.revoke(caller, store_of(caller), device_id)
