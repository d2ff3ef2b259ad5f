"""An owner's SMS through Twilio: reported as delivered, and stopped by the guest's answer."""

import hashlib
import hmac
from base64 import b64encode
from urllib.parse import urlencode

import pytest
from comanda.platform.db import sql

SID, TOKEN = f"AC{'0' * 32}", "1" * 32
PHONE = "+351911111111"


@pytest.fixture
def call_back(client):
    """Send a form to a URL as Twilio does, and return the status."""

    async def post(url, form, token=TOKEN):
        text = url + "".join(name + form[name] for name in sorted(form))
        signature = b64encode(hmac.digest(token.encode(), text.encode(), hashlib.sha1)).decode()
        headers = {"X-Twilio-Signature": signature, "Content-Type": "application/x-www-form-urlencoded"}
        return (
            await client.post(url.partition("http://comanda.test")[2], data=urlencode(form), headers=headers)
        ).status_code

    return post


async def test_message_is_sent_and_reported_as_delivered(twilio_service, send_sms, call_back):
    message = await send_sms()
    [request] = twilio_service.received

    on_its_way = await call_back(request["StatusCallback"], {"MessageStatus": "sent", "MessageSid": "SM1"})
    arrived = await call_back(request["StatusCallback"], {"MessageStatus": "delivered", "MessageSid": "SM1"})

    found = await sql.fetch_one("SELECT * FROM notifications_message WHERE id = $1", message["id"])
    assert request["path"] == f"/2010-04-01/Accounts/{SID}/Messages.json"
    assert request["credentials"] == f"{SID}:{TOKEN}"
    assert (request["To"], request["From"], request["Body"]) == (PHONE, "+15017122661", "Your table is ready.")
    assert (on_its_way, arrived) == (204, 204)
    assert (message["status"], message["delivery"], found["delivery"]) == ("sent", None, "delivered")


async def test_failure_is_reported_with_its_code(twilio_service, send_sms, call_back):
    message = await send_sms()

    await call_back(
        twilio_service.received[0]["StatusCallback"], {"MessageStatus": "undelivered", "ErrorCode": "30005"}
    )

    found = await sql.fetch_one("SELECT * FROM notifications_message WHERE id = $1", message["id"])
    assert (found["delivery"], found["delivery_error"]) == ("failed", "Twilio reports the error 30005.")


async def test_stop_and_start_of_a_guest(twilio_service, send_sms, call_back):
    stop = {"From": PHONE, "Body": "STOP", "MessageSid": "SM1"}
    assert await call_back(twilio_service.reply_url, stop) == 204
    stopped = await send_sms()
    assert await call_back(twilio_service.reply_url, {"From": PHONE, "Body": "Start", "MessageSid": "SM2"}) == 204
    assert await call_back(twilio_service.reply_url, stop) == 204
    started = await send_sms()

    assert (stopped["status"], started["status"]) == ("opted_out", "sent")
    assert len(twilio_service.received) == 1


async def test_forged_answer_is_not_found(twilio_service, send_sms, call_back):
    form = {"From": PHONE, "Body": "STOP", "MessageSid": "SM1"}

    statuses = [
        await call_back(twilio_service.reply_url, form, token="2" * 32),
        await call_back(twilio_service.reply_url.replace("/twilio", "9/twilio"), form),
        await call_back(twilio_service.reply_url, {"Body": "x" * 40_000}),
    ]

    assert statuses == [404, 404, 400]
    assert (await send_sms())["status"] == "sent"
