"""Texts that the law asks of a store, as pages with links at the end of the store's pages."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, OrderParticipant, Pages, StoreSettings

from comanda_legal.pages.legal_pages import pages
from comanda_legal.store_settings import PARTICIPANT_NAME, STORE_SETTINGS, load_written


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [OrderParticipant(PARTICIPANT_NAME, load=load_written)]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Imprint, terms, privacy, accessibility and withdrawal of a store, as pages."
    return [Chapter("legal-texts", "Legal texts", summary, "comanda_legal", "docs/legal-texts.md")]
