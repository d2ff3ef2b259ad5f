"""Push messages about one order, for browsers that have its page."""

from comanda.contracts import PUBLIC, Call, Routes
from comanda.orders import queries
from comanda_notifications.api import DeviceRegistration, register_order_device, unregister_order_device

from comanda_web_push.records import PushKey
from comanda_web_push.schemas import EndedPushSubscriptionBody, PushSubscriptionBody
from comanda_web_push.services import push_service, vapid_key

routes = Routes("Public", callers=PUBLIC)

# Guests at the tables of a store often share one IP address.
CHANGES_PER_MINUTE = 30


@routes.get("/web-push/key", cors=True)
async def get_push_key() -> PushKey:
    """Return the public key with which browsers subscribe to push messages."""
    return PushKey(await vapid_key.get_public_key())


@routes.post("/track/{token}/push/register-device", status=200, cors=True)
async def register_device(call: Call, token: str, body: PushSubscriptionBody) -> DeviceRegistration:
    """Register a browser for push messages about an order, until it has ended; at most 5 browsers for each."""
    await call.count(f"order-push:{call.client_network}", CHANGES_PER_MINUTE)
    push_service.check_subscription(body.token)
    return await register_order_device(await queries.get_tracking(token), body.token, body.locale)


@routes.post("/track/{token}/push/unregister-device", status=200, cors=True)
async def unregister_device(call: Call, token: str, body: EndedPushSubscriptionBody) -> DeviceRegistration:
    """Unregister a browser from push messages about an order; an unknown one is ignored."""
    await call.count(f"order-push:{call.client_network}", CHANGES_PER_MINUTE)
    return await unregister_order_device(await queries.get_tracking(token), body.token)
