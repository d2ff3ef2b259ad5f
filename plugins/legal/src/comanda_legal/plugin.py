"""Texts that the law asks of a store, as pages with links at the end of the store's, and withdrawals from contracts."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    Event,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    Panel,
    PersonalDataEraser,
    Routes,
    Section,
    StoreSettings,
)

from comanda_legal.erasure import ERASER
from comanda_legal.events import WithdrawalReceived
from comanda_legal.message_templates import ACKNOWLEDGEMENT
from comanda_legal.pages import withdrawal_pages
from comanda_legal.pages.dashboard import NAVIGATION, PANELS, dashboard
from comanda_legal.pages.legal_pages import pages
from comanda_legal.routes.guests import routes as guest_routes
from comanda_legal.routes.withdrawals import routes as withdrawal_routes
from comanda_legal.sections import SECTION
from comanda_legal.store_settings import PARTICIPANT_NAME, STORE_SETTINGS, load_written

# The module registers its pages when it is imported.
GUEST_PAGES = (withdrawal_pages,)


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("legal", ("comanda_legal.models",), "comanda_migrations.legal")]


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [OrderParticipant(PARTICIPANT_NAME, load=load_written)]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [withdrawal_routes, guest_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages, dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_panels() -> Sequence[Panel]:
    return PANELS


@hookimpl
def register_sections() -> Sequence[Section]:
    return [SECTION]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [WithdrawalReceived]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return [ACKNOWLEDGEMENT]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Imprint, terms, privacy, accessibility and withdrawal of a store, as pages; withdrawals from contracts."
    return [Chapter("legal-texts", "Legal texts", summary, "comanda_legal", "docs/legal-texts.md")]
