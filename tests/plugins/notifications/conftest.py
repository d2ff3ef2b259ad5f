"""A mail server and a gateway on loopback that keep what they are sent, and messages to send them."""

import asyncio
import email
import email.policy
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from comanda.contracts.messaging import OutgoingMessage, Transport
from comanda.db import sql
from comanda_notifications import api, sender, settings
from comanda_notifications.sender import Sender
from pydantic import SecretStr

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@dataclass
class MailServer:
    """Speaks SMTP to its client, and answers ``refusals`` to the verbs that these name."""

    port: int = 0
    refusals: dict[str, str] = field(default_factory=dict)
    mails: list[tuple[str, str, bytes]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    @property
    def latest(self):
        return email.message_from_bytes(self.mails[-1][2], policy=email.policy.default)

    async def talk(self, reader, writer):
        sender = recipient = ""
        writer.write(b"220 mail.test\r\n")
        while line := (await reader.readline()).decode():
            self.said.append(line.strip())
            verb, _, rest = line.strip().partition(" ")
            answer = self.refusals.get(verb.upper(), "250 Fine")
            if verb.upper() == "EHLO":
                answer = "250-mail.test\r\n250 AUTH PLAIN"
            elif verb.upper() == "AUTH":
                answer = self.refusals.get("AUTH", "235 Welcome")
            elif verb.upper() == "MAIL":
                sender = rest
            elif verb.upper() == "RCPT":
                recipient = rest
            elif verb.upper() == "DATA" and answer.startswith("250"):
                writer.write(b"354 Go on\r\n")
                body = await reader.readuntil(b"\r\n.\r\n")
                answer = self.refusals.get("BODY", "250 Taken")
                if answer.startswith("250"):
                    self.mails.append((sender, recipient, body[:-3]))
            writer.write(f"{answer}\r\n".encode())
            if verb.upper() == "QUIT":
                break
        writer.close()


@pytest.fixture
async def mail_server(app, monkeypatch):
    """A mail server that this installation is set up for."""
    made = MailServer()
    server = await asyncio.start_server(made.talk, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    monkeypatch.setattr(settings.current(), "smtp_url", SecretStr(made.url))
    monkeypatch.setattr(settings.current(), "email_from", "Comanda <no-reply@comanda.test>")
    yield made
    server.close()
    await server.wait_closed()


@dataclass
class Gateway:
    url: str = ""
    status: int = 202
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    async def receive(self, request):
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.received.append((headers, await request.read()))
        return web.Response(status=self.status, headers={"Location": "/elsewhere"})


@pytest.fixture
async def gateway(app, monkeypatch):
    """A gateway that this installation is set up for, for SMS and push."""
    made = Gateway()
    server = web.Application()
    server.router.add_post("/{path:.*}", made.receive)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}/messages"
    for name, value in (("sms_url", made.url), ("push_url", made.url), ("gateway_secret", SECRET)):
        monkeypatch.setattr(settings.current(), name, SecretStr(value))
    yield made
    await runner.cleanup()


@dataclass
class Carrier:
    """A transport that raises ``error`` while it has one."""

    error: Exception | None = None
    sent: list[OutgoingMessage] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, message):
        if self.error is not None:
            raise self.error
        self.sent.append(message)
        self.arrived.set()


@pytest.fixture
def carrier(app, monkeypatch):
    """Carries the messages of every channel."""
    made = Carrier()
    monkeypatch.setattr(sender, "ready_transport", lambda channel: Transport("carrier", channel, made.send))
    return made


@pytest.fixture
async def senders(app):
    """A sender for each channel, which find nothing left over by other tests."""
    await sql.execute(
        """UPDATE notifications_message SET status = 'sent', finished_at = now(), next_attempt_at = NULL
           WHERE status = 'pending'"""
    )
    return {channel: Sender(channel, 10) for channel in ("sms", "email", "push")}


@pytest.fixture
def production(runtime, monkeypatch):
    monkeypatch.setattr(runtime.settings, "development", False)


@pytest.fixture
def send(owner):
    """Store a message of the owner's and return its id."""

    async def store(channel="sms", to="+351911111111", text="Your table is ready.", **options):
        message = OutgoingMessage(channel, to, text, options.pop("subject", None), options.pop("html", None))
        return await api.send(message, owner_id=owner.id, **{"purpose": "test", **options})

    return store


@pytest.fixture
def row():
    """Read a stored message."""

    async def read(id):
        return await sql.fetch_one("SELECT * FROM notifications_message WHERE id = $1", id)

    return read


@pytest.fixture
def attempts():
    """Read a message's attempts as ``(number, transport, error)``, oldest first."""

    async def read(id):
        rows = await sql.fetch("SELECT * FROM notifications_attempt WHERE message_id = $1 ORDER BY number", id)
        return [(row["number"], row["transport"], row["error"]) for row in rows]

    return read


@pytest.fixture
def count(owner):
    async def read():
        return await sql.fetch_value("SELECT count(*) FROM notifications_message WHERE owner_id = $1", owner.id)

    return read
