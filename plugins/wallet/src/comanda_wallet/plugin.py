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
from comanda_wallet.routes.wallet import routes as wallet_routes
from comanda_wallet.settings import WalletSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    return WalletSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("wallet", ("comanda_wallet.models",), "comanda_migrations.wallet")]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return create_scopes("wallet", "the wallet, its entries and earnings")


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [LowBalance]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [EventHandler("wallet_low_balance", notify_owners, (LowBalance,))]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return [LOW_BALANCE]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [wallet_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return ENTRIES


@hookimpl
def register_commands() -> Sequence[click.Command]:
    return [wallet]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "The balance of an account, its entries, charges of apps and subscriptions, and what developers earn."
    return [Chapter("wallet", "Wallet", summary, "comanda_wallet", "docs/wallet.md")]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("wallet", fill_demo_wallet)]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Keep the ledger when an owner is erased."""
    return [ERASER]
