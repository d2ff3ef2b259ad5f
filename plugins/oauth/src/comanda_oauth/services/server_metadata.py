"""Metadata of the authorization server (RFC 8414) and of the resources that it protects (RFC 9728)."""

from collections.abc import Mapping

from comanda.basics import NotFound
from comanda.platform import runtime

from comanda_oauth import settings
from comanda_oauth.scopes import REGISTRY
from comanda_oauth.services import resources
from comanda_oauth.services.grantors import CUSTOMER, find_grantor

AUTH_METHODS = ("client_secret_basic", "client_secret_post", "none")


def describe_server() -> Mapping[str, object]:
    """Return the metadata of the authorization server. ``issuer`` equals the address of the site exactly."""
    site = runtime.settings().site_url
    configured = settings.get_settings()
    registration = {"registration_endpoint": f"{site}/oauth/register"} if configured.registration else {}
    return {
        "issuer": site,
        "authorization_endpoint": f"{site}/oauth/authorize",
        "token_endpoint": f"{site}/oauth/token",
        "revocation_endpoint": f"{site}/oauth/revoke",
        "introspection_endpoint": f"{site}/oauth/introspect",
        **registration,
        "scopes_supported": list(REGISTRY),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": list(AUTH_METHODS),
        "revocation_endpoint_auth_methods_supported": list(AUTH_METHODS),
        "introspection_endpoint_auth_methods_supported": list(AUTH_METHODS[:2]),
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": configured.metadata_documents,
        "service_documentation": f"{site}/docs/guide/oauth",
    }


def describe_resource(path: str, store: str | None = None) -> Mapping[str, object]:
    """Return the metadata of a resource by its path, empty for the whole host. Raises ``NotFound``.

    ``store`` is the one that the address of a server for customers names.
    """
    if path not in resources.list_paths():
        raise NotFound
    site = runtime.settings().site_url
    grantor = find_grantor(resources.get_callers(path), "")
    return {
        "resource": resources.to_address(path, store if grantor is CUSTOMER else None),
        "authorization_servers": [site],
        "scopes_supported": list(grantor.registry),
        "bearer_methods_supported": ["header"],
        "resource_documentation": f"{site}/docs/guide/oauth",
    }


def find_customer_server(store: str) -> str | None:
    """Return the address of the MCP server for customers of a store, by its slug; None if there is no such server."""
    servers = runtime.registry().mcp_servers.values()
    paths = [server.path for server in servers if CUSTOMER.caller_kind in server.callers]
    return resources.to_address(paths[0], store) if paths else None
