"""Enrolment of devices: requested by a device, approved and revoked by an owner or a manager."""

from typing import Final

from comanda.contracts import ANY_SCOPE, PUBLIC, Answer, Call, Caller, PageRequest, RecordPage, Routes

from comanda_staff.api import STAFF_ONLY
from comanda_staff.records import EnrolmentPoll, EnrolmentRequest, NewStoreDevice, PendingDevice, StoreDevice
from comanda_staff.schemas.devices import DeviceApproval, DevicePollBody, DeviceRequestBody, PinPolicyBody, PinPolicyOut
from comanda_staff.services import enrolment, stores

public_routes = Routes("Staff", callers=PUBLIC)
owner_routes = Routes("Staff")
staff_routes = Routes("Staff", callers=STAFF_ONLY)

# Per store and client address.
MAX_REQUESTS_PER_MINUTE: Final = 6
MAX_POLLS_PER_MINUTE: Final = 60
NO_STORE: Final = {"Cache-Control": "no-store"}


@public_routes.post("/restaurants/{id}/staff-devices/requests", answers=EnrolmentRequest)
async def request_enrolment(call: Call, id: int, body: DeviceRequestBody) -> Answer:
    """Request enrolment of this device; it shows the ``user_code`` and polls until the request is approved."""
    await call.count(f"staff_enrolment:{id}:{call.client_network}", MAX_REQUESTS_PER_MINUTE)
    return Answer(
        await enrolment.create_request(await stores.get_store(id), body, call.client_network), headers=dict(NO_STORE)
    )


@public_routes.post("/restaurants/{id}/staff-devices/requests/poll", status=200, answers=EnrolmentPoll)
async def poll_enrolment(call: Call, id: int, body: DevicePollBody) -> Answer:
    """Return the ``device`` value of this device once its request was approved."""
    await call.count(f"staff_enrolment_poll:{id}:{call.client_network}", MAX_POLLS_PER_MINUTE)
    return Answer(await enrolment.poll_request(await stores.get_store(id), body.poll_token), headers=dict(NO_STORE))


@owner_routes.get("/restaurants/{id}/staff-devices", scope="restaurants:read", is_delegable=False)
async def list_devices(caller: Caller, id: int, page: PageRequest) -> RecordPage[StoreDevice]:
    """List the enrolled devices of a store, newest first."""
    return await enrolment.list_devices(caller, id, page)


@owner_routes.get("/restaurants/{id}/staff-devices/requests/{code}", scope="restaurants:read", is_delegable=False)
async def get_request(caller: Caller, id: int, code: str) -> PendingDevice:
    """Return the device that shows a code, before approving it."""
    return await enrolment.get_request(caller, id, code)


@owner_routes.post(
    "/restaurants/{id}/staff-devices", scope="restaurants:write", answers=NewStoreDevice, is_delegable=False
)
async def enrol_device(caller: Caller, id: int, body: DeviceApproval) -> Answer:
    """Enrol the device that shows ``user_code``; without a code, the device making this request."""
    return Answer(await enrolment.enrol_device(caller, id, body), headers=dict(NO_STORE))


@owner_routes.delete("/restaurants/{id}/staff-devices/{deviceId}", scope="restaurants:write", is_delegable=False)
async def revoke_device(caller: Caller, id: int, device_id: int) -> None:
    """Revoke a device and the tokens issued on it."""
    await enrolment.revoke_device(caller, id, device_id)


@owner_routes.get("/restaurants/{id}/pin-login", scope="restaurants:read", is_delegable=False)
async def get_policy(caller: Caller, id: int) -> PinPolicyOut:
    """Return whether PINs are accepted from enrolled devices only."""
    return PinPolicyOut(enrolled_devices_only=await enrolment.get_policy(caller, id))


@owner_routes.put("/restaurants/{id}/pin-login", scope="restaurants:write", is_delegable=False)
async def update_policy(caller: Caller, id: int, body: PinPolicyBody) -> PinPolicyOut:
    """Update whether PINs are accepted from enrolled devices only."""
    await enrolment.update_policy(caller, id, body)
    return PinPolicyOut(enrolled_devices_only=body.enrolled_devices_only)


@staff_routes.get("/staff/devices", scope=ANY_SCOPE)
async def list_own_devices(caller: Caller, page: PageRequest) -> RecordPage[StoreDevice]:
    """List the enrolled devices of your store; for managers."""
    return await enrolment.list_devices(caller, caller.known_store_id, page)


@staff_routes.get("/staff/devices/requests/{code}", scope=ANY_SCOPE)
async def get_own_request(caller: Caller, code: str) -> PendingDevice:
    """Return the device that shows a code, before approving it; for managers."""
    return await enrolment.get_request(caller, caller.known_store_id, code)


@staff_routes.post("/staff/devices", scope=ANY_SCOPE, answers=NewStoreDevice)
async def enrol_own_device(caller: Caller, body: DeviceApproval) -> Answer:
    """Enrol the device that shows ``user_code``, or without it this device; for managers logged in by password."""
    return Answer(await enrolment.enrol_device(caller, caller.known_store_id, body), headers=dict(NO_STORE))


@staff_routes.delete("/staff/devices/{deviceId}", scope=ANY_SCOPE)
async def revoke_own_device(caller: Caller, device_id: int) -> None:
    """Revoke an enrolled device of your store; for managers."""
    await enrolment.revoke_device(caller, caller.known_store_id, device_id)
