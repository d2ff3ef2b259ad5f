"""A mail server and a gateway on loopback that record requests, and messages to send."""

import asyncio
import email
import email.policy
from dataclasses import dataclass, field
from datetime import timedelta

import orjson
import pytest
from aiohttp import web
from comanda.accounts import services as accounts
from comanda.contracts import Caller, CallerKind, OutgoingMessage, Transport
from comanda.platform.db import sql
from comanda.platform.queue.consumer import QueueConsumer
from comanda_notifications import api, settings
from comanda_notifications.services import sender
from comanda_notifications.transports.gateway import sign_request
from pydantic import SecretStr

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@dataclass
class MailServer:
    """An SMTP server that answers the verbs in ``refusals`` with their values."""

    port: int = 0
    refusals: dict[str, str] = field(default_factory=dict)
    read_emails: list[tuple[str, str, bytes]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    @property
    def latest(self):
        return email.message_from_bytes(self.read_emails[-1][2], policy=email.policy.default)

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
                    self.read_emails.append((sender, recipient, body[:-3]))
            writer.write(f"{answer}\r\n".encode())
            if verb.upper() == "QUIT":
                break
        writer.close()


@pytest.fixture
async def mail_server(app, monkeypatch):
    """A mail server that the settings point to."""
    created = MailServer()
    server = await asyncio.start_server(created.talk, "127.0.0.1", 0)
    created.port = server.sockets[0].getsockname()[1]
    monkeypatch.setattr(settings.get_settings(), "smtp_url", SecretStr(created.url))
    monkeypatch.setattr(settings.get_settings(), "email_from", "Comanda <no-reply@comanda.test>")
    yield created
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
    """A gateway for SMS and push that the settings point to."""
    created = Gateway()
    server = web.Application()
    server.router.add_post("/{path:.*}", created.receive)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    created.url = f"http://127.0.0.1:{runner.addresses[0][1]}/messages"
    for name, value in (("sms_url", created.url), ("push_url", created.url), ("gateway_secret", SECRET)):
        monkeypatch.setattr(settings.get_settings(), name, SecretStr(value))
    yield created
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
    """A transport that accepts the messages of every channel."""
    created = Carrier()
    monkeypatch.setattr(sender, "list_ready_transports", lambda channel: [Transport("carrier", channel, created.send)])
    return created


@pytest.fixture
def new_consumer():
    """Create consumers of a channel's messages, each as in a process of its own."""

    def create(channel, max_in_flight=10):
        [queue] = [queue for queue in sender.QUEUES if queue.name.endswith(channel)]
        return QueueConsumer(queue, sender.create_work(channel, max_in_flight))

    return create


@pytest.fixture
async def senders(app, new_consumer):
    """A sender for each channel, without pending messages of other tests."""
    await sql.execute(
        """UPDATE notifications_message SET status = 'sent', finished_at = now(), next_attempt_at = NULL
           WHERE status = 'pending'"""
    )
    return {channel: new_consumer(channel) for channel in ("sms", "email", "push")}


@pytest.fixture
def production(runtime, monkeypatch):
    monkeypatch.setattr(runtime.settings, "development", False)


@pytest.fixture
def send(owner):
    """Store a message of the owner's and return its id."""

    async def store(channel="sms", to="+351911111111", text="Your table is ready.", **options):
        message = OutgoingMessage(channel, to, text, options.pop("subject", None), options.pop("html", None))
        return await api.send(message, owner_id=options.pop("owner_id", owner.id), **{"purpose": "test", **options})

    return store


@pytest.fixture
def read_message():
    """Read a stored message."""

    async def read(id):
        return await sql.fetch_one("SELECT * FROM notifications_message WHERE id = $1", id)

    return read


@pytest.fixture
def read_attempts():
    """Read a message's attempts as ``(number, transport, error)``, oldest first."""

    async def read(id):
        rows = await sql.fetch("SELECT * FROM notifications_attempt WHERE message_id = $1 ORDER BY number", id)
        return [(row["number"], row["transport"], row["error"]) for row in rows]

    return read


@pytest.fixture
def count_messages(owner):
    async def read():
        return await sql.fetch_value("SELECT count(*) FROM notifications_message WHERE owner_id = $1", owner.id)

    return read


@pytest.fixture
def put_text(owner):
    """List what the owner has written, as ``(name, channel, language, text)``."""

    async def read():
        rows = await sql.fetch(
            """SELECT name, channel, language, text FROM notifications_template WHERE owner_id = $1
               ORDER BY name, channel, language""",
            owner.id,
        )
        return [tuple(row) for row in rows]

    return read


ALL = ["received", "ready", "on_its_way", "near", "delivered", "failed", "cancelled"]


@pytest.fixture
async def notifying_store(store):
    """The store, with all messages to guests turned on."""
    reply = await store.send("PUT", "/order-messages", {"messages": ALL})
    assert reply.status == 200, reply
    return store


COURIER = CallerKind("courier", "cou_", lifetime=timedelta(days=30))


@pytest.fixture
def log_in_courier(owner):
    """Log in a courier and return the caller."""

    async def make(subject_id=7, of=None):
        owner_id = (of or owner).id
        issued = await accounts.issue_token(COURIER, owner_id, [], name="phone", subject_id=subject_id)
        return Caller("courier", issued.id, owner_id, None, subject_id, frozenset(), issued.expires_at)

    return make


@pytest.fixture
def read_devices(owner):
    async def read():
        rows = await sql.fetch(
            "SELECT token, subject_id FROM notifications_device WHERE owner_id = $1 ORDER BY id", owner.id
        )
        return [tuple(row) for row in rows]

    return read


NAME = "customers.code"


VALUES = {"code": "834112", "store": "Tasca", "minutes": 10}


@pytest.fixture
def send_code(owner, store_id, read_message):
    """Send a code by template, and return the message as it is stored."""

    async def send(channel="sms", **options):
        to = {"sms": "+351911111111", "email": "ana@example.com"}[channel]
        given = {"values": VALUES, "owner_id": owner.id, "store_id": store_id, **options}
        return await read_message(await api.send_template(NAME, to=to, channel=channel, **given))

    return send


@pytest.fixture
def get_code_template(store):
    """Return the template of the customers' codes as the API lists it."""

    async def get():
        listed = await store.get("/message-templates?per_page=100")
        return next(one for one in listed["data"] if one["name"] == NAME)

    return get


@pytest.fixture
def set_limits(client, owner):
    async def put(**fields):
        response = await client.put("/api/v1/sms-limits", headers=owner.auth, json=fields)
        return response.status_code, await response.get_json()

    return put


@pytest.fixture
def read_limits(client, owner):
    async def get():
        return await (await client.get("/api/v1/sms-limits", headers=owner.auth)).get_json()

    return get


@pytest.fixture
def list_messages(owner):
    """List the owner's messages as ``(channel, purpose, status)``, oldest first."""

    async def read():
        rows = await sql.fetch(
            "SELECT channel, purpose, status FROM notifications_message WHERE owner_id = $1 ORDER BY id", owner.id
        )
        return [tuple(row) for row in rows]

    return read


@pytest.fixture
def report(client, gateway, clock):
    """Send a report as the gateway does and return the status."""

    async def send(kind, document, id="1", secret=None, headers=None):
        body = orjson.dumps(document)
        signed = sign_request(id, clock(), body, secret or settings.get_settings().gateway_secret)
        path = f"/api/v1/messages/gateway/{kind}"
        return (await client.post(path, data=body, headers={**signed, **(headers or {})})).status_code

    return send


@pytest.fixture
async def sent(send, senders, gateway, read_message, store_id):
    """A message that the gateway took."""
    id = await send(store_id=store_id)
    await senders["sms"].process_all_due()
    return await read_message(id)
