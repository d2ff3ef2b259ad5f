"""What core's own pages declares."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.documentation import Chapter
from comanda.contracts.pages import Pages
from comanda.web.guide import pages

CHAPTERS = (
    ("start", "First steps", "From nothing to an order that its guest can follow."),
    ("api", "API", "What holds for every operation: errors, lists, values, repeating, limits, caching, versions."),
    ("tokens", "Tokens", "Who calls and what they may do: kinds of tokens, scopes, making and revoking them."),
    ("stores", "Stores", "A store's type and capabilities, its settings, its opening hours."),
    ("menus", "Menus", "Categories, items, variations, extras, what is sold out, and counted stock."),
    ("orders", "Orders", "Placing orders, what they tell, their statuses, and following them."),
    ("pricing", "Pricing", "How a total comes about: discounts, charges, tax, tips, rounding, with test vectors."),
    ("agents", "Agents", "The MCP servers for AI agents: addresses, calls, errors and limits."),
    ("plugins", "Writing plugins", "From an empty folder to a wheel: every hook, tests, rules and promises."),
)


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the start page, the guide and the API reference."""
    return [pages]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapters about accounts, stores, menus, orders and the API."""
    return [Chapter(name, title, summary, "comanda", f"docs/{name}.md") for name, title, summary in CHAPTERS]
