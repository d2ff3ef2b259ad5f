"""The hosts of a store, for owners; and the question of proxies whether to obtain a certificate for a name."""

from comanda.basics import NotFound
from comanda.contracts import PUBLIC, Answer, Call, Caller, Routes
from comanda.platform import runtime

from comanda_domains.records import RegisteredHost, StoreHostList
from comanda_domains.schemas import HostBody, HostChange
from comanda_domains.services import hosts
from comanda_domains.services.host_names import MAX_LENGTH

routes = Routes("Hosts")
proxy_routes = Routes("Hosts", callers=PUBLIC, prefix="", is_documented=False)

HOSTS = "/restaurants/{id}/hosts"
HOST = f"{HOSTS}/{{hostId}}"
READ = "restaurants:read"
WRITE = "restaurants:write"


@routes.get(HOSTS, scope=READ)
async def list_hosts(caller: Caller, id: int) -> StoreHostList:
    """List a store's hosts, the main one first."""
    return await hosts.list_hosts(caller, id)


@routes.post(HOSTS, scope=WRITE, status=201)
async def create_host(caller: Caller, id: int, body: HostBody) -> RegisteredHost:
    """Register a host for a store. It answers once its ``dns_record`` was found, one without at once."""
    return await hosts.create_host(caller, id, body)


@routes.get(HOST, scope=READ)
async def get_host(caller: Caller, id: int, host_id: int) -> RegisteredHost:
    """Get a host of a store."""
    return await hosts.get_host(caller, id, host_id)


@routes.patch(HOST, scope=WRITE)
async def update_host(caller: Caller, id: int, host_id: int, body: HostChange) -> RegisteredHost:
    """Change whether the store's page at the shared address leads to the host."""
    return await hosts.update_host(caller, id, host_id, body)


@routes.delete(HOST, scope=WRITE)
async def delete_host(caller: Caller, id: int, host_id: int) -> None:
    """Remove a host. It stops answering at once."""
    await hosts.delete_host(caller, id, host_id)


@routes.post(f"{HOST}/check", scope=WRITE, status=200)
async def check_host(caller: Caller, id: int, host_id: int) -> RegisteredHost:
    """Look for the host's ``dns_record``. 409 while it is not found, and within 5 seconds of another check."""
    return await hosts.check_host(caller, id, host_id)


@proxy_routes.get("/store-hosts/ask")
async def ask_host(call: Call) -> Answer:
    """Answer 200 for the name of a store's host, and 404 for any other. Source: Caddy, on-demand TLS, ``ask``."""
    known, domain = runtime.registry().store_hosts, call.query.get("domain", "")
    if known is None or len(domain) > MAX_LENGTH or known.find(domain.lower()) is None:
        raise NotFound
    return Answer(b"")
