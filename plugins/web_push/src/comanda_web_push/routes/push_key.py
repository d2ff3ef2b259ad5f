"""The key with which browsers subscribe."""

from comanda.contracts import PUBLIC, Routes

from comanda_web_push.records import PushKey
from comanda_web_push.services import vapid_key

routes = Routes("Public", callers=PUBLIC)


@routes.get("/web-push/key", cors=True)
async def get_push_key() -> PushKey:
    """Return the public key with which browsers subscribe to push messages."""
    return PushKey(await vapid_key.get_public_key())
