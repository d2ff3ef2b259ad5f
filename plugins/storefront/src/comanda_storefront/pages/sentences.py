"""Sentences of a store's pages that fit what it sells: a bookshop has no menu."""

from collections.abc import Mapping
from typing import Final

from comanda.contracts import MenuKind, Vertical
from comanda.web import N_
from comanda.web import gettext as _

SENTENCES: Final[Mapping[MenuKind, Mapping[str, str]]] = {
    MenuKind.MENU: {
        "search": N_("Search the menu"),
        "no_items": N_("There is nothing on the menu at the moment."),
    },
    MenuKind.PRODUCTS: {
        "search": N_("Search products"),
        "no_items": N_("There are no products at the moment."),
    },
    MenuKind.PARTS: {
        "search": N_("Search parts"),
        "no_items": N_("There are no parts at the moment."),
    },
    MenuKind.SERVICES: {
        "search": N_("Search services"),
        "no_items": N_("There are no services at the moment."),
    },
}


def get_sentences(vertical: Vertical | None) -> dict[str, str]:
    """Return the sentences for a type of store, in the language of the page."""
    kind = vertical.known_menu_kind if vertical is not None else MenuKind.PRODUCTS
    return {name: _(sentence) for name, sentence in SENTENCES[kind].items()}
