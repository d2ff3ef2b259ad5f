"""The public modules of Comanda: what a plugin may import, and what each is for.

Every name in them that does not begin with an underscore is part of the contract. Everything else may change in any
release. Of other plugins, the module ``api`` is public, to plugins that name them as a dependency.
"""

from collections.abc import Mapping
from typing import Final

PUBLIC: Final[Mapping[str, str]] = {
    "comanda": "hookimpl",
    "comanda.accounts.kinds": "Caller, which services take first, and CallerKind",
    "comanda.accounts.models": "owners and their tokens, as rows",
    "comanda.accounts.scopes": "which scopes there are, and which of them grants which",
    "comanda.accounts.services": "owners and tokens of any kind: made, found, revoked",
    "comanda.accounts.tokens": "how tokens are made and hashed",
    "comanda.cli.options": "options that commands share",
    "comanda.cli.session": "an open database for a command",
    "comanda.clock": "the time, which tests can move",
    "comanda.db.modelset": "ModelSet",
    "comanda.db.sql": "statements and transactions",
    "comanda.demo": "DemoData and Showcase",
    "comanda.documentation": "Chapter",
    "comanda.errors": "what services raise",
    "comanda.events.outbox": "publish",
    "comanda.events.types": "Event, EventHandler, StoredEvent",
    "comanda.fulfillment": "FulfillmentMode",
    "comanda.http.answers": "values as the JSON that answers hold",
    "comanda.http.call": "the raw request, Answer, Unvalidated",
    "comanda.http.openapi": "the description of every route",
    "comanda.http.paging": "Page and PageRequest",
    "comanda.http.repeats": "requests that a client sends twice and that count once",
    "comanda.http.routes": "Routes, and who may call one",
    "comanda.http.wire": "types of fields that clients send, and the base of bodies",
    "comanda.mcp": "Tool, McpServer, and what tools take and give",
    "comanda.mcp.types": "the same, and the servers that are known by name",
    "comanda.menu.events": "MenuUpdated",
    "comanda.menu.models": "categories, items and what belongs to them, as rows",
    "comanda.menu.owned": "a menu as its owner sees it, as ready JSON",
    "comanda.menu.public": "a menu as guests see it, as ready JSON",
    "comanda.menu.reading": "one store's menu, read in one statement",
    "comanda.menu.records": "items and categories as answers show them",
    "comanda.menu.schemas": "bodies and answers about menus",
    "comanda.menu.services": "what owners do with menus",
    "comanda.menu.snapshot": "the priced menu that a process keeps",
    "comanda.menu.variants": "what owners do with variants",
    "comanda.messaging": "Transport, and messages to people outside",
    "comanda.money": "amounts, minor units, currencies",
    "comanda.orders.draft": "an order's lines as participants see them",
    "comanda.orders.events": "what orders announce",
    "comanda.orders.idempotency": "keys under which an order is placed once",
    "comanda.orders.models": "orders and their lines, as rows",
    "comanda.orders.participants": "OrderParticipant, and what its steps are given",
    "comanda.orders.placing": "placing an order on somebody's behalf",
    "comanda.orders.pricing": "the published arithmetic of totals",
    "comanda.orders.reading": "orders: found, listed, described",
    "comanda.orders.records": "orders as answers show them",
    "comanda.orders.schemas": "bodies and answers about orders",
    "comanda.orders.states": "the states of an order",
    "comanda.orders.status": "changing an order's status",
    "comanda.payment_methods": "PaymentMethod, and what providers take and give",
    "comanda.registry": "Registry, which the runtime holds",
    "comanda.runtime": "settings and registry of the process",
    "comanda.searching": "what people type and what it finds",
    "comanda.settings": "PluginSettings",
    "comanda.stores.hours": "when a store is open",
    "comanda.stores.hours_schemas": "opening hours on the wire",
    "comanda.stores.models": "stores, as rows",
    "comanda.stores.records": "stores as answers show them, and their verticals",
    "comanda.stores.schemas": "bodies and answers about stores",
    "comanda.stores.services": "stores: found, opened, configured",
    "comanda.tasks.bells": "waking drains once a transaction has committed",
    "comanda.tasks.types": "Task and Drain",
    "comanda.testing": "the fixtures and fakes of tests, with every module under it",
    "comanda.verticals": "Vertical, ItemCapability, Group",
    "comanda.web.pages": "Pages and Link",
}


def is_public(module: str) -> bool:
    """Tell whether a plugin may import a module of Comanda's."""
    return module in PUBLIC or module.startswith("comanda.testing.")
