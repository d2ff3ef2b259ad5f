"""Devices on which staff log in by PIN, in the dashboard: approved by the code that they show, and revoked."""

from typing import Any, Final

from comanda.basics import NotFound, ValidationFailed
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import Response

from comanda_staff.pages.dashboard import dashboard

DEVICES: Final = "/restaurants/{id}/staff-devices"
REQUEST: Final = f"{DEVICES}/requests/{{code}}"
POLICY: Final = "/restaurants/{id}/pin-login"


@dashboard.get("/stores/<int:store_id>/staff-devices", scope="restaurants:read")
async def list_devices(visit: Visit, store_id: int) -> Response:
    """List the devices, and show the one whose code was entered."""
    code = visit.query("code").get("code", "").strip()
    pending = await _find_request(visit, code) if code else None
    return await visit.render(
        "staff/dashboard/devices.html",
        devices=await visit.api.get(DEVICES, id=store_id, query=visit.query("page")),
        policy=await visit.api.get(POLICY, id=store_id),
        code=code,
        pending=pending,
        status=404 if code and pending is None else 200,
    )


@dashboard.post("/stores/<int:store_id>/staff-devices/approve", scope="restaurants:write", step_up=True)
async def approve_device(visit: Visit, store_id: int) -> Response:
    """Approve the device that shows a code."""
    code = (await visit.read_texts()).get("code", "")
    return await visit.act(
        "POST", DEVICES, body={"user_code": code}, to=f"/stores/{store_id}/staff-devices", id=store_id,
        notice=_("The device is approved. Staff can log in on it by PIN."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/staff-devices/policy", scope="restaurants:write", step_up=True)
async def update_policy(visit: Visit, store_id: int) -> Response:
    """Choose whether PINs are accepted from approved devices only."""
    is_restricted = (await visit.read_texts()).get("enrolled_devices_only") == "true"
    return await visit.act(
        "PUT", POLICY, body={"enrolled_devices_only": is_restricted}, to=f"/stores/{store_id}/staff-devices",
        id=store_id, notice=_("Saved."),
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/staff-devices/<int:device_id>/revoke", scope="restaurants:write", step_up=True)
async def revoke_device(visit: Visit, store_id: int, device_id: int) -> Response:
    """Revoke a device, and log out those who use it."""
    return await visit.act(
        "DELETE", f"{DEVICES}/{{deviceId}}", to=f"/stores/{store_id}/staff-devices", id=store_id, deviceId=device_id,
        notice=_("The device is revoked."),
    )  # fmt: skip


async def _find_request(visit: Visit, code: str) -> Any:
    try:
        return await visit.api.get(REQUEST, id=visit.store.id, code=code)
    except (NotFound, ValidationFailed):
        return None
