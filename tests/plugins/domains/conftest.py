"""A store with hosts, a name server on loopback, and requests with any header ``Host``."""

import asyncio
import secrets
from dataclasses import dataclass, field

import dns.message
import dns.rcode
import dns.rrset
import pytest
from comanda.devkit.testing import TestStore
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda_domains.settings import DomainsSettings


class NameServer(asyncio.DatagramProtocol):
    """Answers queries for TXT records; ``is_silent`` answers none."""

    def __init__(self):
        self.texts = {}
        self.is_silent = False
        self.asked = []

    def connection_made(self, transport):
        self.transport = transport

    def datagram_received(self, data, address):
        query = dns.message.from_wire(data)
        name = query.question[0].name.to_text(omit_final_dot=True)
        self.asked.append(name)
        if self.is_silent:
            return
        answer = dns.message.make_response(query)
        if texts := self.texts.get(name):
            answer.answer.append(dns.rrset.from_text_list(query.question[0].name, 60, "IN", "TXT", texts))
        else:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        self.transport.sendto(answer.to_wire(), address)


@dataclass
class Reply:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def text(self):
        return self.body.decode()


@pytest.fixture
async def name_server(app, monkeypatch):
    transport, server = await asyncio.get_running_loop().create_datagram_endpoint(
        NameServer, local_addr=("127.0.0.1", 0)
    )
    port = transport.get_extra_info("sockname")[1]
    monkeypatch.setattr(runtime_module.settings_of(DomainsSettings), "nameservers", [f"127.0.0.1:{port}"])
    yield server
    transport.close()


@pytest.fixture
def base_domain(app, monkeypatch):
    name = f"{secrets.token_hex(4)}.shops.example"
    monkeypatch.setattr(runtime_module.settings_of(DomainsSettings), "base_domain", name)
    return name


@pytest.fixture
def domain():
    """A name that no other test has."""
    return f"pizzeria-{secrets.token_hex(4)}.example"


class HostedStore(TestStore):
    """A store whose hosts are registered and proven over HTTP."""

    async def add_host(self, name, **fields):
        reply = await self.send("POST", "/hosts", {"name": name, **fields})
        assert reply.status == 201, reply
        await runtime_module.registry().store_hosts.renew()
        return reply.document

    async def check_host(self, host):
        reply = await self.send("POST", f"/hosts/{host['id']}/check")
        await runtime_module.registry().store_hosts.renew()
        return reply

    async def prove_host(self, name, name_server, **fields):
        host = await self.add_host(name, **fields)
        publish(name_server, host)
        reply = await self.check_host(host)
        assert reply.status == 200, reply
        return reply.document


def publish(name_server, host):
    record = host["dns_record"]
    name_server.texts.setdefault(record["name"], []).append(record["value"])


@pytest.fixture
async def shop(client, owner):
    made = HostedStore(client, owner, await owner.store())
    made.soup = await made.item("Soup", 8)
    made.slug = await _find_slug(made)
    yield made
    await _remove_hosts(owner)


@pytest.fixture
async def other_shop(client, other_owner):
    made = HostedStore(client, other_owner, await other_owner.store())
    made.slug = await _find_slug(made)
    yield made
    await _remove_hosts(other_owner)


async def _remove_hosts(owner):
    """Remove the hosts of an owner, which the start page and the sitemap of other tests would have."""
    await sql.execute("DELETE FROM domains_host WHERE owner_id = $1", owner.id)
    await runtime_module.registry().store_hosts.renew()


async def _find_slug(store):
    return await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)


@pytest.fixture
def visit(app):
    """Send a request with these headers ``Host`` as a server would, whatever they are."""

    async def send_request(path, *hosts, method="GET", headers=(), query=b"", body=b"", raw=None):
        reply, is_read = Reply(), False

        async def receive():
            nonlocal is_read
            if is_read:
                await asyncio.Event().wait()
            is_read = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message):
            if message["type"] == "http.response.start":
                reply.status = message["status"]
                reply.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
            else:
                reply.body += message.get("body", b"")

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode() if raw is None else raw,
            "query_string": query,
            "root_path": "",
            "headers": [*((b"host", host.encode()) for host in hosts), *headers],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "extensions": {},
        }
        await app(scope, receive, send)
        return reply

    return send_request
