"""Hook implementations of the pages of core."""

from collections.abc import Sequence
from importlib import import_module

from comanda import hookimpl
from comanda.contracts.web.documentation import Chapter
from comanda.contracts.web.pages import Pages
from comanda.web import agent_discovery, design_pages, sitemap, theme_choice
from comanda.web.documentation import guide, reference_pages
from comanda.web.languages import language_choice
from comanda.web.sign_in import (
    confirm_pages,
    passkey_pages,
    password_reset_pages,
    security_pages,
    setup_pages,
    sign_in_pages,
)

CHAPTERS = (
    ("start", "First steps", "From a fresh installation to an order that a guest can track."),
    ("api", "API", "What applies to every operation: errors, lists, values, idempotency, limits, caching, versions."),
    ("tokens", "Tokens", "Who may call what: kinds of tokens, scopes, creating and revoking them."),
    ("stores", "Stores", "Store types and capabilities, settings, opening hours."),
    ("menus", "Menus", "Categories, items, variations, extras, sold-out items and stock."),
    ("orders", "Orders", "Placing orders, their fields, statuses and tracking."),
    ("pricing", "Pricing", "How totals are calculated: discounts, charges, tax, tips, rounding, with test vectors."),
    ("price-lists", "Price lists", "Other prices by order type, channel and time: dearer delivery, happy hour, lunch."),
    ("agents", "Agents", "The MCP servers for AI agents: addresses, calls, errors and limits."),
    ("plugins", "Writing plugins", "From an empty folder to a wheel: hooks, tests, rules and compatibility."),
)


def _build_reference() -> str:
    """Return the reference of the public packages, which reads their sources: half a second, when it is asked for."""
    text: str = import_module("comanda.devkit.authoring.reference").build_reference()
    return text


REFERENCE = Chapter(
    "reference",
    "Reference of the public packages",
    "Every class, function and module that plugins may import, by package.",
    "comanda",
    build=_build_reference,
)


@hookimpl
def register_pages() -> Sequence[Pages]:
    of_accounts = (setup_pages, sign_in_pages, confirm_pages, passkey_pages, password_reset_pages, security_pages)
    of_site = (guide, reference_pages, sitemap, agent_discovery, design_pages, language_choice, theme_choice)
    return [module.pages for module in (*of_site, *of_accounts)]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    written = [Chapter(name, title, summary, "comanda.web", f"docs/{name}.md") for name, title, summary in CHAPTERS]
    return [*written, REFERENCE]
