"""What guests read about a service of a laundry, in the language of the page."""

from collections.abc import Sequence

from comanda.contracts import Values
from comanda.web import gettext as _
from comanda.web import ngettext


def list_service_badges(values: Values) -> Sequence[str]:
    """Return that a service is sold by weight, and after how many working days it is ready."""
    facts = []
    if values.get("is_by_weight"):
        facts.append(_("Price per kg. Order as many kg as you expect; we weigh it when we take it in."))
    if (days := values.get("ready_days")) is not None and days > 0:
        facts.append(ngettext("Ready in %(num)s working day", "Ready in %(num)s working days", days))
    return facts
