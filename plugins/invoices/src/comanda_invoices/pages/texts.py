"""The words that documents need on every page."""

from typing import Any, Final

from comanda.platform import runtime
from comanda.web import N_
from comanda.web import gettext as _

from comanda_invoices.models import DocumentKind

KINDS: Final = {DocumentKind.INVOICE: N_("Invoice"), DocumentKind.CREDIT_NOTE: N_("Credit note")}


def get_texts() -> dict[str, Any]:
    """Return the names of documents and payment methods."""
    return {
        "kinds": {kind.value: _(label) for kind, label in KINDS.items()},
        "methods": {code: _(method.label) for code, method in runtime.registry().payment_methods.items()},
    }
