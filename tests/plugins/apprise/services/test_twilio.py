"""What Twilio answers to an SMS, and what becomes of it."""

import pytest


@pytest.mark.parametrize(
    ("status", "code", "state", "error"),
    [
        (400, 21610, "undeliverable", "Twilio refuses the message: 21610."),
        (401, 20003, "pending", "Twilio answered 20003."),
        (503, None, "pending", "Twilio answered 503."),
    ],
)
async def test_status_decides_what_becomes_of_the_message(twilio_service, send_sms, status, code, state, error):
    twilio_service.status, twilio_service.answer = status, {"code": code}

    message = await send_sms()

    assert (message["status"], message["error"]) == (state, error)
