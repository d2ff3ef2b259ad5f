"""SMS and push gateways."""

import socket

import orjson
import pytest
from comanda_notifications import api, settings
from pydantic import SecretStr
from standardwebhooks import Webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.mark.parametrize(("status", "left"), [(410, 0), (422, 1), (500, 1)])
async def test_status_410_deletes_device(owner, log_in_courier, read_devices, senders, gateway, status, left):
    await api.register_device(await log_in_courier(7), "ios", "device")
    await api.push(owner.id, "courier", [7], "a", "b")
    gateway.status = status

    assert await senders["push"].process_all_due() == 1

    assert len(await read_devices()) == left


@pytest.mark.parametrize(("channel", "to"), [("sms", "+351911111111"), ("push", "token-1")])
async def test_request_is_signed(send, senders, read_message, gateway, channel, to):
    id = await send(channel, to, "Olá", subject="Hi")

    await senders[channel].process_all_due()

    stored = await read_message(id)
    [(headers, body)] = gateway.received
    assert (stored["status"], stored["transport"]) == ("sent", f"{channel}_gateway")
    assert Webhook(SECRET).verify(body, headers) == orjson.loads(body)
    for_device = {"platform": None, "data": {}} if channel == "push" else {}
    assert orjson.loads(body) == {
        "id": stored["number"], "channel": channel, "to": to, "subject": "Hi", "text": "Olá", **for_device
    }  # fmt: skip
    assert headers["webhook-id"] == stored["number"]


async def test_retry_has_same_id(send, senders, gateway, clock):
    gateway.status = 503
    await send()
    await senders["sms"].process_all_due()
    clock.advance(minutes=1)
    await senders["sms"].process_all_due()

    [(first, _), (second, _)] = gateway.received
    assert first["webhook-id"] == second["webhook-id"]


@pytest.mark.parametrize(
    ("answer", "status", "error"),
    [
        (410, "undeliverable", "The gateway refuses the message: 410."),
        (422, "undeliverable", "The gateway refuses the message: 422."),
        (400, "pending", "The gateway answered 400."),
        (401, "pending", "The gateway answered 401."),
        (302, "pending", "The gateway answered 302."),
        (429, "pending", "The gateway answered 429."),
        (500, "pending", "The gateway answered 500."),
    ],
)
async def test_status_determines_outcome(send, senders, read_message, gateway, answer, status, error):
    gateway.status = answer
    id = await send()

    await senders["sms"].process_all_due()

    stored = await read_message(id)
    assert (stored["status"], stored["error"]) == (status, error)
    assert len(gateway.received) == 1


async def test_unavailable_gateway_is_retried(send, senders, read_message, gateway, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setattr(settings.get_settings(), "sms_url", SecretStr(url))
    id = await send()

    await senders["sms"].process_all_due()

    assert (await read_message(id))["status"] == "pending"
