"""Requests of the gateway that are forged, or copies."""

import orjson
import pytest
from comanda_notifications.settings import get_settings
from comanda_notifications.transports.gateway import sign_request
from pydantic import SecretStr

OTHER_SECRET = SecretStr("whsec_c2VjcmV0LW9mLXNvbWVib2R5LWVsc2UtZW50aXJlbHk=")


@pytest.mark.parametrize(
    "forged",
    [
        {"secret": OTHER_SECRET},
        {"headers": {"webhook-timestamp": "1"}},
        {"headers": {"webhook-timestamp": "x"}},
        {"headers": {"webhook-signature": "v1,AAAA"}},
        {"headers": {"webhook-id": "2"}},
    ],
)
async def test_request_that_is_not_signed_changes_nothing(report, sent, read_message, forged):
    assert await report("reports", {"id": sent["number"], "status": "delivered"}, **forged) == 400
    assert (await read_message(sent["id"]))["delivery"] is None


async def test_old_request_is_refused(report, sent, clock, read_message, client):
    body = orjson.dumps({"id": sent["number"], "status": "delivered"})
    signed = sign_request("1", clock(), body, get_settings().gateway_secret)
    clock.advance(minutes=6)

    response = await client.post("/api/v1/messages/gateway/reports", data=body, headers=signed)

    assert response.status_code == 400
    assert (await read_message(sent["id"]))["delivery"] is None
