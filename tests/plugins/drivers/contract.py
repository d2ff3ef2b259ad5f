"""Path parameters and bodies of the routes of drivers, for the tests of all routes."""

from base64 import b64encode
from datetime import timedelta
from io import BytesIO
from itertools import count

from comanda.basics import clock
from comanda.contracts import API_PREFIX
from comanda.platform.db import sql
from comanda_drivers.models import Driver, Offer
from comanda_drivers.services.accounts.tokens import issue_permanent_token
from PIL import Image

# A store type with delivery that no other test uses, so that its orders are deliveries.
STORE_TYPE = "cosmetic"
ORDER = "/restaurants/{id}/orders/{orderId}"
PHONE = "+351961234567"
_numbers = count(1)


async def create_driver(workshop):
    return await workshop.post("/drivers", {"name": "Rui Costa", "phone": PHONE})


async def create_order(workshop, store_id):
    return await workshop.order(store_id, type="delivery", address="Rua da Prata 8", customer_name="Ada", phone="x")


async def create_caller(workshop):
    made = await Driver.create(
        owner_id=workshop.owner.id, store_id=workshop.home, name=workshop.marker, phone=PHONE, created_at=clock.now()
    )
    workshop.holder_id = made.id
    issued = await issue_permanent_token(workshop.owner.id, made.id)
    await create_own_order(workshop)
    await create_own_offer(workshop)
    return {"Authorization": f"Bearer {issued.secret}"}


async def create_own_order(workshop):
    if workshop.holder_id is None:
        return await create_order(workshop, await workshop.store())
    order_id = await create_unassigned_order(workshop)
    path = f"{API_PREFIX}/restaurants/{workshop.home}/orders/{order_id}/assign"
    response = await workshop.client.post(path, headers=workshop.owner.auth, json={"driver_id": workshop.holder_id})
    assert response.status_code == 200, await response.get_json()
    return order_id


async def create_unassigned_order(workshop):
    store_id = workshop.home or await workshop.store()
    fields = {"address": workshop.marker, "customer_name": workshop.marker, "phone": "+351912345678"}
    return await workshop.order(store_id, type="delivery", **fields)


async def create_own_offer(workshop):
    now = clock.now()
    made = await Offer.create(
        owner_id=workshop.owner.id, order_id=await create_unassigned_order(workshop), state="open", round=1,
        driver_id=workshop.holder_id or await create_driver(workshop), created_at=now,
        expires_at=now + timedelta(minutes=1),
    )  # fmt: skip
    return made.id


async def get_photo_id(workshop):
    """Return any id: without a signed link every photo is missing."""
    return 1


def build_photo_body():
    written = BytesIO()
    Image.new("RGB", (4, 4), "red").save(written, "PNG")
    return {"image_base64": b64encode(written.getvalue()).decode()}


async def build_driver_body(workshop, *_):
    return {"name": "Stolen", "phone": PHONE, "restaurant_id": await workshop.store()}


async def build_driver_change(workshop, *_):
    return {**await build_driver_body(workshop), "is_active": False}


async def build_adjustment_body(workshop, *_):
    return {"amount": -2.5, "reason": "x", "restaurant_id": await workshop.store()}


async def build_assign_body(workshop, *_):
    return {"driver_id": await create_driver(workshop), "note": "x"}


async def build_code_body(workshop, *_):
    phone = f"+3519620{next(_numbers):05}"
    await Driver.filter(id=await create_driver(workshop)).update(phone=phone)
    await workshop.client.post(f"{API_PREFIX}/driver/login/request", json={"phone": phone})
    statement = "SELECT text FROM notifications_message WHERE address = $1 ORDER BY id DESC LIMIT 1"
    text = await sql.fetch_value(statement, phone)
    return {"phone": phone, "code": text.partition(" ")[0], "owner": workshop.owner.id, "device": "x"}


HOLDERS = {"driver": create_caller}
FACTORIES = {
    "/drivers/{id}": create_driver,
    f"{STORE_TYPE} {ORDER}": create_order,
    "/driver/deliveries/{orderId}": create_own_order,
    "/driver/offers/{offerId}": create_own_offer,
    "/delivery-photos/{id}": get_photo_id,
}
BODIES = {
    "PhoneCodeRequest": {"phone": PHONE},
    "PhoneCodeBody": build_code_body,
    "DriverBody": build_driver_body,
    "DriverChange": build_driver_change,
    "AssignBody": build_assign_body,
    "DeliveryStatusBody": {"delivery_status": "delivered", "note": "x"},
    "ProgressBody": {"delivery_status": "picked_up", "note": "x"},
    "LocationBody": {
        "lat": 38.7, "lng": -9.1, "accuracy": 5, "heading": 90, "speed": 8, "recorded_at": "2026-01-01T00:00:00Z",
    },
    "EarningAdjustmentBody": build_adjustment_body,
    "OfferRejection": {"reason": "x"},
    "PodCodeBody": {},
    "PodPhotoBody": build_photo_body(),
    "DutyBody": {"status": "on", "force": True},
    "TermsChange": {
        "lat": 38.7, "lng": -9.1, "fee": 2, "bands": [{"up_to_km": 2, "fee": 1}], "free_over": 30, "min_order": 5,
        "tax_rate": 23, "max_active_deliveries": 3, "require_shift": True, "dispatch_mode": "offer",
        "offer_at": "ready", "pod": "both", "driver_pay": 3,
    },
}  # fmt: skip
STORE_TYPES = {f"{ORDER}/assign": STORE_TYPE, f"{ORDER}/delivery-status": STORE_TYPE}
