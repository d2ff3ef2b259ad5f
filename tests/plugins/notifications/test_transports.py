"""The transports: a mail server and gateways on loopback, and what each of their answers means."""

import socket
from datetime import timedelta

import orjson
import pytest
from comanda_notifications import settings
from comanda_notifications.services.sender import find_ready_transport
from comanda_notifications.settings import NotificationSettings
from comanda_notifications.transports import smtp
from pydantic import SecretStr, ValidationError
from standardwebhooks import Webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture
def mail(send, senders, row):
    """Send an e-mail and return what became of it."""

    async def send_mail(**options):
        id = await send("email", options.pop("to", "ana@example.com"), **options)
        await senders["email"].send_all_due()
        return await row(id)

    return send_mail


async def test_a_mail_arrives_with_its_headers_and_both_texts(mail, mail_server, clock):
    stored = await mail(text="Olá,\n.\nyour table…", subject="Olá", html="<p>Olá</p>")

    assert (stored["status"], stored["transport"], stored["error"]) == ("sent", "smtp", None)
    [(sender, recipient, _)] = mail_server.mails
    assert (sender.split()[0], recipient.split()[0]) == ("FROM:<no-reply@comanda.test>", "TO:<ana@example.com>")
    got = mail_server.latest
    assert (got["From"], got["To"], got["Subject"]) == ("Comanda <no-reply@comanda.test>", "ana@example.com", "Olá")
    assert got["Message-ID"] == f"<{stored['number']}@comanda.test>"
    assert got["Auto-Submitted"] == "auto-generated"
    assert abs(got["Date"].datetime - clock()) < timedelta(seconds=1)
    assert got.get_body(("plain",)).get_content().startswith("Olá,\n")
    assert got.get_body(("html",)).get_content().strip() == "<p>Olá</p>"


async def test_we_log_in_with_the_name_and_password_of_the_address(mail, mail_server, monkeypatch):
    url = f"smtp://ana%40x:p%2Fw@127.0.0.1:{mail_server.port}"
    monkeypatch.setattr(settings.get_settings(), "smtp_url", SecretStr(url))

    assert (await mail())["status"] == "sent"
    assert any(line.startswith("AUTH PLAIN AGFuYUB4AHAvdw==") for line in mail_server.said)


@pytest.mark.parametrize(
    ("refusals", "status", "error"),
    [
        ({"RCPT": "550 No such user"}, "undeliverable", "The mail server refuses the address: 550 No such user"),
        ({"BODY": "554 Spam"}, "undeliverable", "The mail server refuses the message: 554 Spam"),
        ({"RCPT": "451 Later"}, "pending", None),
        ({"BODY": "452 Full"}, "pending", None),
        ({"MAIL": "550 Who are you"}, "pending", None),
    ],
)
async def test_what_a_mail_servers_refusal_means(mail, mail_server, refusals, status, error):
    mail_server.refusals = refusals

    stored = await mail()

    assert (stored["status"], stored["attempts"]) == (status, 1)
    assert error is None or stored["error"] == error
    assert stored["error"]
    assert mail_server.mails == []


async def test_a_mail_server_that_is_away_is_tried_again(mail, mail_server, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"smtp://127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setattr(settings.get_settings(), "smtp_url", SecretStr(url))

    assert (await mail())["status"] == "pending"


async def test_an_address_the_server_cannot_write_is_undeliverable(mail, mail_server):
    stored = await mail(to="josé@example.com")

    assert (stored["status"], stored["attempts"]) == ("undeliverable", 1)
    assert mail_server.mails == []


def test_a_password_goes_to_another_machine_by_tls_only(app, monkeypatch):
    def connection(url):
        monkeypatch.setattr(settings.get_settings(), "smtp_url", SecretStr(url))
        made = smtp._get_connection_options()
        return made["hostname"], made["port"], made["use_tls"], made["start_tls"]

    assert connection("smtp://u:p@mail.example.com") == ("mail.example.com", 587, False, True)
    assert connection("smtp://relay:25") == ("relay", 25, False, None)
    assert connection("smtps://u:p@mail.example.com") == ("mail.example.com", 465, True, False)


@pytest.mark.parametrize(("channel", "to"), [("sms", "+351911111111"), ("push", "token-1")])
async def test_a_gateway_gets_a_request_that_it_can_verify(send, senders, row, gateway, channel, to):
    id = await send(channel, to, "Olá", subject="Hi")

    await senders[channel].send_all_due()

    stored = await row(id)
    [(headers, body)] = gateway.received
    assert (stored["status"], stored["transport"]) == ("sent", f"{channel}_gateway")
    assert Webhook(SECRET).verify(body, headers) == orjson.loads(body)
    for_device = {"platform": None, "data": {}} if channel == "push" else {}
    assert orjson.loads(body) == {
        "id": stored["number"], "channel": channel, "to": to, "subject": "Hi", "text": "Olá", **for_device
    }  # fmt: skip
    assert headers["webhook-id"] == stored["number"]


async def test_a_repeated_attempt_has_the_same_id(send, senders, gateway, clock):
    gateway.status = 503
    await send()
    await senders["sms"].send_all_due()
    clock.advance(minutes=1)
    await senders["sms"].send_all_due()

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
async def test_what_a_gateways_answer_means(send, senders, row, gateway, answer, status, error):
    gateway.status = answer
    id = await send()

    await senders["sms"].send_all_due()

    stored = await row(id)
    assert (stored["status"], stored["error"]) == (status, error)
    assert len(gateway.received) == 1


async def test_a_gateway_that_is_away_is_tried_again(send, senders, row, gateway, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setattr(settings.get_settings(), "sms_url", SecretStr(url))
    id = await send()

    await senders["sms"].send_all_due()

    assert (await row(id))["status"] == "pending"


async def test_what_is_set_up_goes_before_the_outbox(mail_server, gateway):
    names = [find_ready_transport(channel).name for channel in ("sms", "email", "push")]

    assert names == ["sms_gateway", "smtp", "push_gateway"]


@pytest.mark.parametrize(
    "values",
    [
        {"smtp_url": "http://mail.example.com", "email_from": "a@example.com"},
        {"smtp_url": "smtp://", "email_from": "a@example.com"},
        {"smtp_url": "smtp://host:x", "email_from": "a@example.com"},
        {"smtp_url": "smtp://mail.example.com"},
        {"smtp_url": "smtp://mail.example.com", "email_from": "nobody"},
        {"sms_url": "http://gateway.example.com", "gateway_secret": SECRET},
        {"push_url": "https://", "gateway_secret": SECRET},
        {"sms_url": "https://gateway.example.com"},
        {"sms_url": "https://gateway.example.com", "gateway_secret": "whsec_short"},
        {"sms_url": "https://gateway.example.com", "gateway_secret": SECRET.removeprefix("whsec_")},
    ],
)
def test_settings_that_cannot_work_stop_the_start(values):
    with pytest.raises(ValidationError) as refused:
        NotificationSettings(**values)

    # What is refused may hold a password.
    assert all(str(value) not in problem["msg"] for problem in refused.value.errors() for value in values.values())


def test_settings_hide_what_is_secret():
    made = NotificationSettings(
        smtp_url="smtp://u:hunter2@mail.example.com", email_from="a@example.com", sms_url="http://[::1]:9/x",
        gateway_secret=SECRET,
    )  # fmt: skip

    assert "hunter2" not in repr(made)
    assert SECRET not in repr(made)
