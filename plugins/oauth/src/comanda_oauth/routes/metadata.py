"""Routes that describe the authorization server and the resources that it protects."""

from comanda.contracts import PUBLIC, Answer, Call, Routes

from comanda_oauth.routes.protocol import OAUTH
from comanda_oauth.services import server_metadata
from comanda_oauth.services.resources import METADATA_PATH, STORE

CACHED = {"Cache-Control": "public, max-age=300"}

routes = Routes("OAuth", callers=PUBLIC, prefix="", is_documented=False, protocol=OAUTH)


@routes.get("/.well-known/oauth-authorization-server", cors=True)
async def get_server_metadata() -> Answer:
    """Return the endpoints and abilities of the authorization server."""
    return Answer(dict(server_metadata.describe_server()), headers=dict(CACHED))


@routes.get(METADATA_PATH, cors=True)
async def get_host_metadata() -> Answer:
    """Return who authorizes access to this host."""
    return _describe("")


@routes.get(f"{METADATA_PATH}/{{first}}", cors=True)
async def get_resource_metadata(first: str) -> Answer:
    """Return who authorizes access to a resource, such as ``/mcp``."""
    return _describe(f"/{first}")


@routes.get(f"{METADATA_PATH}/{{first}}/{{second}}", cors=True)
async def get_nested_resource_metadata(call: Call, first: str, second: str) -> Answer:
    """Return who authorizes access to a resource, such as ``/api/v1``."""
    return _describe(f"/{first}/{second}", call.query.get(STORE))


def _describe(path: str, store: str | None = None) -> Answer:
    return Answer(dict(server_metadata.describe_resource(path, store)), headers=dict(CACHED))
