"""Wallets of owners: a double-entry ledger that apps and subscriptions charge."""

from collections.abc import Sequence

import click
from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    Event,
    EventHandler,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    Pages,
    PersonalDataEraser,
    PluginSettings,
    Routes,
    Scope,
    create_scopes,
)

from comanda_wallet.commands import wallet
from comanda_wallet.demo import fill_demo_wallet
from comanda_wallet.erasure import ERASER
from comanda_wallet.event_handlers import notify_owners
from comanda_wallet.events import LowBalance
from comanda_wallet.message_templates import LOW_BALANCE
from comanda_wallet.navigation import ENTRIES
from comanda_wallet.pages.dashboard import dashboard
from comanda_wallet.routes.earnings import routes as earnings_routes
from comanda_wallet.routes.wallet import routes as wallet_routes
from comanda_wallet.settings import WalletSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Register the currency of wallets."""
    return WalletSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of wallets, entries and legs."""
    return [ModelSet("wallet", ("comanda_wallet.models",), "comanda_migrations.wallet")]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    """Register the scopes of wallets."""
    return create_scopes("wallet", "the wallet, its entries and earnings")


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Register the event of a low balance."""
    return [LowBalance]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Register the handler that tells owners of a low balance."""
    return [EventHandler("wallet_low_balance", notify_owners, (LowBalance,))]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    """Register the message of a low balance."""
    return [LOW_BALANCE]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes of wallets, and of what developers earn."""
    return [wallet_routes, earnings_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the pages of the wallet in the dashboard."""
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register the wallet and the earnings in the navigation."""
    return ENTRIES


@hookimpl
def register_commands() -> Sequence[click.Command]:
    """Register ``comanda wallet``."""
    return [wallet]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on wallets."""
    summary = "The balance of an account, its entries, charges of apps and subscriptions, and what developers earn."
    return [Chapter("wallet", "Wallet", summary, "comanda_wallet", "docs/wallet.md")]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Register the wallet of the demo's owner."""
    return [DemoData("wallet", fill_demo_wallet)]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Keep the ledger when an owner is erased."""
    return [ERASER]
