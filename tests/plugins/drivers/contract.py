"""What stands in the paths and bodies of the drivers plugin's routes, for tests of every route."""

from base64 import b64encode
from datetime import timedelta
from io import BytesIO
from itertools import count

from comanda import clock
from comanda.contracts.routes import API_PREFIX
from comanda.db import sql
from comanda_drivers.models import Driver, Offer
from comanda_drivers.tokens import issue_for_owner
from PIL import Image

# Its stores deliver, and nothing else of it is tried there: so an order of it is one for delivery.
STORE_TYPE = "cosmetic"
ORDER = "/restaurants/{id}/orders/{orderId}"
PHONE = "+351961234567"
_numbers = count(1)


async def driver(workshop):
    return await workshop.post("/drivers", {"name": "Rui Costa", "phone": PHONE})


async def order(workshop, store_id):
    return await workshop.order(store_id, type="delivery", address="Rua da Prata 8", customer_name="Ada", phone="x")


async def holder(workshop):
    made = await Driver.create(
        owner_id=workshop.owner.id, store_id=workshop.home, name=workshop.marker, phone=PHONE, created_at=clock.now()
    )
    workshop.holder_id = made.id
    issued = await issue_for_owner(workshop.owner.id, made.id)
    await own_order(workshop)
    await own_offer(workshop)
    return {"Authorization": f"Bearer {issued.secret}"}


async def own_order(workshop):
    if workshop.holder_id is None:
        return await order(workshop, await workshop.store())
    order_id = await free_order(workshop)
    path = f"{API_PREFIX}/restaurants/{workshop.home}/orders/{order_id}/assign"
    response = await workshop.client.post(path, headers=workshop.owner.auth, json={"driver_id": workshop.holder_id})
    assert response.status_code == 200, await response.get_json()
    return order_id


async def free_order(workshop):
    store_id = workshop.home or await workshop.store()
    fields = {"address": workshop.marker, "customer_name": workshop.marker, "phone": "+351912345678"}
    return await workshop.order(store_id, type="delivery", **fields)


async def own_offer(workshop):
    now = clock.now()
    made = await Offer.create(
        owner_id=workshop.owner.id, order_id=await free_order(workshop), state="open", round=1, created_at=now,
        driver_id=workshop.holder_id or await driver(workshop), expires_at=now + timedelta(minutes=1),
    )  # fmt: skip
    return made.id


async def photo(workshop):
    """Name no photo: without a signed link every one is missing."""
    return 1


def picture():
    written = BytesIO()
    Image.new("RGB", (4, 4), "red").save(written, "PNG")
    return {"image_base64": b64encode(written.getvalue()).decode()}


async def driver_body(workshop, *_):
    return {"name": "Stolen", "phone": PHONE, "restaurant_id": await workshop.store()}


async def change_body(workshop, *_):
    return {**await driver_body(workshop), "is_active": False}


async def adjustment_body(workshop, *_):
    return {"amount": -2.5, "reason": "x", "restaurant_id": await workshop.store()}


async def assign_body(workshop, *_):
    return {"driver_id": await driver(workshop), "note": "x"}


async def code_body(workshop, *_):
    phone = f"+3519620{next(_numbers):05}"
    await Driver.filter(id=await driver(workshop)).update(phone=phone)
    await workshop.client.post(f"{API_PREFIX}/driver/login/request", json={"phone": phone})
    statement = "SELECT text FROM notifications_message WHERE address = $1 ORDER BY id DESC LIMIT 1"
    text = await sql.fetch_value(statement, phone)
    return {"phone": phone, "code": text.partition(" ")[0], "owner": workshop.owner.id, "device": "x"}


HOLDERS = {"driver": holder}
FACTORIES = {
    "/drivers/{id}": driver,
    f"{STORE_TYPE} {ORDER}": order,
    "/driver/deliveries/{orderId}": own_order,
    "/driver/offers/{offerId}": own_offer,
    "/delivery-photos/{id}": photo,
}
BODIES = {
    "PhoneCodeRequest": {"phone": PHONE},
    "PhoneCodeBody": code_body,
    "DriverBody": driver_body,
    "DriverChange": change_body,
    "AssignBody": assign_body,
    "DeliveryStatusBody": {"delivery_status": "delivered", "note": "x"},
    "ProgressBody": {"delivery_status": "picked_up", "note": "x"},
    "LocationBody": {
        "lat": 38.7, "lng": -9.1, "accuracy": 5, "heading": 90, "speed": 8, "recorded_at": "2026-01-01T00:00:00Z",
    },
    "EarningAdjustmentBody": adjustment_body,
    "OfferRejection": {"reason": "x"},
    "PodCodeBody": {},
    "PodPhotoBody": picture(),
    "DutyBody": {"status": "on", "force": True},
    "TermsChange": {
        "lat": 38.7, "lng": -9.1, "fee": 2, "bands": [{"up_to_km": 2, "fee": 1}], "free_over": 30, "min_order": 5,
        "tax_rate": 23, "max_active_deliveries": 3, "require_shift": True, "dispatch_mode": "offer",
        "offer_at": "ready", "pod": "both", "driver_pay": 3,
    },
}  # fmt: skip
STORE_TYPES = {f"{ORDER}/assign": STORE_TYPE, f"{ORDER}/delivery-status": STORE_TYPE}
