"""Which vehicles a part fits, in a few words for guests."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.web.translations import gettext as _
from comanda.web.translations import ngettext

MAX_NAMED: Final = 3


def list_facts(values: Mapping[str, Any]) -> Sequence[str]:
    """Return the first vehicles that an item fits, and how many more there are."""
    fitments = values.get("fitments") or []
    named = [_("Fits %(vehicle)s", vehicle=format_fitment(each)) for each in fitments[:MAX_NAMED]]
    left = len(fitments) - len(named)
    return [*named, ngettext("and %(num)s more", "and %(num)s more", left)] if left else named


def format_fitment(fitment: Mapping[str, Any]) -> str:
    """Return a range of vehicles, such as ``VW Golf 2013-2019``; it is open-ended without a last year."""
    first, last = fitment["year_from"], fitment.get("year_to")
    years = f"{first}-{last or ''}" if last != first else f"{first}"
    return f"{fitment['make']} {fitment['model']} {years}"
