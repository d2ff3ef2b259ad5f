"""E-mail by SMTP."""

import socket
import subprocess
import sys
from datetime import timedelta

import pytest
from comanda_notifications import settings
from comanda_notifications.transports import smtp
from pydantic import SecretStr


@pytest.fixture
def send_email(send, senders, read_message):
    """Send an e-mail and return what became of it."""

    async def send_mail(**options):
        id = await send("email", options.pop("to", "ana@example.com"), **options)
        await senders["email"].process_all_due()
        return await read_message(id)

    return send_mail


def test_import_does_not_load_smtp_client():
    code = "import sys, comanda_notifications.plugin; print('aiosmtplib' in sys.modules, 'aiohttp.web' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "False"]


async def test_email_has_headers_and_both_texts(send_email, mail_server, clock):
    stored = await send_email(text="Olá,\n.\nyour table…", subject="Olá", html="<p>Olá</p>")

    assert (stored["status"], stored["transport"], stored["error"]) == ("sent", "smtp", None)
    [(sender, recipient, _)] = mail_server.read_emails
    assert (sender.split()[0], recipient.split()[0]) == ("FROM:<no-reply@comanda.test>", "TO:<ana@example.com>")
    got = mail_server.latest
    assert (got["From"], got["To"], got["Subject"]) == ("Comanda <no-reply@comanda.test>", "ana@example.com", "Olá")
    assert got["Message-ID"] == f"<{stored['number']}@comanda.test>"
    assert got["Auto-Submitted"] == "auto-generated"
    assert abs(got["Date"].datetime - clock()) < timedelta(seconds=1)
    # How it is encoded, and so how its lines end, depends on what other libraries say of UTF-8.
    assert got.get_body(("plain",)).get_content().splitlines()[0] == "Olá,"
    assert got.get_body(("html",)).get_content().strip() == "<p>Olá</p>"


async def test_email_of_a_store_is_from_it_and_answered_to_it(send_email, mail_server, store):
    title = (await store.get(""))["title"]
    await send_email(store_id=store.id)
    plain = mail_server.latest
    await store.send("PUT", "/settings", {"title": 'Bar "Olá", <x@evil.example>'})
    await store.send("PUT", "/order-messages", {"reply_to": "bar@example.com"})

    await send_email(store_id=store.id)

    got = mail_server.latest
    assert (plain["From"].addresses[0].display_name, plain["Reply-To"]) == (title, None)
    [address] = got["From"].addresses
    assert (address.display_name, address.addr_spec) == ('Bar "Olá", <x@evil.example>', "no-reply@comanda.test")
    assert got["Reply-To"] == "bar@example.com"


async def test_login_uses_credentials_of_url(send_email, mail_server, monkeypatch):
    url = f"smtp://ana%40x:p%2Fw@127.0.0.1:{mail_server.port}"
    monkeypatch.setattr(settings.get_settings(), "smtp_url", SecretStr(url))

    assert (await send_email())["status"] == "sent"
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
async def test_rejection_is_permanent_or_temporary(send_email, mail_server, refusals, status, error):
    mail_server.refusals = refusals

    stored = await send_email()

    assert (stored["status"], stored["attempts"]) == (status, 1)
    assert error is None or stored["error"] == error
    assert stored["error"]
    assert mail_server.read_emails == []


async def test_unavailable_server_is_retried(send_email, mail_server, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"smtp://127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setattr(settings.get_settings(), "smtp_url", SecretStr(url))

    assert (await send_email())["status"] == "pending"


async def test_unsupported_address_is_undeliverable(send_email, mail_server):
    stored = await send_email(to="josé@example.com")

    assert (stored["status"], stored["attempts"]) == ("undeliverable", 1)
    assert mail_server.read_emails == []


def test_password_requires_tls(app, monkeypatch):
    def connection(url):
        monkeypatch.setattr(settings.get_settings(), "smtp_url", SecretStr(url))
        created = smtp._get_connection_options()
        return created["hostname"], created["port"], created["use_tls"], created["start_tls"]

    assert connection("smtp://u:p@mail.example.com") == ("mail.example.com", 587, False, True)
    assert connection("smtp://relay:25") == ("relay", 25, False, None)
    assert connection("smtps://u:p@mail.example.com") == ("mail.example.com", 465, True, False)
