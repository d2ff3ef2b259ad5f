"""Responses of the gateway."""


async def test_declined_session_fails_payment(gateway, till):
    gateway.refuse = 400

    reply = await till.pay("gateway")

    assert (reply.status, reply["status"], reply["failure"], reply["left"]) == (201, "failed", "Not today.", 20)
