"""Messages to browsers: what a browser decrypts, and what becomes of the answers of its push service."""

import json
from base64 import urlsafe_b64decode
from dataclasses import replace

import pytest
from comanda.contracts import OutgoingMessage, RecipientGone, Undeliverable
from comanda_notifications.services.sender import find_transport
from comanda_web_push.services import push_service, vapid_key
from py_vapid import Vapid02


def message_to(token, **options):
    return OutgoingMessage("push", token, "Rua do Carmo 2", "New delivery", platform="web", **options)


async def test_browser_decrypts_what_was_sent(browser):
    message = message_to(browser.token, data={"order_id": 7})

    transport = await find_transport(message)
    await transport.send(message)

    assert transport.name == "web_push"
    assert browser.read() == {"title": "New delivery", "text": "Rua do Carmo 2", "data": {"order_id": 7}}
    headers, body = browser.received[0]
    assert b"Carmo" not in body
    assert (headers["Content-Encoding"], headers["TTL"]) == ("aes128gcm", "7200")


async def test_request_is_signed_with_the_key_of_the_installation(browser):
    await push_service.send(message_to(browser.token))

    signature = browser.received[0][0]["Authorization"]
    token = signature.partition("t=")[2].partition(",")[0]
    claims = json.loads(urlsafe_b64decode(token.split(".")[1] + "=="))
    assert Vapid02.verify(signature)
    assert signature.endswith(f"k={await vapid_key.get_public_key()}")
    assert claims["aud"] == browser.endpoint.removesuffix("/push/abc")
    assert claims["sub"].startswith("mailto:")


async def test_messages_to_apps_go_elsewhere(app):
    message = replace(message_to("token"), platform="ios")

    assert (await find_transport(message)).name != "web_push"


async def test_long_text_fits_into_a_message(browser):
    await push_service.send(replace(message_to(browser.token, data={"a": "x" * 2000}), text="ü" * 4000))

    assert len(browser.received[0][1]) < 4096
    assert browser.read()["text"] == "ü" * 500


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (404, RecipientGone),
        (410, RecipientGone),
        (413, Undeliverable),
        (429, push_service.PushServiceRefused),
        (307, push_service.PushServiceRefused),
    ],
)
async def test_status_decides_what_becomes_of_the_message(browser, status, error):
    browser.status = status

    with pytest.raises(error, match=str(status)) as raised:
        await push_service.send(message_to(browser.token))

    assert raised.type is error
    assert len(browser.received) == 1


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://169.254.169.254/latest/meta-data",
        "https://10.0.0.1/push",
        "http://push.example.com/plain",
        "https://redis:6379/",
        "file:///etc/passwd",
    ],
)
async def test_push_service_has_a_public_address(browser, endpoint):
    browser.endpoint = endpoint

    with pytest.raises(RecipientGone):
        await push_service.send(message_to(browser.token))


async def test_this_machine_is_no_push_service_in_production(browser, runtime, monkeypatch):
    monkeypatch.setattr(runtime.settings, "development", False)

    with pytest.raises(RecipientGone):
        await push_service.send(message_to(browser.token))

    assert browser.received == []


@pytest.mark.parametrize(
    "token",
    [
        "abc",
        "{}",
        "[]",
        '{"endpoint": "https://push.example.com/", "keys": {"p256dh": "AAAA", "auth": "AAAA"}}',
        '{"endpoint": "https://push.example.com/", "keys": {"p256dh": "", "auth": ""}}',
        '{"endpoint": 5, "keys": []}',
    ],
)
async def test_what_is_no_subscription_is_gone(app, token):
    with pytest.raises(RecipientGone):
        await push_service.send(message_to(token))
