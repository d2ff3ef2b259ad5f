"""The profile of a store: where agents call it, and what they can do there."""

from collections.abc import Mapping

from comanda_ucp.services.envelopes import CAPABILITIES, SERVICE, SITE, VERSION
from comanda_ucp.services.stores import UcpStore


def describe_store(store: UcpStore) -> Mapping[str, object]:
    """Return a store's profile. No handler takes payments: agents order what is paid at the store."""
    service = {
        "version": VERSION,
        "spec": f"{SITE}/specification/overview",
        "transport": "rest",
        "endpoint": store.api_url,
        "schema": f"{SITE}/services/shopping/rest.openapi.json",
    }
    return {
        "ucp": {
            "version": VERSION,
            "services": {SERVICE: [service]},
            "capabilities": {name: [_describe_capability(name)] for name in CAPABILITIES},
            "payment_handlers": {},
        }
    }


def _describe_capability(name: str) -> Mapping[str, object]:
    extended, page, schema = CAPABILITIES[name]
    parents = {"extends": extended[0] if len(extended) == 1 else list(extended)} if extended else {}
    return {
        "version": VERSION,
        "spec": f"{SITE}/specification/{page}",
        "schema": f"{SITE}/schemas/shopping/{schema}.json",
        **parents,
    }
