"""The callbacks of HubRise, signed with the secret of the client."""

from comanda.contracts import PUBLIC, Call, Routes

from comanda_hubrise.services import callbacks

routes = Routes("HubRise", callers=PUBLIC, is_documented=False)

CALLBACKS_PER_MINUTE = 1200


@routes.post("/hubrise/{ownerId}/{connectionId}/callback", status=204)
async def receive_callback(call: Call, owner_id: int, connection_id: int) -> None:
    """Receive that something happened to an order."""
    await call.count(f"hubrise:{call.client_network}", CALLBACKS_PER_MINUTE, is_exact=False)
    await callbacks.receive_callback(owner_id, connection_id, call.headers, call.body)
