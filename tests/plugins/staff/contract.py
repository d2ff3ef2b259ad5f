"""What stands in the paths and bodies of the staff plugin, for tests of every route."""

from itertools import count

from comanda.accounts import services as accounts
from comanda.contracts import API_PREFIX
from comanda_staff.api import Permission
from comanda_staff.caller_kinds import STAFF
from workshop import merge_body, split_body

_numbers = count(1)


def member_body(workshop, *_):
    number = next(_numbers)
    return {
        "name": "Stolen", "role": "manager", "email": f"stolen-{number}@example.com", "phone": "1",
        "password": "lemon tart at dawn", "pin": f"{70_000 + number}", "grants": ["kds"], "denials": ["orders"],
        "station_ids": [], "is_active": False,
    }  # fmt: skip


async def member(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/staff", {**member_body(workshop), "is_active": True})


async def holder(workshop):
    body = {**member_body(workshop), "name": workshop.marker, "is_active": True}
    workshop.holder_id = await workshop.post(f"/restaurants/{workshop.home}/staff", body)
    issued = await accounts.issue_token(
        STAFF, workshop.owner.id, list(Permission), name="test", store_id=workshop.home, subject_id=workshop.holder_id
    )
    await own_order(workshop)
    await own_item(workshop)
    return {"Authorization": f"Bearer {issued.secret}"}


async def own_order(workshop):
    return await workshop.order(workshop.home, customer_name=workshop.marker)


async def own_line(workshop, order_id):
    order = await workshop.get(f"/restaurants/{workshop.home}/orders/{order_id}")
    return order["items"][0]["id"]


async def own_discount(workshop, order_id):
    path = f"/restaurants/{workshop.home}/orders/{order_id}/discounts"
    await workshop.post(path, {"percent": 10, "reason": workshop.marker})
    return 1


async def transfer_body(workshop, store_id, *_):
    return {"staff_id": await member(workshop, store_id)}


async def own_item(workshop):
    return await workshop.item(workshop.home, name=workshop.marker)


async def pending_code(workshop, store_id):
    """Request enrolment as a device would, and return the code that it shows."""
    path = f"{API_PREFIX}/restaurants/{store_id}/staff-devices/requests"
    # A source's fourth request replaces its first, and a test may want several.
    source = f"192.0.2.{next(_numbers) % 250}"
    body = {"name": workshop.marker}
    response = await workshop.client.post(path, json=body, scope_base={"client": (source, 4711)})
    return await response.get_json()


async def enrolment_code(workshop, store_id):
    return (await pending_code(workshop, store_id))["user_code"]


async def own_enrolment_code(workshop):
    return await enrolment_code(workshop, workshop.home)


async def device(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/staff-devices", {"name": workshop.marker})


async def own_device(workshop):
    return await device(workshop, workshop.home)


async def poll_body(workshop, store_id):
    return {"poll_token": (await pending_code(workshop, store_id))["poll_token"]}


async def own_photo(workshop, item_id):
    return await workshop.photo(workshop.home, item_id)


HOLDERS = {"staff": holder}


async def employed(workshop, store_id):
    body = {**member_body(workshop), "is_active": True}
    await workshop.post(f"/restaurants/{store_id}/staff", body)
    return body


async def login_body(workshop, store_id):
    found = await employed(workshop, store_id)
    return {"email": found["email"], "password": found["password"], "device": "x"}


async def pin_body(workshop, store_id):
    return {"pin": (await employed(workshop, store_id))["pin"], "device": "x"}


FACTORIES = {
    "/restaurants/{id}/staff-devices/{deviceId}": device,
    "/restaurants/{id}/staff-devices/requests/{code}": enrolment_code,
    "/staff/devices/{deviceId}": own_device,
    "/staff/devices/requests/{code}": own_enrolment_code,
    "/restaurants/{id}/staff/{staffId}": member,
    "/staff/orders/{orderId}": own_order,
    "/staff/orders/{orderId}/lines/{lineId}": own_line,
    "/staff/orders/{orderId}/discounts/{discountId}": own_discount,
    "/staff/menu/items/{itemId}": own_item,
    "/staff/menu/items/{itemId}/photos/{photoId}": own_photo,
}
BODIES = {
    "MemberBody": member_body,
    "MemberChange": member_body,
    "StaffLoginBody": login_body,
    "PinBody": pin_body,
    "DeviceRequestBody": {"name": "Stolen"},
    "DevicePollBody": poll_body,
    "DeviceApproval": {"name": "Stolen"},
    "PinPolicyBody": {"enrolled_devices_only": True},
    "StaffVoidBody": {"quantity": 1, "reason": "Stolen"},
    "StaffDiscountBody": {"percent": 10, "reason": "Stolen"},
    "StaffMoveBody": {"table_number": "9"},
    "StaffMergeBody": merge_body,
    "StaffSplitBody": split_body,
    "StaffReopenBody": {"reason": "Stolen"},
    "ApprovalBody": {},
    "TransferBody": transfer_body,
}
